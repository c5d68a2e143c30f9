package analyzer_test

import (
	"bytes"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
)

func explained(t *testing.T, text, lang string) report.Explanation {
	t.Helper()
	e, err := analyzer.Explain(text, analyzer.Options{Lang: lang})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestExplainCodes: every reading of an ambiguous code is given, and none of an
// unknown one.
func TestExplainCodes(t *testing.T) {
	for text, want := range map[string]string{
		"137":             "exit xid",
		"exit code 137":   "exit",
		"5":               "signal errno hccl",
		"247":             "exit",
		"-11":             "exit",
		"Xid 79":          "xid",
		"EI0002":          "cann",
		"107002":          "acl",
		"ERR00006":        "torchnpu",
		"ModelArts.2785":  "modelarts",
		"ENOSPC":          "errno",
		"errno 28":        "errno",
		"exit code 77":    "",
		"0x89":            "exit xid",
		"exit code 137.0": "exit",
		"-0x9":            "exit",
		"137, 139":        "exit xid exit",
		"EI0002 EI0006":   "cann cann",
		"137 is the code": "",
		"hccl timeout":    "",
		"EI0999":          "",
		"ModelArts.1015":  "",
		"Xid 999":         "",
		"no code at all.": "",
	} {
		e := explained(t, text, "en")
		var tables []string
		for _, c := range e.Codes {
			tables = append(tables, c.Table)
			if c.Meaning == "" || c.TableName == "" {
				t.Errorf("%q: a reading without a meaning: %+v", text, c)
			}
		}
		if got := strings.Join(tables, " "); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
		if e.Known != (want != "") {
			t.Errorf("%q: known is %v", text, e.Known)
		}
	}
}

func TestExplainNear(t *testing.T) {
	for text, want := range map[string]string{"SIGKIL": "SIGKILL", "devcie-oom": "device-oom", "显存不足": "device-oom", "torch-oom-alocator": "torch-oom-allocator", "ENOSP": "ENOSPC", "999999": "",
		"oom": "device-oom host-oom ", "hccl timeout": "hccl-", "out of memory": "device-oom host-oom"} {
		e := explained(t, text, "zh")
		if got := strings.Join(e.Near, " "); e.Known || !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q: known %v, near %q, want %q", text, e.Known, got, want)
		}
	}
}

// TestExplainCauses: every cause has its meaning, and all but those that say
// that there is none have rules and fixes, in both languages.
func TestExplainCauses(t *testing.T) {
	for _, c := range rules.Causes() {
		for _, lang := range []string{"zh", "en"} {
			e := explained(t, c.ID, lang)
			if len(e.Causes) != 1 || e.Causes[0].Meaning != c.Meaning.In(lang) {
				t.Fatalf("%s: %+v", c.ID, e.Causes)
			}
			if c.ID != "none" && c.ID != "unknown" && (len(e.Causes[0].Rules) == 0 || len(e.Causes[0].Fixes) == 0) {
				t.Errorf("%s: no rules or no fixes", c.ID)
			}
		}
	}
}

// TestExplainLines reads pasted lines as a diagnosis does.
func TestExplainLines(t *testing.T) {
	for _, tt := range []struct{ text, rule, cause, value, code string }{
		{"[rank5]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 5 has a total capacity of 79.15 GiB", "torch-oom-allocator", "device-oom", "size=512.00 MiB", ""},
		{"[12345.678901] NVRM: Xid (PCI:0000:3b:00): 79, pid=1187, name=python, GPU has fallen off the bus.", "", "device-fault", "", "79"},
		{"0/3 nodes are available: 3 Insufficient huawei.com/ascend-1980.", "k8s-insufficient", "resource-shortage", "", ""},
		{"[Modelarts Service Log]2026-06-02 09:42:12 - Training end with return code: 137", "ma-return-code-killed", "killed", "code=137", "137"},
		{"Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    import apex\nModuleNotFoundError: No module named 'apex'", "py-module-apex", "module-missing", "module=apex", ""},
	} {
		e := explained(t, tt.text, "en")
		if len(e.Lines) != 1 || e.Lines[0].Rule == nil {
			t.Errorf("%q: lines %+v", tt.text, e.Lines)
			continue
		}
		l := e.Lines[0]
		if tt.rule != "" && l.Rule.ID != tt.rule || l.Rule.Cause != tt.cause || l.Rule.Says == "" || len(l.Rule.Fixes) == 0 {
			t.Errorf("%q: rule %+v", tt.text, l.Rule)
		}
		if l.Text == l.Bare == strings.HasPrefix(tt.text, "[") {
			t.Errorf("%q: without prefixes %q", tt.text, l.Bare)
		}
		values := ""
		for _, v := range l.Values {
			values += v.Name + "=" + v.Text + ";"
		}
		if !strings.Contains(values, tt.value) {
			t.Errorf("%q: values %q", tt.text, values)
		}
		if tt.code != "" && (len(l.Codes) == 0 || l.Codes[0].Code != tt.code) {
			t.Errorf("%q: codes %+v", tt.text, l.Codes)
		}
	}
	if e := explained(t, "FutureWarning: The module torch.distributed.launch is deprecated and will be removed in future. Use torchrun.", "en"); len(e.Lines) == 1 && e.Lines[0].Rule.Role == "root" {
		t.Errorf("a harmless line is explained by %+v", e.Lines[0].Rule)
	}
}

