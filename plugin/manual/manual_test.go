package manual

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sample() *Command {
	list := func(values ...string) func() []string { return func() []string { return values } }
	run := &Command{
		Name: "run", Says: "Run all.", Usage: "<path> ...",
		Arguments: []Value{{Name: "path", Says: "A folder.", Many: true}},
		Flags:     []Flag{{Long: "format", Short: "f", Value: Value{Name: "table|csv", Says: "The form.", Offers: list("table", "csv")}}},
		Examples:  []string{`prog triage .x 'a\b'`},
	}
	return &Command{
		Name:  "prog",
		Flags: []Flag{{Long: "lang", Value: Value{Name: "zh|en", Says: "The language.", Offers: list("zh", "en")}}, {Long: "help", Short: "h", Value: Value{Says: "Show this."}}},
		Commands: []*Command{
			{Name: "triage", Says: "Many.", Default: run, Commands: []*Command{run, {Name: "merge", Says: "Put together."}}},
			{Name: "tag", Says: "Tags.", Brief: true, Commands: []*Command{{Name: "add", Usage: "ID", Says: "Add one.", Flags: []Flag{{Long: "tag.1.key", Value: Value{Name: "string"}}}}}},
			{Name: "show", Says: "Show.", Arguments: []Value{{Name: "case", Offers: list("c-1", "c-2")}}},
			{Name: "rm", Says: "Remove.", Arguments: []Value{{Name: "case", Offers: list("c-1", "c-2"), Many: true}}},
		},
	}
}

func TestComplete(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"", "triage tag show rm"},
		{"t", "triage tag"},
		{"--", "--lang --help"},
		{"--lang ", "zh en"},
		{"--lang=", "--lang=zh --lang=en"},
		{"--lang=e", "--lang=en"},
		{"--lang en s", "show"},
		{"--lang=en s", "show"},
		{"-h s", "show"},
		{"triage ", "run merge"},
		{"triage folder ", ""},
		{"triage fol", ""},
		{"triage --f", "--format"},
		{"triage -f ", "table csv"},
		{"triage --format c", "csv"},
		{"triage run --format=t", "--format=table"},
		{"triage run --none=t", ""},
		{"triage run --l", "--lang"},
		{"triage merge --f", ""},
		{"tag add --tag", "--tag.1.key"},
		{"tag add --tag.1.key ", ""},
		{"show ", "c-1 c-2"},
		{"show c-1 ", ""},
		{"rm c-1 ", "c-1 c-2"},
		{"show - ", ""},
		{"show -- c", "c-1 c-2"},
		{"-- sho", ""},
		{"nothing ", ""},
	} {
		var got []string
		for _, o := range Complete(sample(), strings.Split(tt.line, " ")) {
			got = append(got, o.Text)
		}
		if d := cmp.Diff(strings.Fields(tt.want), got); d != "" && len(tt.want)+len(got) > 0 {
			t.Errorf("%q (-want +got):\n%s", tt.line, d)
		}
	}
	if got := Complete(sample(), nil); len(got) != 4 || got[0] != (Offer{"triage", "Many."}) {
		t.Errorf("without a word: %v", got)
	}
}

// FuzzComplete: whatever is typed, every offer begins with what was typed last.
func FuzzComplete(f *testing.F) {
	f.Add("triage --format=c")
	f.Add("show -- --lang ")
	f.Add("- -h -- -")
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Split(line, " ")
		for _, o := range Complete(sample(), words) {
			if !strings.HasPrefix(o.Text, words[len(words)-1]) {
				t.Errorf("%q offers %q", line, o.Text)
			}
		}
	})
}

func TestRoff(t *testing.T) {
	page := Page{
		Version: "1.0", About: "Does it.", Exit: "  0    well\n  1    not\n", Environment: [][2]string{{"PROG_LANG", "The language."}},
		Headings: Headings{Name: "NAME", Synopsis: "SYNOPSIS", Options: "OPTIONS", Commands: "COMMANDS", Examples: "Examples:", Exit: "EXIT STATUS", Environment: "ENVIRONMENT", Command: "COMMAND", More: "See prog %s --help."},
	}
	got := page.Roff(sample())
	for _, want := range []string{
		`.TH "PROG" "1" "" "prog 1.0"` + "\n.ad l\n.SH \"NAME\"\nprog \\- Does it.\n",
		".SS \"triage run <path> ...\"\nRun all.\n.TP\n.I \"path\"\nA folder.\n.TP\n\\fB\\-f\\fR, \\fB\\-\\-format\\fR=\\fItable|csv\\fR\nThe form.\n",
		".nf\nprog triage .x \\(aqa\\eb\\(aq\n.fi\n",
		".SS \"tag\"\nTags.\n.TP\n.B \"add ID\"\nAdd one.\n.PP\nSee prog tag \\-\\-help.\n",
		".nf\n\\&  0    well\n\\&  1    not\n.fi\n",
		".B \"PROG_LANG\"\nThe language.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q:\n%s", want, got)
		}
	}
	page.About = ".so /etc/passwd"
	if got := page.Roff(&Command{Name: "", Says: ""}); strings.Contains(got, "\n.so") {
		t.Errorf("a text acts as a request:\n%s", got)
	}
}

func TestShells(t *testing.T) {
	for _, shell := range Shells {
		if !strings.Contains(string(Script(shell)), "__complete --") {
			t.Errorf("the script for %s does not ask the program", shell)
		}
	}
}
