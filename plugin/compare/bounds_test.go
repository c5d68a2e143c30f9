package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unsafe"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/plugin/triage"
)

// within fails a test whose work does not come to an end.
func within(t *testing.T, most time.Duration, work func()) {
	t.Helper()
	done := make(chan bool)
	go func() {
		defer close(done)
		work()
	}()
	select {
	case <-done:
	case <-time.After(most):
		t.Fatal("it does not come to an end")
	}
}

func setups(values string) *Side {
	s := &Side{Setups: map[string]map[string]string{}}
	s.setup([]byte(`{"metadata":{"id":"x"},"spec":` + values + `}`))
	return s
}

// TestSetupIsBounded: names that are long, lie deep or are many do not make paths
// of more bytes than the answer has; and what goes beyond the bounds is compared
// all the same.
func TestSetupIsBounded(t *testing.T) {
	deep := func(last string) string {
		return strings.Repeat(`{"`+strings.Repeat("k", 100)+`":`, 3000) + last + strings.Repeat("}", 3000)
	}
	long := func(last string) string { return `{"` + strings.Repeat("k", 300_000) + `":{"a":1,"b":` + last + "}}" }
	many := func(last string) string {
		return `{"a":[` + strings.Repeat(`{"name":"`+strings.Repeat("n", 400)+`"},`, 2000) + strings.Repeat("1,", 200_000) + last + "]}"
	}
	for name, form := range map[string]func(string) string{"deep": deep, "long": long, "many": many} {
		within(t, 30*time.Second, func() {
			a, b := setups(form("1")), setups(form("2"))
			size := 0
			for path, v := range a.Setups["x"] {
				size += len(path) + len(v)
			}
			if size > 2*len(form("1")) {
				t.Errorf("%s: %d bytes become %d", name, len(form("1")), size)
			}
			d := &Difference{}
			if d.setup(a.Setups["x"], b.Setups["x"], true, true); len(d.Changes) != 1 {
				t.Errorf("%s: %d changes", name, len(d.Changes))
			}
			if page := d.Markdown("en"); len(page) > 20_000 {
				t.Errorf("%s: a page of %d bytes", name, len(page))
			}
		})
	}
}

