package main

import (
	"strings"
	"testing"

	"hcloud-modelarts/plugin/skill"
)

// TestSkillCommands: every command that the skill file shows is one of this
// program, and both languages show the same.
func TestSkillCommands(t *testing.T) {
	shown := map[string][]string{}
	for _, lang := range []string{"en", "zh"} {
		text := skill.Text(lang)
		if !strings.HasPrefix(text, "---\nname: hcloud-modelarts\ndescription: ") {
			t.Errorf("the file in %q has no head", lang)
		}
		if got := invoke(t, "", nil, "skill", "--lang", lang); got.stdout != text || got.code != exitOK {
			t.Errorf("skill --lang %s prints %.100q", lang, got.stdout)
		}
		parser, err := newParser(&console{lang: lang})
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range blocks(text, "sh") {
			for line := range strings.Lines(block) {
				args := strings.Fields(line)[1:]
				if _, err := parser.Parse(args); err != nil {
					t.Errorf("%s: %v", strings.TrimSpace(line), err)
				}
				shown[lang] = append(shown[lang], strings.ReplaceAll(strings.Join(args, " "), " --lang en", ""))
			}
		}
		for _, codes := range []string{"0", "1", "2", "3", "4", "130"} {
			if !strings.Contains(text, codes+" ") {
				t.Errorf("the file in %q does not tell the exit code %s", lang, codes)
			}
		}
	}
	if a, b := strings.Join(shown["en"], "\n"), strings.Join(shown["zh"], "\n"); a != b || a == "" {
		t.Errorf("the two languages show different commands:\n%s\n\n%s", a, b)
	}
}
