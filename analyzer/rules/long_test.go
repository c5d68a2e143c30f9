package rules

import (
	"slices"
	"strings"
	"testing"
)

// TestLongTextsAreReadAround: of a long text an expression reads what stands around
// the words of its wording, wherever they stand, and finds the same as in the whole.
func TestLongTextsAreReadAround(t *testing.T) {
	pad := strings.Repeat("step 17 日志 of the run, ", longText/20)
	compared := 0
	for i, r := range Default().Rules {
		if i%8 != 0 {
			continue // a sample: the whole is read as well
		}
		d, err := r.Detail()
		if err != nil {
			t.Fatal(err)
		}
		sample := d.Samples.Match[0]
		_, n, ok := r.Find(sample)
		if !ok || r.Match[n].Regexp == "" || r.Match[n].Guess || len(r.Match[n].Literals) == 0 {
			continue
		}
		w := &r.Match[n]
		for _, text := range []string{sample + " " + pad, pad + sample, pad + sample + " " + pad} {
			part, at := w.readable(text)
			if len(part) > len(sample)+2*(mostAround+4) || text[at:at+len(part)] != part {
				t.Errorf("%s reads %d bytes of %d, from %d", r.ID, len(part), len(text), at)
			}
			if _, miss := w.Misses(text); miss != Nothing {
				continue
			}
			compared++
			var want Values
			m := w.expr().FindStringSubmatch(text)
			for i, name := range w.expr().SubexpNames() {
				if m != nil && name != "" && m[i] != "" {
					want.set(name, m[i])
				}
			}
			got, found := w.Find(text)
			same := slices.EqualFunc(got, want, func(a, b Value) bool {
				return a.Name == b.Name && a.Text[:min(len(a.Text), 1024)] == b.Text[:min(len(b.Text), 1024)]
			})
			if found != (m != nil) || !same {
				t.Errorf("%s finds %v, in the whole %v", r.ID, found, m != nil)
			}
		}
	}
	if compared < 300 {
		t.Errorf("only %d texts were compared", compared)
	}
}
