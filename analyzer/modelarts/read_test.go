package modelarts

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expected readings in testdata")

// file is one file of an archive in testdata.
type file struct {
	name string
	data []byte
}

// files splits an archive: a file starts after a line "-- NAME --".
func files(t *testing.T, path string) (intro []byte, all []file) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		name, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("-- "))
		if name, end := bytes.CutSuffix(name, []byte(" --")); ok && end {
			all = append(all, file{name: string(name)})
		} else if len(all) == 0 {
			intro = append(intro, line...)
		} else {
			last := &all[len(all)-1]
			last.data = append(last.data, line...)
		}
	}
	return intro, all
}

// answers returns the answers of all archives, by the name of their archive.
func answers(t *testing.T) map[string][]file {
	t.Helper()
	all := map[string][]file{}
	for _, path := range glob(t, "testdata/*.txtar") {
		_, fs := files(t, path)
		for _, f := range fs {
			if !strings.HasSuffix(f.name, ".want") {
				all[path] = append(all[path], f)
			}
		}
	}
	return all
}

// TestRead reads every answer of the archives in testdata ("NAME.json", or
// "NAME.cut" for one that is known to be cut) and compares what is read with the
// file "NAME.want" that follows it. The answers were written for these tests.
func TestRead(t *testing.T) {
	for _, path := range glob(t, "testdata/*.txtar") {
		out, fs := files(t, path)
		wants := map[string]string{}
		for _, f := range fs {
			wants[f.name] = string(f.data)
		}
		for _, f := range fs {
			name, ext, _ := strings.Cut(f.name, ".")
			if ext == "want" {
				continue
			}
			got := dump(t, f.data, ext == "cut")
			out = fmt.Appendf(out, "-- %s --\n%s-- %s.want --\n%s", f.name, f.data, name, got)
			t.Run(filepath.Base(path)+"/"+name, func(t *testing.T) {
				if diff := cmp.Diff(wants[name+".want"], got); diff != "" && !*update {
					t.Errorf("reading differs (-want +got), -update rewrites it:\n%s", diff)
				}
			})
		}
		if *update {
			if err := os.WriteFile(path, out, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files match %q: %v", pattern, err)
	}
	return paths
}

// dump reads an answer and writes down what was read, a line each.
func dump(t *testing.T, data []byte, cut bool) string {
	t.Helper()
	data = bytes.TrimSuffix(data, []byte("\n"))
	a, err := Read("answer.json", data, cut)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("api %s damaged=%t", strings.Join(a.APIs, " "), a.Damaged)
	for _, e := range a.Errors {
		line("error %q %q status=%d request=%q at %s", e.Code, e.Message, e.Status, e.RequestID, spot(e.At))
	}
	for _, j := range a.Jobs {
		dumpJob(line, j)
	}
	for _, x := range a.Texts {
		line("%s %s:%d%s%s%s%s %s", [...]string{"log", "message", "event", "reason"}[x.What], x.Field, x.Line,
			note(" task=", x.Task), note(" job=", x.Job), note(" level=", x.Level), note(" ", clock(x.Time, x.Zoned)), strconv.Quote(x.Text))
	}
	for _, f := range a.Facts {
		line("fact %s %s:%d = %s", f.API, f.Key, f.At.Line, f.Value)
	}
	return b.String()
}

func dumpJob(line func(string, ...any), j Job) {
	line("job %q %q phase=%s(%s) secondary=%s at %s", j.ID, j.Name, j.Phase, j.PhaseText, j.Secondary, spot(j.PhaseAt))
	if j.Flavor+j.Pool+j.Region+j.FlavorType != "" || j.NodeCount+j.RetryNum > 0 || j.LogExport {
		line("  setup flavor=%s type=%s pool=%s region=%s nodes=%d retry=%d max=%s export=%t",
			j.Flavor, j.FlavorType, j.Pool, j.Region, j.NodeCount, j.RetryNum, j.MaxRunning, j.LogExport)
	}
	if !j.Created.IsZero() || !j.Started.IsZero() || j.Duration != 0 {
		line("  times created=%s started=%s duration=%s", clock(j.Created, true), clock(j.Started, true), j.Duration)
	}
	for _, t := range j.Tasks {
		code := "?"
		if t.ExitCode != nil {
			code = strconv.Itoa(*t.ExitCode)
		}
		line("  task %q exit=%s%s at %s", t.Name, code, note(" ended ", clock(t.Ended, true)), spot(t.At))
	}
	for _, r := range j.Records {
		line("  run %s to %s %s %q task=%s at %s", clock(r.Start, true), clock(r.End, true), r.StartType, r.EndReason, r.RelatedTask, spot(r.At))
		for _, c := range r.Recoveries {
			line("    recovery %s to %s %s %s %q task=%s %s at %s", clock(c.Start, true), clock(c.End, true), c.Action, c.Scenario, c.Reason, c.RelatedTask, c.Result, spot(c.At))
		}
	}
	for _, a := range j.Analysis {
		line("  analysis %q %q %q task=%s at %s", a.Description, a.Solution, a.Link, a.Task, spot(a.At))
	}
	for _, s := range j.Stages {
		line("  stage %d %s %s to %s %s en=%q zh=%q at %s", s.Order, s.Name, clock(s.Start, s.Zoned), clock(s.End, s.Zoned), s.Status, s.MessageEN, s.MessageZH, spot(s.At))
	}
	for _, h := range j.Hosts {
		line("  host %+v", h)
	}
	for _, p := range j.Preview {
		line("  preview %s %d of %d at %s", p.Task, p.Current, p.Full, spot(p.At))
	}
	for _, m := range j.Metrics {
		line("  metric %s %s %v", m.Task, m.Name, m.Values)
	}
	for _, q := range j.Quotas {
		line("  quota %+v", q)
	}
}

func spot(p Place) string { return fmt.Sprintf("%s:%d", p.Field, p.Line) }

func note(lead, s string) string {
	if s == "" {
		return ""
	}
	return lead + s
}

func clock(t time.Time, zoned bool) string {
	switch {
	case t.IsZero():
		return ""
	case zoned:
		return t.Format(time.RFC3339Nano)
	}
	return t.Format("2006-01-02T15:04:05.999")
}
