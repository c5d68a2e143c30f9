package main

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
)

// mutant is a sample that was changed.
type mutant struct{ how, text string }

// sample is a line as it is printed, in parts.
type sample struct {
	before, prefix, text, after string // before and after are the sample's other lines
}

func (s sample) with(text string) string { return s.before + s.prefix + text + s.after }

// split finds the line that shows the rule, the first one when none does, and
// what a diagnosis takes off before it.
func split(r *rules.Rule, text string) sample {
	lines := strings.SplitAfter(text, "\n")
	at := 0
	for i, l := range lines {
		if _, _, ok := r.Find(strings.TrimSuffix(l, "\n")); ok {
			at = i
			break
		}
	}
	line := strings.TrimSuffix(lines[at], "\n")
	s := sample{before: strings.Join(lines[:at], ""), text: line, after: lines[at][len(line):] + strings.Join(lines[at+1:], "")}
	source.Text(&source.Document{Rank: -1}, "sample", kind(r), line, func(l *source.Line) {
		if strings.HasSuffix(line, l.Text) {
			s.prefix, s.text = line[:len(line)-len(l.Text)], l.Text
		}
	})
	return s
}

func kind(r *rules.Rule) source.Kind {
	switch r.Only {
	case rules.Event:
		return source.Event
	case rules.Kernel:
		return source.Kernel
	case rules.Prose:
		return source.Ticket
	}
	return source.Log
}

// positives are changes after which the rule must still match; i varies them
// from sample to sample.
func positives(r *rules.Rule, text string, i int) []mutant {
	s := split(r, text)
	if _, _, ok := r.Find(s.text); !ok {
		return nil // a line that only shows it as a whole is left as it is
	}
	_, w, _ := r.Find(s.text)
	free := freeBytes(r, &r.Match[w], s.text)
	list := around(r, s, i)
	list = add(list, "numbers", s, digits(s.text, free, false))
	list = add(list, "longer numbers", s, digits(s.text, free, true))
	list = add(list, "paths", s, paths(s.text, free))
	list = add(list, "names", s, letters(r, &r.Match[w], s.text, free))
	if r.Match[w].Fold {
		class := 0 // no program writes its exceptions' classes in capitals
		if r.Only == rules.Exception {
			class = strings.Index(s.text, ": ") + 1
		}
		list = add(list, "upper case", s, s.text[:class]+strings.ToUpper(s.text[class:]))
	}
	if cut := wrap(s.text, free); cut > 0 {
		list = append(list, mutant{"wrapped", s.with(s.text[:cut] + "\n" + s.text[cut+1:])})
	}
	return list
}

// nears are changes that leave a near miss one.
func nears(r *rules.Rule, text string, i int) []mutant {
	s := split(r, text)
	free := make([]bool, len(s.text))
	for i := range free {
		free[i] = true
	}
	list := around(r, s, i)
	if r.Only == rules.AnyLine {
		list = append(list, mutant{"prefix", s.before + "2026-06-02 09:41:50,123 - urllib3 - WARNING - " + s.text + s.after})
	}
	list = add(list, "paths", s, paths(s.text, free))
	for i := range r.Match {
		if r.Match[i].Fold {
			list = add(list, "upper case", s, strings.ToUpper(s.text))
			break
		}
	}
	return list
}

// add appends a mutant unless the change changed nothing.
func add(list []mutant, how string, s sample, text string) []mutant {
	if text == s.text {
		return list
	}
	return append(list, mutant{how, s.with(text)})
}

// launched and logged are what stands before the lines of a job, by its launcher
// and its logger.
var (
	launched = []string{"[rank3]: ", "[default5]:", "[1,12]<stderr>:", "(RayTrainWorker pid=4711, ip=192.168.0.12) ", "worker-2: "}
	logged   = []string{
		"2026-06-02 09:41:50,123 - trainer - ERROR - ", "2026-06-02 09:41:50.123 | ERROR    | __main__:main:41 - ",
		"[2026-06-02 09:41:50,123] [ERROR] ", "2026-06-02T09:41:50.123456789Z ", "2026-06-02T09:41:50.123456789Z stderr F ",
		"[2026-06-02 09:41:50] ", "ERROR:root:", "ERROR 2026-06-02 09:41:50,123 ",
	}
	booted = []string{"[12345.678901] ", "[Tue Jun  2 09:41:50 2026] ", "Jun  2 09:41:50 node-7 kernel: ", "2026-06-02T09:41:50.123456+08:00 node-7 kernel: [12345.678901] "}
)

