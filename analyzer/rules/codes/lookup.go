package codes

import (
	"regexp"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
)

// Result is what is known of a code.
type Result struct {
	Readings []Entry    // every table that has it; none when the code is unknown
	Looks    bool       // the text has the form of a code, known or not
	Part     rules.Text // part of CANN that the letters of an unknown CANN code name, else empty
}

// asked narrows a code to the tables that the words before it name.
var asked = []struct {
	form   func() *regexp.Regexp
	tables []Table
}{
	{lazy.Regexp(`(?i)^(?:exit|exited|return|exit[ _-]?code|return[ _-]?code|exitcode|退出码|返回码)(?:[ _-]?(?:code|status))?[ :=]+(?:with[ ]+)?(-?\d+)$`), []Table{Exit}},
	{lazy.Regexp(`(?i)^(?:signal|sig|信号)[ :=]+(\w+)$`), []Table{Signal}},
	{lazy.Regexp(`(?i)^\[?errno[ :=]+(\w+)\]?$`), []Table{Errno}},
	{lazy.Regexp(`(?i)^xid[ :=]*(\d+)$`), []Table{Xid}},
	{lazy.Regexp(`(?i)^(?:hccl|hcclresult)[ :=]+(\d+|hccl_\w+)$`), []Table{HCCL}},
	{lazy.Regexp(`(?i)^(?:acl|aclerror)[ :=]+(\d+|acl_\w+)$`), []Table{ACL}},
	{lazy.Regexp(`(?i)^modelarts[. :=]+(\d{4}|\d{8})$`), []Table{ModelArts}},
}

var (
	numberForm = lazy.Regexp(`^-?\d{1,10}$`)
	cannForm   = lazy.Regexp(`(?i)^[EW][A-Z0-9]\d{4}$`)
	nameForm   = lazy.Regexp(`^(?:SIG[A-Z]+\d*|ERR\d{5}|ACL_ERROR_\w+|HCCL_E_\w+|ROBUST_CHANNEL_\w+|E[A-Z]{2,14})$`)
	dottedForm = lazy.Regexp(`^\d+\.\d+$`)
)

// Lookup gives every reading of a code: a number ("137", "-9"), a name
// ("SIGKILL", "ENOSPC"), a code ("EI0002", "ModelArts.2763", "2763"), or one of
// these behind a word that says what it is ("exit code 137", "Xid 79").
func Lookup(text string) Result {
	text = plain(strings.TrimSpace(text))
	for _, a := range asked {
		if m := a.form().FindStringSubmatch(text); m != nil {
			return Result{Readings: readings(m[1], a.tables), Looks: true}
		}
	}
	r := Result{Readings: readings(text, Tables)}
	r.Looks = len(r.Readings) > 0 || numberForm().MatchString(text) || cannForm().MatchString(text) ||
		nameForm().MatchString(text) || dottedForm().MatchString(text)
	if len(r.Readings) == 0 && cannForm().MatchString(text) {
		for _, e := range find(cannModule, text[:2]) {
			r.Part = e.Meaning
		}
	}
	return r
}

var (
	hexForm   = lazy.Regexp(`(?i)(^|[ :=])(-?)0x([0-9a-f]{1,8})$`)
	wholeForm = lazy.Regexp(`(^|[ :=])(-?\d+)\.0+$`)
)

// plain writes a code that ends a text as tables do: 0x89 and 137.0 are 137.
func plain(text string) string {
	if m := hexForm().FindStringSubmatch(text); m != nil {
		if n, err := strconv.ParseUint(m[3], 16, 32); err == nil {
			return strings.TrimSuffix(text, m[0]) + m[1] + m[2] + strconv.FormatUint(n, 10)
		}
	}
	return wholeForm().ReplaceAllString(text, "$1$2")
}

// apart are what stands between codes that are asked about at once.
var apart = lazy.Regexp(`[\s,;，、；/]+`)

// mostAsked bounds the codes of one question.
const mostAsked = 16

// Several parts a text that is nothing but two or more codes, nil when it is
// anything else.
func Several(text string) []string {
	words := apart().Split(strings.TrimSpace(text), mostAsked+1)
	if len(words) < 2 || len(words) > mostAsked {
		return nil
	}
	for _, w := range words {
		if !Lookup(w).Looks {
			return nil
		}
	}
	return words
}

