package bundle

import (
	"slices"

	"hcloud-modelarts/analyzer/report"
)

// masker masks lines and tells what it hid.
type masker struct {
	kinds []string
	mask  func(string) string
}

func newMasker() *masker {
	m := &masker{}
	m.mask = report.Masker(func(kind report.Kind, _ string) string {
		if !slices.Contains(m.kinds, string(kind)) {
			m.kinds = append(m.kinds, string(kind))
		}
		return "***"
	})
	return m
}

// line masks a text, and gives the kinds of what was hidden in it.
func (m *masker) line(s string) (masked string, kinds []string) {
	masked = report.Mask(s)
	if masked == s {
		return s, nil
	}
	m.kinds = nil
	m.mask(s)
	return masked, m.kinds
}