// around changes what stands around the text: prefixes, colours, blanks, quotes.
func around(r *rules.Rule, s sample, i int) []mutant {
	var list []mutant
	prefixes := []string{launched[i%len(launched)], launched[(i+2)%len(launched)], logged[i%len(logged)], logged[(i+3)%len(logged)], launched[i%len(launched)] + logged[(i+5)%len(logged)]}
	switch r.Only {
	case rules.Kernel:
		prefixes = booted
	case rules.Exception:
		prefixes = slices.DeleteFunc(prefixes, func(p string) bool { return strings.HasSuffix(p, "ERROR:root:") }) // there a caught error stands, not the end of a traceback
	case rules.Event, rules.Prose:
		prefixes = nil // events are messages of the platform, without a logger; so is what a person writes
	}
	for _, p := range prefixes {
		list = append(list, mutant{"prefix", s.before + p + s.text + s.after})
	}
	list = append(list,
		mutant{"colour", s.with("\x1b[31m" + s.text + "\x1b[0m")},
		mutant{"trailing blanks", s.with(s.text + "  ")},
		mutant{"carriage return", s.with(s.text + "\r")},
	)
	if q := chinese(s.text); q != s.text {
		list = append(list, mutant{"Chinese quotes", s.with(q)})
	}
	return list
}

var single, double = regexp.MustCompile(`'([^']*)'`), regexp.MustCompile(`"([^"]*)"`)

// chinese puts the quotes into a text that an office program or a chat makes of
// them when a person pastes it.
func chinese(s string) string {
	return double.ReplaceAllString(single.ReplaceAllString(s, "‘$1’"), "“$1”")
}

// freeBytes tells which bytes of a line do not take part in a match: those
// outside the expression's match and the literals, and those of values for which
// the expression takes anything.
func freeBytes(r *rules.Rule, w *rules.Wording, text string) []bool {
	free := make([]bool, len(text))
	for i := range free {
		free[i] = true
	}
	hold := func(from, to int, as bool) {
		for i := from; i < to; i++ {
			free[i] = as
		}
	}
	if w.Regexp != "" {
		re := compile(w)
		m := re.FindStringSubmatchIndex(text)
		hold(m[0], m[1], false)
		for i, open := range openGroups(w.Regexp) {
			if open && m[2*i] >= 0 {
				hold(m[2*i], m[2*i+1], true)
			}
		}
	}
	for _, l := range append(append([]string{}, w.Literals...), w.Not...) {
		if at := indexFold(text, l); at >= 0 {
			hold(at, at+len(l), false)
		}
	}
	if r.Only == rules.Exception || rules.IsException(text) {
		hold(0, strings.IndexByte(text+":", ':'), false)
	}
	return free
}

func indexFold(text, sub string) int {
	if at := strings.Index(text, sub); at >= 0 {
		return at
	}
	return strings.Index(strings.ToLower(text), strings.ToLower(sub))
}

func compile(w *rules.Wording) *regexp.Regexp {
	if w.Fold {
		return regexp.MustCompile("(?i)" + w.Regexp)
	}
	return regexp.MustCompile(w.Regexp)
}

// openGroups tells for each group whether it takes any value of its kind: it
// holds classes and marks, and neither words nor alternatives.
func openGroups(expr string) map[int]bool {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	open := map[int]bool{}
	var walk func(*syntax.Regexp)
	walk = func(re *syntax.Regexp) {
		if re.Op == syntax.OpCapture {
			open[re.Cap] = takesAnything(re.Sub[0])
		}
		for _, sub := range re.Sub {
			walk(sub)
		}
	}
	walk(re)
	return open
}

