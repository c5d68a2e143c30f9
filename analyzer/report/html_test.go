package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hcloud-modelarts/analyzer/source"
)

var (
	tag       = regexp.MustCompile(`<[^>]*>`)
	attribute = regexp.MustCompile(`="[^"]*"`)
)

// tags gives the elements of a page with the names of their attributes.
func tags(page []byte) []string {
	var list []string
	for _, t := range tag.FindAllString(string(page), -1) {
		list = append(list, attribute.ReplaceAllString(t, ""))
	}
	return list
}

func mustHTML(t rapid.TB, reports []Report, lang string) []byte {
	t.Helper()
	page, err := HTML(reports, lang)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(page, []byte(HTMLStyle), nil, 1)
}

// TestHostileHTML: no quoted text makes or ends an element, adds an attribute
// or hides anything.
func TestHostileHTML(t *testing.T) {
	spans := regexp.MustCompile("`")
	want := tags(mustHTML(t, []Report{poison("x")}, "zh"))
	rapid.Check(t, func(t *rapid.T) {
		// A pair of backticks makes a code span, which is meant to be an element.
		s := spans.ReplaceAllString(hostile(t), "'") + rapid.SampledFrom([]string{"", `"`, "'", `" onload="alert(1)`, "--><svg onload=x>", "</title><script>", "</style>", "]]>", "{{.}}"}).Draw(t, "end")
		got := mustHTML(t, []Report{poison(s)}, "zh")
		if d := cmp.Diff(want, tags(got)); d != "" {
			t.Fatalf("%q changes the elements: %s", s, d)
		}
		if i := bytes.IndexFunc(got, func(r rune) bool { return r != '\n' && source.Hidden(r) }); i >= 0 || !utf8.Valid(got) {
			t.Fatalf("%q reaches the page at %d", s, i)
		}
	})
}

// TestHTMLHoldsWhatMarkdownHolds: the page quotes every line that the Markdown
// quotes, in both languages.
func TestHTMLHoldsWhatMarkdownHolds(t *testing.T) {
	for _, lang := range []string{"zh", "en"} {
		r := sample(lang)
		page := string(mustHTML(t, []Report{r}, lang))
		for _, want := range []string{
			"llama-sft", "torch.OutOfMemoryError", "loss = model(batch)", "Connection reset by peer 10.*.*.*:29500", "Killed process 1",
			"ShowTrainingJobLogsPreview", r.Fixes[0].Title, r.Order, r.Notes[0].Text, r.SecondOpinion.Text, r.Symptoms[0].Because, "<svg", headEvidence.In(lang),
		} {
			if !strings.Contains(page, want) {
				t.Errorf("the page in %s lacks %q", lang, want)
			}
		}
	}
}

// TestHTMLNeedsNothing: the page loads nothing and runs nothing.
func TestHTMLNeedsNothing(t *testing.T) {
	page := string(mustHTML(t, []Report{sample("en"), sample("en")}, "en"))
	for _, word := range []string{"<script", "src=", "href=\"http", "url(", "@import", "<link", "<img"} {
		if strings.Contains(page, word) || strings.Contains(string(HTMLStyle), word) {
			t.Errorf("the page holds %q", word)
		}
	}
	if strings.Count(page, `<article id="report-`) != 2 || !strings.Contains(page, `href="#report-2"`) {
		t.Error("a page of two reports does not lead to both")
	}
}

// TestPictureOfOddTimes: a saved report may hold anything.
func TestPictureOfOddTimes(t *testing.T) {
	for name, tl := range map[string]*Timeline{
		"none":      nil,
		"no lanes":  {},
		"no times":  {Lanes: []Lane{{Rank: 1, First: "soon", Last: "later"}}},
		"a moment":  {Lanes: []Lane{{Rank: 1, First: "2026-06-02T01:00:00Z", Last: "2026-06-02T01:00:00Z", Marks: []Mark{{Time: "2026-06-02T01:00:00Z", Kind: "root"}}}}},
		"backwards": {Lanes: []Lane{{Rank: 1, First: "2026-06-02T02:00:00Z", Last: "2026-06-02T01:00:00Z", Progress: "0001-01-01T00:00:00Z"}}},
	} {
		got, err := TimelineHTML(tl, "en")
		if err != nil {
			t.Fatal(err)
		}
		drawn := name == "a moment" || name == "backwards"
		if (got != "") != drawn {
			t.Errorf("%s: the picture is %q", name, got)
		}
		if strings.Contains(string(got), "NaN") || strings.Contains(string(got), "Inf") || strings.Contains(string(got), "-0.") {
			t.Errorf("%s: a position is no number: %s", name, got)
		}
	}
}

// TestLongJobIsShownFromItsEnd: of a job of hours that dies within a minute the
// picture shows the minute, and says so.
func TestLongJobIsShownFromItsEnd(t *testing.T) {
	tl := &Timeline{Lanes: []Lane{
		{Rank: 0, First: "2026-06-02T01:00:00Z", Last: "2026-06-02T09:00:30Z", Step: -1, Marks: []Mark{{Time: "2026-06-02T09:00:20Z", Kind: "symptom", Cause: "collective-timeout"}}},
		{Rank: 1, First: "2026-06-02T01:00:05Z", Last: "2026-06-02T09:00:00Z", Step: -1, Marks: []Mark{{Time: "2026-06-02T09:00:00Z", Kind: "root", Cause: "device-oom"}}},
	}}
	p := newPicture(tl, "en")
	if p.From != "2026-06-02 08:59:00" || len(p.Remarks) != 1 || p.Moment != "66.67%" {
		t.Errorf("the axis begins at %s, the root stands at %s, remarks %q", p.From, p.Moment, p.Remarks)
	}
}