func readings(code string, tables []Table) []Entry {
	var found []Entry
	for _, t := range tables {
		rows := find(t, code)
		switch {
		case len(rows) > 0:
		case t == Exit:
			rows = exitBySignal(code)
		case t == Signal:
			rows = signalByName(code)
		case t == ModelArts:
			rows = find(t, "ModelArts."+code)
		}
		found = append(found, rows...)
	}
	return found
}

// signalByName reads names without their first letters: "KILL" for SIGKILL.
func signalByName(code string) []Entry {
	if numberForm().MatchString(code) || len(code) < 3 {
		return nil
	}
	return find(Signal, "SIG"+code)
}

// exitBySignal reads exit codes that follow from a signal: 128+N as shells give
// them, 256-N as a negative return code of Python becomes, and -N itself.
func exitBySignal(code string) []Entry {
	n, ok := ParseExit(code)
	if !ok {
		return nil
	}
	if n < -1<<16 { // a code of Windows, read as a number with a sign
		return find(Exit, strconv.FormatUint(uint64(uint32(n)), 10))
	}
	signal, how := SignalOf(n), rules.Text{}
	number := strconv.Itoa(signal)
	switch {
	case signal == 0 || n > 1<<16: // the rows of Windows stand in the table
		return nil
	case n < 0:
		how = rules.Text{ZH: "Python 的返回码 " + code + "：被信号终止", EN: "Python's return code " + code + ": ended by a signal"}
	case n == 128+signal:
		how = rules.Text{ZH: "被信号终止（128+" + number + "）", EN: "ended by a signal (128+" + number + ")"}
	case n == 256-signal:
		how = rules.Text{ZH: "Python 返回码 -" + number + " 被当作退出码（256-" + number + "）", EN: "Python's return code -" + number + " passed on as an exit code (256-" + number + ")"}
	default:
		how = rules.Text{ZH: "PBS 记录的被信号终止（256+" + number + "）", EN: "ended by a signal, as PBS records it (256+" + number + ")"}
	}
	var found []Entry
	for _, e := range find(Signal, strconv.Itoa(signal)) {
		e.Table, e.Code = Exit, code
		e.Meaning = rules.Text{ZH: how.ZH + "，" + e.Name + "：" + e.Meaning.ZH, EN: how.EN + ", " + e.Name + ": " + e.Meaning.EN}
		found = append(found, e)
	}
	return found
}

// shown are the forms in which lines of logs show codes.
var shown = []struct {
	form   func() *regexp.Regexp
	tables []Table
}{
	{lazy.Regexp(`(?i)\b(?:exit code|exitcode|return code|exited with code|exit status|exit with)[ :=]*(-?\d{1,3})\b`), []Table{Exit}},
	{lazy.Regexp(`\b(SIG(?:ABRT|BUS|FPE|ILL|KILL|SEGV|TERM|SYS|XCPU|XFSZ))\b`), []Table{Signal}},
	{lazy.Regexp(`\[Errno (\d{1,3})\]`), []Table{Errno}},
	{lazy.Regexp(`\bXid \([^)]*\): (\d{1,3})\b`), []Table{Xid}},
	{lazy.Regexp(`\b(?:error code is|ret(?:Code)?=|runtime result = ?)[ ]?([125]\d{5})\b`), []Table{ACL}},
	{lazy.Regexp(`HCCL function error.*error code is (\d{1,4})\b`), []Table{HCCL}},
	{lazy.Regexp(`\b(E[A-Z0-9]\d{4})\b`), []Table{CANN}},
	{lazy.Regexp(`\b(ERR0\d{4})\b`), []Table{TorchNPU}},
	{lazy.Regexp(`\bModelArts\.(\d{4}|\d{8})\b`), []Table{ModelArts}},
}

// In gives the known codes that a line of a log shows, each once.
func In(line string) []Entry {
	var found []Entry
	seen := map[string]bool{}
	for _, s := range shown {
		for _, m := range s.form().FindAllStringSubmatch(line, -1) {
			key := string(s.tables[0]) + " " + m[1]
			if seen[key] {
				continue
			}
			seen[key] = true
			found = append(found, readings(m[1], s.tables)...)
		}
	}
	return found
}
