package verdict

import (
	"math/rand"
	"regexp/syntax"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/rules"
)

// TestSamplesReport: what the rules give as examples of failures is taken for no
// mere mention of them.
func TestSamplesReport(t *testing.T) {
	for _, r := range rules.Default().Rules {
		if r.Role != rules.Root && r.Role != rules.Ambiguous || r.Only == rules.Event {
			continue
		}
		d, err := r.Detail()
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.Join(d.Samples.Match, "\n"), "\n") {
			_, i, ok := r.Find(line)
			if how := reports; ok {
				if how = toneOf(line, &r.Match[i]); how > caught {
					t.Errorf("rule %q: tone %d of %q", r.ID, how, line)
				}
			}
		}
	}
}

// TestMannersMay: what an expression fits, its cheaper question lets through.
func TestMannersMay(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for _, m := range append(before[:len(before):len(before)], after...) {
		form, err := syntax.Parse(m.form().String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		fit := 0
		for range 2000 {
			var b strings.Builder
			write(&b, form, random)
			if !m.fits(b.String()) { // a border of words that the random text does not have
				continue
			}
			fit++
			if !m.may(b.String()) {
				t.Errorf("%s fits %q", form, b.String())
				break
			}
		}
		if fit < 20 {
			t.Errorf("%s fits %d of its own texts", form, fit)
		}
	}
}

// write writes a random text of a form, whose borders it leaves to chance.
func write(b *strings.Builder, form *syntax.Regexp, random *rand.Rand) {
	times := func(least, most int) {
		for range least + random.Intn(most-least+1) {
			write(b, form.Sub[0], random)
		}
	}
	switch form.Op {
	case syntax.OpLiteral:
		b.WriteString(string(form.Rune))
	case syntax.OpCharClass:
		i := random.Intn(len(form.Rune)/2) * 2
		for form.Rune[i] == 0x17f || form.Rune[i] == 0x212a { // no log has the s and k that are only forms of others
			i = random.Intn(len(form.Rune)/2) * 2
		}
		b.WriteRune(form.Rune[i] + rune(random.Intn(min(int(form.Rune[i+1]-form.Rune[i]), 90)+1)))
	case syntax.OpAnyCharNotNL, syntax.OpAnyChar:
		b.WriteByte(byte(' ' + random.Intn(95)))
	case syntax.OpConcat:
		for _, sub := range form.Sub {
			write(b, sub, random)
		}
	case syntax.OpAlternate:
		write(b, form.Sub[random.Intn(len(form.Sub))], random)
	case syntax.OpCapture:
		times(1, 1)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpStar:
		times(0, 3)
	case syntax.OpPlus:
		times(1, 3)
	case syntax.OpRepeat:
		times(form.Min, max(form.Min, min(form.Max, form.Min+3)))
	}
}

// TestMannersSpare: what stands around the words of an ordinary report is put to
// hardly any expression.
func TestMannersSpare(t *testing.T) {
	for _, text := range []string{"", "rank 3: ", "[worker-1] 2026-03-01 10:00:00 ERROR trainer.py:88 step 40: ", "training of the epoch was ended by a "} {
		var asked []string
		for _, m := range append(before[:len(before):len(before)], after...) {
			if m.may(text) {
				asked = append(asked, m.form().String())
			}
		}
		if len(asked) > 3 {
			t.Errorf("of %q are asked %d expressions: %q", text, len(asked), asked)
		}
	}
}