// TestBoundsOfSetup: values are compared by themselves up to the bounds that the
// papers name, and as one text beyond.
func TestBoundsOfSetup(t *testing.T) {
	deep := func(steps int) string { // "spec" and "a" among them
		return strings.Repeat(`{"k":`, steps-2) + `{"a":1,"b":2}` + strings.Repeat("}", steps-2)
	}
	long := func(path int) string { // with "spec." before and ".a" behind
		return `{"` + strings.Repeat("k", path-len("spec.")-len(".a")) + `":{"a":1,"b":2}}`
	}
	many := func(n int) string { return `{"l":[` + strings.Repeat("1,", n-1) + "1]}" }
	for what, c := range map[string]struct {
		values string
		want   int
	}{
		"16 steps": {deep(16), 2}, "17 steps": {deep(17), 1},
		"512 bytes": {long(512), 2}, "513 bytes": {long(513), 1},
		"100,000 values": {many(100_000), 100_000}, "100,001 values": {many(100_001), 1},
	} {
		s := setups(c.values)
		n := 0
		for path := range s.Setups["x"] {
			if strings.HasPrefix(path, "spec") {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s: %d are compared by themselves, want %d", what, n, c.want)
		}
	}
}

// TestSetupIsDeterministic: of two values under one path the same counts always.
func TestSetupIsDeterministic(t *testing.T) {
	for range 50 {
		if got := setups(`{"a.b":"1","a":{"b":"2"}}`).Setups["x"]["spec.a.b"]; got != "1" {
			t.Fatalf("it is %q", got)
		}
	}
}

// TestSetupOfLargeAnswer: how a job was set up is read of an answer that is far too
// large to be held, and the last line of a log within it.
func TestSetupOfLargeAnswer(t *testing.T) {
	tasks := strings.Repeat(`{"task": "worker-0", "exit_code": 0, "message": ""}, `, 120_000)
	answer := `{"kind": "job", "metadata": {"id": "5e2c7d1a-1111-4222-8333-0123456789ab"}, "spec": {"resource": {"flavor_id": "a.b"}}, "status": {"phase": "Failed", "task_statuses": [` +
		tasks + `{"task": "worker-1", "exit_code": 1}]}, "algorithm": {"code_dir": "/a/"}}` + "\n" +
		`{"content": "` + strings.Repeat(`line\n`, 100_000) + `torch version: 2.6.0\n", "current_size": 1, "full_size": 1}`
	s, err := Read("x", []source.Root{{Name: "a.json", FS: fstest.MapFS{"a.json": {Data: []byte(answer)}}, Path: "a.json"}}, analyzer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	setup := s.Setups["5e2c7d1a-1111-4222-8333-0123456789ab"]
	if setup["spec.resource.flavor_id"] != "a.b" || setup["algorithm.code_dir"] != "/a/" || s.Versions["torch"] != "2.6.0" {
		t.Errorf("set up by %v, versions %v", setup, s.Versions)
	}
}

// TestDifferenceIsShown: of values that are long what differs is shown.
func TestDifferenceIsShown(t *testing.T) {
	same := strings.Repeat("--flag=same ", 1000)
	d := &Difference{}
	d.add(Command, "spec.command", same+"--lr=0.1 "+same, same+"--lr=0.2 "+same)
	page := string(d.Markdown("en"))
	if !strings.Contains(page, "--lr=0.1") || !strings.Contains(page, "--lr=0.2") || len(page) > 10_000 {
		t.Errorf("a page of %d bytes", len(page))
	}
}

// TestManyOfOneName: the time does not grow with the square of the rows, jobs or
// lines.
func TestManyOfOneName(t *testing.T) {
	const n = 60_000
	within(t, 60*time.Second, func() {
		rows := make([]triage.Row, n)
		for i := range rows {
			rows[i] = triage.Row{Case: "x", Fingerprint: fmt.Sprint(i % 7)}
		}
		if d := Runs("a", "b", rows, rows); !d.Same() {
			t.Errorf("%d changes", len(d.Changes))
		}
		if d := Runs("a", "b", rows, rows[:1]); len(d.Changes) != n-1 {
			t.Errorf("%d changes", len(d.Changes))
		}
	})
	within(t, 60*time.Second, func() {
		jobs := make([]report.Report, n)
		for i := range jobs {
			jobs[i].Job.Name = fmt.Sprint(n - i)
		}
		pairs, onlyA, onlyB := pair(jobs, append(jobs[1:len(jobs):len(jobs)], report.Report{}))
		if len(pairs) != n || len(onlyA)+len(onlyB) > 0 || pairs[0].by != ByOrder || pairs[1].b != 0 {
			t.Errorf("%d pairs, %v %v", len(pairs), pairs[0], pairs[1])
		}
	})
	within(t, 60*time.Second, func() {
		code := fstest.MapFS{"a.py": {Data: bytes.Repeat([]byte("x\n"), 2*maxFile)}}
		s, err := Read("x", []source.Root{{Name: "x", FS: code, Path: "."}}, analyzer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(s.Files["a.py"]); got > maxFile || got < maxFile-2 {
			t.Errorf("%d bytes are kept", got)
		}
	})
}

// TestSidesAreBounded: of setups and files no more is held than the papers name, and
// what differs beyond is told all the same; what only one side had room for does not.
func TestSidesAreBounded(t *testing.T) {
	held := func(m map[string]string) (n int) {
		for k, v := range m {
			n += len(k) + len(v)
		}
		return n
	}
	many := func(first, last string) *Side {
		s := &Side{Setups: map[string]map[string]string{}}
		for job := range 20 {
			s.setup([]byte(fmt.Sprintf(`{"metadata":{"id":"%d"},"spec":{"a":"%s","b":"%s","c":"%s"}}`, job, first, strings.Repeat("x", maxSetups/10), strings.Repeat(last, maxSetups/10))))
		}
		for job := range 9000 {
			s.setup([]byte(fmt.Sprintf(`{"metadata":{"id":"%d"},"spec":{}}`, 100+job)))
		}
		s.Rest = s.rest.String()
		return s
	}
	all := 0
	for id, setup := range many("1", "2").Setups {
		all += len(id) + mapBytes + held(setup)
	}
	if all > maxSetups {
		t.Errorf("%d bytes of setups are held", all)
	}
	if d := cases(t, many("1", "2"), many("1", "2")); !d.Same() {
		t.Errorf("the same differs: %.200v", d.Changes)
	}
	d := cases(t, many("1", "2"), many("1", "3"))
	last := d.Changes[len(d.Changes)-1]
	if last.Key != "…" || last.A == last.B || len(last.A) > 100 {
		t.Errorf("what differs beyond the bounds is %.200v", last)
	}
	for _, x := range cases(t, many("1", "2"), many(strings.Repeat("1", maxSetups/3), "2")).Changes {
		if x.A == "" || x.B == "" {
			t.Errorf("only one side has %q", x.Key)
		}
	}

	files := func(end string) *Side {
		s := &Side{Setups: map[string]map[string]string{}, Files: map[string]string{}}
		kept := map[string]*strings.Builder{}
		for i := range 2 * maxFiles / maxFile {
			for range maxFile / 64 {
				s.keep(kept, fmt.Sprintf("%d.py", i), strings.Repeat("y", 63))
			}
		}
		s.keep(kept, "0.py", end)
		for name, b := range kept {
			s.Files[name] = b.String()
		}
		s.Rest = s.rest.String()
		return s
	}
	if n := held(files("x").Files); n > maxFiles || n < maxFiles/2 {
		t.Errorf("%d bytes of files are held", n)
	}
	if d := cases(t, files("x"), files("y")); len(d.Changes) != 1 || len(cases(t, files("x"), files("x")).Changes) != 0 {
		t.Errorf("%d changes", len(d.Changes))
	}
}

// TestLinesAreReadAgain: of the kinds of lines no text is held, and those that are
// shown have theirs.
func TestLinesAreReadAgain(t *testing.T) {
	log := func(word string) *Side {
		var b strings.Builder
		for i := range 3000 {
			fmt.Fprintf(&b, "%s of %s %s\n", word, strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(i)), strings.Repeat(word, 200))
		}
		s, err := Read(word, []source.Root{{Name: "x", FS: fstest.MapFS{"a.log": {Data: []byte(b.String())}}, Path: "."}}, analyzer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a, b := log("loss"), log("gain")
	if len(a.lines) != 3000 || unsafe.Sizeof(a.lines[0]) > 32 {
		t.Errorf("%d lines of %d bytes are held", len(a.lines), unsafe.Sizeof(a.lines[0]))
	}
	d := cases(t, a, b)
	if len(d.OnlyA) != shownLines || d.MoreA != 3000-shownLines || len(d.OnlyB) != shownLines {
		t.Fatalf("%d lines and %d more, %d", len(d.OnlyA), d.MoreA, len(d.OnlyB))
	}
	for i := range shownLines {
		if x, y := d.OnlyA[i], d.OnlyB[i]; x.Line != i+1 || !strings.HasPrefix(x.Text, "loss of "+string(rune('a'+i))+" ") || !strings.HasPrefix(y.Text, "gain of "+string(rune('a'+i))+" ") {
			t.Errorf("line %d is %.40q, %.40q", x.Line, x.Text, y.Text)
		}
	}
}

// FuzzDifference: whatever two saved reports or answers hold, the same differs in
// nothing, what one has differs as much from the other as the other from it, and
// both forms hold nothing that acts.
func FuzzDifference(f *testing.F) {
	for _, s := range []string{
		`{"reports":[{"job":{"id":"1","name":"a"},"confidence":"HIGH","cause":"device-oom","evidence":[{"source":"x","line":3,"rank":1,"text":"y"}]}],"spec":{"a":1}}`,
		`{"reports":[{"job":{"name":"a"}},{"job":{"name":"\u001b[31m|a"}}],"spec":{"a":{"b":[{"name":"x","value":"y\nz"}]}}}`,
		`{"reports":null,"spec":{"password":"abcdefgh12345678","a.b":1,"a":{"b":"\u202e"}}}`,
	} {
		f.Add([]byte(s), []byte(`{"reports":[{"job":{"id":"1"}}],"spec":{"a":{"b":[{"name":"x","value":"w\nz\n"}]}}}`))
	}
	side := func(data []byte) *Side {
		var v struct{ Reports []report.Report }
		if json.Unmarshal(data, &v) != nil || len(v.Reports) > 20 {
			return nil
		}
		s := &Side{Name: "x", Reports: v.Reports, Setups: map[string]map[string]string{}, Versions: map[string]string{}, Files: map[string]string{}}
		s.setup(data)
		return s
	}
	f.Fuzz(func(t *testing.T, x, y []byte) {
		a, b := side(x), side(y)
		if a == nil || b == nil || len(x)+len(y) > 64<<10 {
			return
		}
		if d := cases(t, a, side(x)); !d.Same() {
			t.Errorf("%q differs from itself: %+v", x, d)
		}
		there, back := cases(t, a, b), cases(t, b, a)
		if there.Same() != back.Same() || len(there.Changes) != len(back.Changes) || len(there.Jobs) != len(back.Jobs) {
			t.Errorf("%q and %q: %d changes there, %d back", x, y, len(there.Changes), len(back.Changes))
		}
		data, err := there.JSON()
		if err != nil || !json.Valid(data) {
			t.Fatalf("%q is no JSON: %v", data, err)
		}
		again, _ := cases(t, side(x), side(y)).JSON()
		if !bytes.Equal(data, again) {
			t.Errorf("%q and %q: %s, then %s", x, y, data, again)
		}
		for _, out := range [][]byte{data, there.Markdown("zh"), there.Markdown("en")} {
			if s := string(out); report.Plain(strings.ReplaceAll(s, "\n", "")) != strings.ReplaceAll(s, "\n", "") {
				t.Errorf("%q holds what acts", s)
			}
		}
	})
}
