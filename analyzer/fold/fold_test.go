package fold

import (
	"slices"
	"strings"
	"testing"
)

func TestContains(t *testing.T) {
	for _, c := range []struct {
		text, sub string
		want      bool
	}{
		{"", "", true}, {"", "a", false}, {"xABc", "abC", true}, {"xAB", "abc", false}, {"{rank}", "[RANK", false}, {"a[Rank 1", "[rANK", true},
		{"报错误", "错误", true}, {"aab", "AB", true},
	} {
		if got := Contains(c.text, c.sub); got != c.want {
			t.Errorf("Contains(%q, %q) is %v", c.text, c.sub, got)
		}
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"", "", true}, {"Step", "sTEP", true}, {"step", "steps", false}, {"@", "`", false}, {"[", "{", false}, {"É", "é", false}} {
		if got := Equal(c.a, c.b); got != c.want {
			t.Errorf("Equal(%q, %q) is %v", c.a, c.b, got)
		}
	}
}

func TestIndex(t *testing.T) {
	words := Of("fall back", "fallback", "skipped", "跳过", "lr")
	for _, c := range []struct {
		text string
		want int
	}{
		{"", -1}, {"l", -1}, {"LR", 0}, {"we Fall Back, skipped", 3}, {"fallbac", -1}, {"fa fallback", 3}, {"已跳过", len("已")},
		{"FALLBACK", 0}, {"f`llback", -1}, {"skippe skipped", 7}, {"no word of them", -1},
	} {
		if got := words.Index(c.text); got != c.want {
			t.Errorf("Index(%q) = %d, want %d", c.text, got, c.want)
		}
	}
}

// TestBoundsOfWords: a list holds 255 words of two bytes, and refuses what it could
// not find.
func TestBoundsOfWords(t *testing.T) {
	many := slices.Repeat([]string{"ab"}, 256)
	for _, c := range []struct {
		name  string
		words []string
		taken bool
	}{{"255 words", many[:255], true}, {"256 words", many, false}, {"a word of one byte", []string{"ab", "c"}, false}, {"an empty word", []string{""}, false}} {
		func() {
			defer func() {
				if taken := recover() == nil; taken != c.taken {
					t.Errorf("%s: taken %t, want %t", c.name, taken, c.taken)
				}
			}()
			if w := Of(c.words...); !w.In("xab") {
				t.Errorf("%s: not found", c.name)
			}
		}()
	}
}

// FuzzWords holds the words that are looked for at once against looking for one
// after the other.
func FuzzWords(f *testing.F) {
	f.Add("retry", "fall back\nretrying\nretry\n忽略", "will RETRY the 忽略 call")
	f.Add("ab", "bc\nabc\nAB\nzz", "xxabcab")
	f.Add("@@", "``\n[[\n{{", "`@[{")
	f.Fuzz(func(t *testing.T, first, more, text string) {
		list := []string{}
		for _, word := range append(strings.Split(more, "\n"), first) {
			if len(word) > 1 && len(list) < 255 {
				list = append(list, word)
			}
		}
		want := -1
		for i := range len(text) {
			for _, word := range list {
				if want < 0 && len(text)-i >= len(word) && Equal(text[i:i+len(word)], word) {
					want = i
				}
			}
		}
		words := Of(list...)
		if got := words.Index(text); got != want || words.In(text) != (want >= 0) {
			t.Errorf("Index(%q) of %q = %d, want %d", text, list, got, want)
		}
	})
}

func BenchmarkWords(b *testing.B) {
	words := Of("fall back", "falling back", "fallback", "instead", "skipping", "skipped", "ignoring", "ignored", "continuing", "retry", "unavailable", "disabled", "跳过", "忽略")
	line := "2026-06-03 13:41:00,893 - trans - INFO - step 80 loss 0.55730 grad 0.506 lr 1.2e-05 tok/s 8116 mem 42.1 GiB"
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		words.In(line)
	}
}
