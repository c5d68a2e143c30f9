package scan

import (
	"slices"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/fold"
	"hcloud-modelarts/analyzer/rules"
)

// naive is what the prefilter must equal: every wording whose key literal
// stands in the text, letters compared without case.
func naive(ws []wording, text string) []int {
	var found []int
	for i, w := range ws {
		if strings.Contains(asciiLower(text), asciiLower(keyLiteral(w.w))) {
			found = append(found, i)
		}
	}
	return found
}

func asciiLower(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = fold.Lower(b[i])
	}
	return string(b)
}

func wordingsOf(literals ...string) []wording {
	var ws []wording
	for _, l := range literals {
		r := &rules.Rule{ID: l, Match: []rules.Wording{{Literals: []string{l}}}}
		ws = append(ws, wording{r, &r.Match[0], 0})
	}
	return ws
}

func TestPrefilterEqualsNaiveOnSmallInputs(t *testing.T) {
	ws := wordingsOf("ab", "abAB", "bbab", "aabba", "b", "ABABAB")
	p := newPrefilter(ws)
	var grow func(s string)
	grow = func(s string) {
		if got, want := p.candidates(s), naive(ws, s); !slices.Equal(got, want) {
			t.Fatalf("candidates(%q) = %v, want %v", s, got, want)
		}
		if len(s) < 9 {
			for _, c := range "abA" {
				grow(s + string(c))
			}
		}
	}
	grow("")
}

func FuzzPrefilter(f *testing.F) {
	pack := rules.Default()
	var ws []wording
	for _, r := range pack.Rules {
		for i := range r.Match {
			ws = append(ws, wording{r, &r.Match[i], i})
		}
		if d, err := r.Detail(); err == nil && len(d.Samples.Match) > 0 && len(ws)%25 == 0 {
			f.Add(d.Samples.Match[0])
		}
	}
	f.Add("CUDA OUT OF MEMORY. tried to allocate 显存")
	p := newPrefilter(ws)
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := p.candidates(text), naive(ws, text); !slices.Equal(got, want) {
			t.Errorf("candidates(%q) = %v, want %v", text, got, want)
		}
	})
}

func BenchmarkPrefilter(b *testing.B) {
	var ws []wording
	for _, r := range rules.Default().Rules {
		for i := range r.Match {
			ws = append(ws, wording{r, &r.Match[i], i})
		}
	}
	p := newPrefilter(ws)
	line := "2026-06-03 13:41:00,893 - trans - INFO - step 80 loss 0.55730 grad 0.506 lr 1.2e-05 tok/s 8116 mem 42.1 GiB"
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		p.candidates(line)
	}
}