func takesAnything(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAlternate, syntax.OpCapture, syntax.OpLiteral:
		return false
	case syntax.OpCharClass:
		return wide(re.Rune)
	}
	for _, sub := range re.Sub {
		if !takesAnything(sub) {
			return false
		}
	}
	return true
}

// wide reports whether a class holds all digits or all small letters.
func wide(ranges []rune) bool {
	digits, small := false, false
	for i := 0; i+1 < len(ranges); i += 2 {
		digits = digits || ranges[i] <= '0' && '9' <= ranges[i+1]
		small = small || ranges[i] <= 'a' && 'z' <= ranges[i+1]
	}
	return digits || small
}

var number = regexp.MustCompile(`\d+`)

// digits changes the numbers that are free and stand alone.
func digits(text string, free []bool, longer bool) string {
	return replaceFree(text, number, free, func(s string, before, after byte) string {
		if letter(before) || letter(after) || before == '.' || after == '.' {
			return s // part of a name or a version
		}
		b := []byte(s)
		for i, c := range b {
			b[i] = '0' + (c-'0'+3)%10
			if i == 0 && b[i] == '0' {
				b[i] = '4'
			}
		}
		if longer {
			b = append(b, '7')
		}
		return string(b)
	})
}

var folder = regexp.MustCompile(`(?:/[\w.+-]+){2,}/`)

// paths moves the files whose folders are free to another folder.
func paths(text string, free []bool) string {
	return replaceFree(text, folder, free, func(s string, before, _ byte) string {
		if letter(before) || before == ':' || before == '/' || strings.HasPrefix(s, "/dev/") || strings.HasPrefix(s, "/proc/") {
			return s // of an address, a relative path, or a place of the system
		}
		return "/mnt/sfs_turbo/team-b/"
	})
}

var word = regexp.MustCompile(`[A-Za-z_]{3,}`)

// letters changes the names within values for which the expression takes
// anything.
func letters(r *rules.Rule, w *rules.Wording, text string, free []bool) string {
	if w.Regexp == "" {
		return text
	}
	m := compile(w).FindStringSubmatchIndex(text)
	inValue := make([]bool, len(text))
	for i, open := range openGroups(w.Regexp) {
		for at := m[2*i]; open && at >= 0 && at < m[2*i+1]; at++ {
			inValue[at] = free[at]
		}
	}
	return replaceFree(text, word, inValue, func(s string, _, _ byte) string {
		b := []byte(s)
		for i, c := range b {
			switch {
			case 'a' <= c && c <= 'z':
				b[i] = 'a' + (c-'a'+1)%26
			case 'A' <= c && c <= 'Z':
				b[i] = 'A' + (c-'A'+1)%26
			}
		}
		return string(b)
	})
}

// replaceFree replaces the matches of an expression all of whose bytes are free.
func replaceFree(text string, re *regexp.Regexp, free []bool, f func(s string, before, after byte) string) string {
	var b strings.Builder
	last := 0
	for _, m := range re.FindAllStringIndex(text, -1) {
		whole := true
		for i := m[0]; i < m[1]; i++ {
			whole = whole && free[i]
		}
		if !whole {
			continue
		}
		var before, after byte
		if m[0] > 0 {
			before = text[m[0]-1]
		}
		if m[1] < len(text) {
			after = text[m[1]]
		}
		b.WriteString(text[last:m[0]] + f(text[m[0]:m[1]], before, after))
		last = m[1]
	}
	return b.String() + text[last:]
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '-' }

// wrap gives the first blank behind all that takes part in the match, where a
// terminal or a mail may have broken the line; 0 when there is none.
func wrap(text string, free []bool) int {
	last := 0
	for i, f := range free {
		if !f {
			last = i
		}
	}
	if at := strings.IndexByte(text[last:], ' '); at > 0 && last+at+1 < len(text) && last+at > 20 {
		return last + at
	}
	return 0
}
