package main

import (
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/standin"
)

// FuzzState: whatever stands in the file in which a stand-in keeps what it was
// asked, it is refused, or each call has an answer, and what is written is read
// back.
func FuzzState(f *testing.F) {
	for _, s := range []string{`{"asked":{"ShowTrainingJobDetails":1},"faults":2}`, `{"asked":{"ShowTrainingJobDetails":-5}}`, `{"asked":{"ShowTrainingJobDetails":9223372036854775807},"faults":-9223372036854775808}`, `{"asked":null}`, "null", "{", "[]"} {
		f.Add([]byte(s))
	}
	dir := f.TempDir()
	c := recordedCase(f, filepath.Join(dir, "corpus"))
	f.Fuzz(func(t *testing.T, data []byte) {
		cmd := &replayHcloudCmd{State: filepath.Join(dir, "state")}
		if err := os.WriteFile(cmd.State, data, 0o600); err != nil {
			t.Fatal(err)
		}
		out := &console{ctx: t.Context(), lang: "en", stdout: io.Discard, stderr: io.Discard}
		s := standin.New("en", c)
		s.Fault.Kind, s.Fault.Times = "throttled", 2
		if cmd.load(out, s) != nil {
			return
		}
		for range 3 {
			got, err := s.Run(t.Context(), []string{"ModelArts", "ShowTrainingJobDetails"})
			if err != nil || !bytes.Contains(got.Stdout, []byte("{")) {
				t.Fatalf("%q: %q %v", data, got.Stdout, err)
			}
		}
		if err := cmd.save(out, s); err != nil {
			t.Fatal(err)
		}
		again := standin.New("en", c)
		if err := cmd.load(out, again); err != nil || again.Fault.Shown != s.Fault.Shown || !maps.Equal(again.Replayer.Asked, s.Replayer.Asked) {
			t.Errorf("%q is read back as %v, %d: %v", data, again.Replayer.Asked, again.Fault.Shown, err)
		}
	})
}

// recordedCase records two answers to one call.
func recordedCase(t testing.TB, dir string) *corpus.Case {
	t.Helper()
	r, err := corpus.Create(dir, corpus.Manifest{ID: "x"}, corpus.Options{Now: realWorld().now})
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range []string{`{"a": 1}`, `{"a": 2}`} {
		x := corpus.Exchange{Request: corpus.Request{Operation: "ShowTrainingJobDetails"}, Class: "ok"}
		if _, err := r.Add(x, []byte(answer)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(true); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(r.Path())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// FuzzArguments: whatever stands behind a command of the service, it is refused,
// or each word has become an argument, a flag, or what stands without a name.
func FuzzArguments(f *testing.F) {
	for _, s := range []string{"--a.b.1=x --limit 5 y", "--json - --yes", "--hours 1e1000000", "-- -h --cli-region=x", "--dry-run=false --dry-run=true", "--a= --b", "--timeout -1s --lang zh", "--query \x1b[31m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c := &console{lang: "en"}
		words := strings.Split(line, " ")
		o, args, rest, err := c.split(words, []string{"region"}, []string{"flag"})
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Errorf("%q is refused without a word", line)
			}
			return
		}
		for _, a := range args {
			dashed := strings.NewReplacer("_", "-").Replace // hcloud has both
			if !strings.Contains(dashed(line), dashed(a.Name)) || a.Value != "true" && !strings.Contains(line, a.Value) {
				t.Errorf("%q gives %+v", line, a)
			}
		}
		for _, r := range rest {
			if strings.HasPrefix(r, "--") || !strings.Contains(line, r) {
				t.Errorf("%q leaves %q", line, r)
			}
		}
		if o.Timeout <= 0 || o.hours != nil && o.hours.Sign() <= 0 {
			t.Errorf("%q sets %v, %v", line, o.Timeout, o.hours)
		}
		if len(words) > 0 && len(args)+len(rest) == 0 && !strings.Contains(line, "-") {
			t.Errorf("of %q nothing is left", line)
		}
	})
}

// FuzzSize: a number of bytes is read, or refused; it is never negative.
func FuzzSize(f *testing.F) {
	for _, s := range []string{"500000", "64K", "2GiB", "9223372036854775807", "9007199254740993K", "-1", " 1 m ", "0x10", "1e3", "K"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var n size
		if err := n.UnmarshalText([]byte(s)); err == nil && n < 0 {
			t.Errorf("%q is %d", s, n)
		}
		var part shard
		if err := part.UnmarshalText([]byte(s)); err == nil && (part.index < 1 || part.index > part.of) {
			t.Errorf("%q is %+v", s, part)
		}
		fault, err := standin.ParseFault(s)
		if err == nil && s != "" && (fault.Kind == "" || fault.Times < 0) {
			t.Errorf("%q is %+v", s, fault)
		}
	})
}
