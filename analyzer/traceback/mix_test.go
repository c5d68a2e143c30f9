package traceback

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// texts returns the samples and what the interpreters printed.
func texts(t testing.TB) []string {
	var all []string
	files, err := filepath.Glob("testdata/samples/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	for _, r := range runs(t) {
		all = append(all, r.Stderr)
	}
	return all
}

// TestMixed holds the promises against texts cut and put together by chance.
func TestMixed(t *testing.T) {
	all := texts(t)
	chance := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		var lines []string
		for range 2 + chance.IntN(4) {
			part := strings.Split(all[chance.IntN(len(all))], "\n")
			from := chance.IntN(len(part))
			part = part[from : from+chance.IntN(len(part)-from)+1]
			if chance.IntN(2) == 0 {
				lines = append(lines, part...)
			} else {
				lines = weave(chance, 3, lines, part)
			}
		}
		text := strings.Join(lines, "\n")
		got := Parse(text)
		for _, tb := range got {
			checkTraceback(t, tb, len(lines)-1)
		}
		checkReuse(t, text, got)
		if t.Failed() {
			t.Fatalf("text:\n%s", text)
		}
	}
}

// weave puts the lines of several texts together as they come when processes
// write at the same time, in runs of at most burst lines.
func weave(chance *rand.Rand, burst int, parts ...[]string) []string {
	var out []string
	parts = slices.Clone(parts)
	for len(parts) > 0 {
		i := chance.IntN(len(parts))
		n := min(1+chance.IntN(burst), len(parts[i]))
		out = append(out, parts[i][:n]...)
		if parts[i] = parts[i][n:]; len(parts[i]) == 0 {
			parts = slices.Delete(parts, i, i+1)
		}
	}
	return out
}

// TestWoven mixes tracebacks of processes that write to one stream.
func TestWoven(t *testing.T) {
	var single []string // one traceback of one exception, a message of one line
	for _, r := range runs(t) {
		if strings.HasPrefix(r.Name, "fail-") && len(r.Tracebacks) == 1 && len(r.Tracebacks[0].Exceptions) == 1 &&
			strings.HasPrefix(r.Stderr, headerText) {
			single = append(single, strings.TrimSuffix(r.Stderr, "\n"))
		}
	}
	chance := rand.New(rand.NewPCG(3, 4))
	same, other, rounds := 0, 0, 400
	for range rounds {
		a := strings.Split(single[chance.IntN(len(single))], "\n")
		b := strings.Split(single[chance.IntN(len(single))], "\n")
		if woven(t, weave(chance, 4, a, a, a), a, a, a) {
			same++
		}
		if woven(t, weave(chance, 8, a, b), a, b) {
			other++
		}
	}
	t.Logf("of %d: same traceback %d, different ones %d", rounds, same, other)
	if same < rounds*99/100 {
		t.Errorf("ranks with the same traceback were put together %d times of %d", same, rounds)
	}
	if other < rounds*90/100 {
		t.Errorf("different tracebacks were put together %d times of %d", other, rounds)
	}
}

// woven tells whether the exceptions of all parts come out of the mixed lines.
func woven(t *testing.T, lines []string, parts ...[]string) bool {
	var want, got []string
	for _, p := range parts {
		want = append(want, names(Parse(strings.Join(p, "\n")))...)
	}
	got = names(Parse(strings.Join(lines, "\n")))
	slices.Sort(want)
	slices.Sort(got)
	return slices.Equal(want, got)
}

func names(all []Traceback) []string {
	var out []string
	for _, t := range all {
		for _, e := range t.Exceptions {
			out = append(out, e.Type+": "+e.Message)
		}
	}
	return out
}
