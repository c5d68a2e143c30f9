package rules

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestPackIsSound: the shipped rules have no fault of those that Lint finds.
func TestPackIsSound(t *testing.T) {
	found, err := Lint(Default(), Default())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if !f.Hard {
			continue
		}
		other := ""
		if f.Other != nil {
			other = f.Other.ID
		}
		t.Errorf("%s wording %d: %s {about}=%s {other}=%s", f.Rule.File(), f.Wording, LintTexts[f.Code].EN, f.About, other)
	}
}

// ruleFile is a rule that Lint has nothing to say about, with parts replaced.
func ruleFile(id string, replace ...string) string {
	return strings.NewReplacer(replace...).Replace(`id: ` + id + `
cause: config-invalid
family: ours
role: root
match:
  - literals: ["licence server says no"]
    regexp: 'licence server says no'
say: {zh: 许可证服务器拒绝, en: the licence server refuses}
retry: after-change
fixes:
  - title: {zh: 续期, en: Renew it}
    steps: [{zh: 联系管理员, en: Ask the administrator}]
samples:
  match: ["RuntimeError: licence server says no", "fatal: licence server says no (3)", "licence server says no: 4"]
  near: ["licence server says yes", "licence server is slow", "licence server"]
`)
}

func TestLintFindsEachWeakness(t *testing.T) {
	for code, files := range map[string][]string{
		"":               {ruleFile("ours")},
		"few-samples":    {ruleFile("ours", `, "licence server says no: 4"]`, "]")},
		"one-language":   {ruleFile("ours", "zh: 续期", "zh: Renew it")},
		"short-fragment": {ruleFile("ours", `["licence server says no"]`, `["says"]`)},
		"open-start":     {ruleFile("ours", `'licence server says no'`, `'.*licence server says no'`)},
		"no-start":       {ruleFile("ours", `'licence server says no'`, `'[a-z]+ server says no'`)},
		"slow":           {ruleFile("ours", `'licence server says no'`, `'licence server says no(?:[a-z]{0,50}[0-9]{0,50}){0,20}'`)},
		"shadowed":       {ruleFile("ours"), ruleFile("other", "role: root", "role: root\nover: [ours]")},
		"taken":          {ruleFile("ours"), ruleFile("rival", "config-invalid", "auth-required", "role: root", "role: root\nover: [ours]")},
		"crossing":       {ruleFile("ours"), ruleFile("rival", "config-invalid", "auth-required")},
	} {
		t.Run(code, func(t *testing.T) {
			fsys := fstest.MapFS{}
			for _, f := range files {
				id, _, _ := strings.Cut(strings.TrimPrefix(f, "id: "), "\n")
				fsys["ours/"+id+".yaml"] = &fstest.MapFile{Data: []byte(f)}
			}
			p, err := Load(fsys)
			if err != nil {
				t.Fatal(err)
			}
			found, err := Lint(p, p)
			if err != nil {
				t.Fatal(err)
			}
			seen := ""
			for _, f := range found {
				if f.Code == code {
					return
				}
				seen += " " + f.Code
			}
			if code != "" || seen != "" {
				t.Errorf("found%s", seen)
			}
		})
	}
}

// TestLintFindsCommonFragments: a literal that the samples of many other rules
// hold is told, with their number.
func TestLintFindsCommonFragments(t *testing.T) {
	p, err := Load(fstest.MapFS{"ours/ours.yaml": {Data: []byte(ruleFile("ours", `["licence server says no"]`, `["Error: "]`, `"fatal: licence`, `"Error: licence`, `"licence server says no: 4"`, `"E Error: licence server says no"`))}})
	if err != nil {
		t.Fatal(err)
	}
	found, err := Lint(Default().With(p), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.Code == "broad-fragment" && f.Count >= lintBroad && f.About == `"Error: "` {
			return
		}
	}
	t.Errorf("found %+v", found)
}

func TestLintTextsAreComplete(t *testing.T) {
	for code, x := range LintTexts {
		if !strings.ContainsFunc(x.ZH, han) || strings.ContainsFunc(x.EN, han) || x.EN == "" {
			t.Errorf("%s: %+v", code, x)
		}
	}
}
