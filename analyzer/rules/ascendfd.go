package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

// Converted is a rule file made of an entry of another tool.
type Converted struct {
	ID           string
	File         string // below the folder of rules
	Data         []byte
	Untranslated bool // the entry is in Chinese only, which stands in for English
}

// ascendFamily is the family of the rules made of custom fault entities.
const ascendFamily = "ascend-fd"

// FromAscendFD converts the custom fault entities of MindCluster Ascend FaultDiag
// (ascend-fd entity, a JSON object of entries by fault code; its documentation:
// docs/en/faultdiag in Ascend/mind-cluster) to rules that name a cause. An entry
// is matched by keywords that stand in one line in their order; the rules do the
// same. Keywords alone prove little, so the rules are ambiguous. All entries
// that cannot be converted are told at once, and then none is converted.
func FromAscendFD(data []byte, cause string) ([]Converted, error) {
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, fmt.Errorf("reading fault entities: %w", err)
	}
	var all []Converted
	var errs []error
	seen := map[string]string{}
	for _, code := range slices.Sorted(maps.Keys(entries)) {
		c, err := convert(code, entries[code], cause)
		if err == nil && seen[c.ID] != "" {
			err = fmt.Errorf("becomes the rule %q, as entry %q does", c.ID, seen[c.ID])
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("entry %q: %w", code, err))
			continue
		}
		seen[c.ID] = code
		all = append(all, c)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if len(all) == 0 {
		return nil, errors.New("reading fault entities: there is none")
	}
	return all, nil
}

// entity is an entry as far as rules need it.
type entity struct {
	CauseZH      string   `json:"attribute.cause_zh"`
	CauseEN      string   `json:"attribute.cause_en"`
	SuggestionZH lines    `json:"attribute.suggestion_zh"`
	SuggestionEN lines    `json:"attribute.suggestion_en"`
	In           keywords `json:"regex.in"`
}

// lines is a text: a string, or a list of its lines.
type lines []string

func (l *lines) UnmarshalJSON(data []byte) error {
	var one string
	if err := json.Unmarshal(data, &one); err == nil {
		*l = strings.Split(one, "\n")
		return nil
	}
	return json.Unmarshal(data, (*[]string)(l))
}

// keywords are alternatives, of each all keywords in order: a list of strings is
// one alternative.
type keywords [][]string

func (k *keywords) UnmarshalJSON(data []byte) error {
	var one []string
	if err := json.Unmarshal(data, &one); err == nil {
		*k = keywords{one}
		return nil
	}
	return json.Unmarshal(data, (*[][]string)(k))
}

var (
	notInID   = lazy.Regexp(`[^a-z0-9]+`)
	numbering = lazy.Regexp(`^\s*(?:\d+\s*[.、)）]\s*)?`)
)

func convert(code string, raw json.RawMessage, cause string) (Converted, error) {
	var e entity
	if err := json.Unmarshal(raw, &e); err != nil {
		return Converted{}, err
	}
	if err := e.check(); err != nil {
		return Converted{}, err
	}
	id := strings.Trim(notInID().ReplaceAllString(strings.ToLower(ascendFamily+"-"+code), "-"), "-")
	c := Converted{ID: id, File: ascendFamily + "/" + id + ".yaml"}
	var b strings.Builder
	fmt.Fprintf(&b, "# Converted from a custom fault entity, code %s. Its samples are made of the\n# keywords: put real lines in their place.\n", strings.Join(strings.Fields(code), " "))
	fmt.Fprintf(&b, "id: %s\ncause: %s\nfamily: %s\nrole: ambiguous\nmatch:\n", id, cause, ascendFamily)
	for _, words := range e.In {
		fmt.Fprintf(&b, "  - literals: [%s]\n", list(words))
		if len(words) > 1 {
			fmt.Fprintf(&b, "    regexp: %s\n", quote(inOrder(words)))
		}
	}
	fmt.Fprintf(&b, "say: {zh: %s, en: %s}\nretry: after-change\n", quote(e.CauseZH), quote(c.english(e.CauseEN, e.CauseZH)))
	b.WriteString("fixes:\n  - title: {zh: 处理建议, en: What to do}\n    changes: true\n    steps:\n")
	zh, en := steps(e.SuggestionZH), steps(e.SuggestionEN)
	for i, s := range zh {
		translated := ""
		if len(en) == len(zh) {
			translated = en[i]
		}
		fmt.Fprintf(&b, "      - {zh: %s, en: %s}\n", quote(s), quote(c.english(translated, s)))
	}
	match, near := e.samples()
	fmt.Fprintf(&b, "samples:\n  match: [%s]\n  near: [%s]\n", list(match), list(near))
	c.Data = []byte(b.String())
	if _, _, faults := parse(c.File, c.Data); len(faults) > 0 {
		return Converted{}, faults
	}
	return c, nil
}

// check reports what an entry lacks.
func (e *entity) check() error {
	switch {
	case blank(e.CauseZH):
		return errors.New("attribute.cause_zh is missing")
	case len(steps(e.SuggestionZH)) == 0:
		return errors.New("attribute.suggestion_zh is missing")
	case len(e.In) == 0:
		return errors.New("regex.in is missing")
	}
	for _, words := range e.In {
		if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return strings.TrimSpace(w) == "" }) {
			return errors.New("regex.in holds an empty list or keyword")
		}
	}
	return nil
}

// blank reports whether a text says nothing; entries without English often hold
// "--".
func blank(s string) bool { return strings.Trim(s, " -") == "" }

// english gives the English text, or the Chinese in its place.
func (c *Converted) english(en, zh string) string {
	if blank(en) {
		c.Untranslated = true
		return zh
	}
	return en
}

// steps are the lines of a suggestion without their numbers.
func steps(l lines) []string {
	var all []string
	for _, s := range l {
		s = strings.TrimRight(numbering().ReplaceAllString(s, ""), " ;；。.")
		if !blank(s) {
			all = append(all, s)
		}
	}
	return all
}

func inOrder(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	return strings.Join(quoted, ".*")
}

// samples makes lines of the keywords, and others that lack a part of them.
func (e *entity) samples() (match, near []string) {
	for _, words := range e.In {
		line := strings.Join(words, " ")
		match = append(match, line, "[ERROR] "+line, line+" (1)")
		for i, w := range words {
			r := []rune(w)
			cut := slices.Clone(words)
			for _, part := range []string{string(r[:len(r)/2]), string(r[1:]), string(r[:len(r)-1])} {
				cut[i] = part
				near = append(near, strings.TrimSpace(strings.Join(cut, " ")))
			}
		}
	}
	near = slices.DeleteFunc(near, func(line string) bool { return line == "" || e.fits(line) })
	slices.Sort(near)
	return match, slices.Compact(near)
}

func (e *entity) fits(line string) bool {
	return slices.ContainsFunc(e.In, func(words []string) bool {
		rest := line
		for _, w := range words {
			_, after, ok := strings.Cut(rest, w)
			if !ok {
				return false
			}
			rest = after
		}
		return true
	})
}

// list is the inside of a YAML list of strings, quote one of its strings.
func list(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return strings.Join(quoted, ", ")
}

func quote(s string) string {
	return "'" + strings.NewReplacer("'", "''", "\n", " ").Replace(s) + "'"
}