// TestExplainListsOnce: of what repeats the first is shown, and the rest counted.
func TestExplainListsOnce(t *testing.T) {
	line := "OSError: [Errno 28] No space left on device: '/cache/x'\n"
	if e := explained(t, strings.Repeat(line, 30), "zh"); len(e.Lines) != 1 || e.More != 29 {
		t.Errorf("%d lines, %d more", len(e.Lines), e.More)
	}
}

// TestExplainMasks: neither form shows a secret of the input.
func TestExplainMasks(t *testing.T) {
	e := explained(t, "RuntimeError: download failed, token=hf_abcdefghijklmnopqrstuvwxyz012345", "en")
	data, err := report.ExplainJSON(&e)
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range [][]byte{data, report.ExplainText(&e, "en")} {
		if strings.Contains(string(out), "hf_abcdef") {
			t.Errorf("a token is shown: %s", out)
		}
	}
}

// TestExplainSeveral: of several codes the unknown ones are told as such.
func TestExplainSeveral(t *testing.T) {
	e := explained(t, "137 999999", "en")
	if !e.Known || len(e.Codes) == 0 || strings.Join(e.Unknown, " ") != "999999" {
		t.Fatalf("%+v", e)
	}
	if out := string(report.ExplainText(&e, "en")); !strings.Contains(out, "999999 is in none of the tables") {
		t.Errorf("the text says %s", out)
	}
	if e = explained(t, "999998 999999", "en"); e.Known || !e.Code {
		t.Errorf("%+v", e)
	}
}

// FuzzExplain: whatever is asked, what is said is the same again, holds nothing
// that acts, and is not much longer than the question; and a line is quoted as it
// stands, at its number.
func FuzzExplain(f *testing.F) {
	for _, s := range []string{
		"137", "Xid 79", "device-oom", "显存不足", "EI0002, 137 /SIGKILL", "exit code -0x9", "E\u017f0000", "ModelArts.2785",
		"RuntimeError: CUDA out of memory. Tried to allocate 2 GiB\nERR00006 \x1b]8;;x\x07\u202e\nexit code 137\n", `{"error_code": "ModelArts.2785", "error_msg": "x"}`, "dvice-oom", strings.Repeat("9", 100),
	} {
		f.Add(s)
	}
	few := &rules.Pack{} // building the search for all rules would take most of the time
	for i, r := range rules.Default().Rules {
		if i%32 == 0 {
			few.Rules = append(few.Rules, r)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 8<<10 {
			return
		}
		e, err := analyzer.Explain(text, analyzer.Options{Lang: "zh", Pack: few})
		again, errAgain := analyzer.Explain(text, analyzer.Options{Lang: "zh", Pack: few})
		if (err == nil) != (errAgain == nil) {
			t.Fatalf("%q: %v, then %v", text, err, errAgain)
		}
		if err != nil {
			return
		}
		first, err := report.ExplainJSON(&e)
		second, _ := report.ExplainJSON(&again)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%q: %s, then %s (%v)", text, first, second, err)
		}
		for _, out := range [][]byte{first, report.ExplainText(&e, "zh"), report.ExplainText(&e, "en")} {
			shown := strings.ReplaceAll(string(out), "\n", "")
			if report.Plain(shown) != shown || len(out) > 50*len(text)+64<<10 {
				t.Errorf("%q is explained in %d bytes: %q", text, len(out), out)
			}
		}
		last := 0
		for _, l := range e.Lines {
			if l.Number < last || l.Number > 1+strings.Count(text, "\n") || !strings.Contains(l.Text, l.Bare) {
				t.Errorf("%q: line %d, after %d, is %q", text, l.Number, last, l.Text)
			}
			last = l.Number
		}
		if e.Known != (len(e.Codes)+len(e.Causes)+len(e.Rules)+len(e.Lines) > 0) {
			t.Errorf("%q is known: %v", text, e.Known)
		}
	})
}
