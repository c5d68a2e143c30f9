package report

import "html/template"

// The helpers with which other rooms write texts of reports into pages and
// documents of their own, safe against whatever the texts hold.

// MarkdownCode puts a text into a code span that it cannot end.
func MarkdownCode(s string) string { return code(s) }

// MarkdownProse turns a text that may hold code spans into Markdown in which
// nothing else is active.
func MarkdownProse(s string) string { return prose(s) }

// MarkdownCell makes Markdown fit into a cell of a table.
func MarkdownCell(markdown string) string { return cell(markdown) }

// HTMLProse turns a text that may hold code spans into HTML in which nothing
// else is active.
func HTMLProse(s string) template.HTML { return proseHTML(s) }

// CauseName gives the name of a cause in a language, its id when it has none.
func CauseName(id, lang string) string { return causeName(id, lang) }

// PlaceOf says where a line stands, in words of a language.
func PlaceOf(source, field string, line int, lang string) string {
	return placeOf(source, field, line, lang, Plain)
}

// MaskReport gives a copy of a report in which nothing is left to mask.
func MaskReport(r *Report) Report { return *r.ready(Mask) }
