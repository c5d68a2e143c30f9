// Package skill holds the file that tells assistants how to use the program:
// to read only, and safely.
package skill

import _ "embed"

var (
	//go:embed SKILL.md
	english string
	//go:embed SKILL.zh-CN.md
	chinese string
)

// Text gives the skill file in a language, "en" or else Chinese.
func Text(lang string) string {
	if lang == "en" {
		return english
	}
	return chinese
}
