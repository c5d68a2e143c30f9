package verdict

import (
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/source"
)

// era is when the words above a part that was pasted into a ticket place it.
type era uint8

const (
	untold  era = iota
	settled     // it was mended, and stands there for comparison
	earlier     // before what is asked about
	lately      // now
	anew        // another run than that of the parts above
)

// The words by which tickets say so, in the order in which they count. Words that
// say that nothing has changed take from a new run that it is another matter.
var (
	overAbove = lazy.Regexp(`(?i)(?:以上|上述|上面|前面)(?:的)?.{0,12}(?:已解决|已经解决|已修复|解决了|已恢复|不再出现)|\b(?:the above|that|this one) (?:problem |issue |error |one )?(?:is|was|has been) (?:now |since |already )?(?:fixed|solved|resolved|gone)`)
	solved    = lazy.Regexp(`(?i)(?:已经?|后|随后|当时)(?:得到)?(?:解决|修复|恢复正常|关闭)|(?:仅|只)供(?:参考|对比)|历史(?:工单|问题|日志|作业)|\b(?:has been|have been|was|were|is|already|since|then|got) (?:already |since |now )?(?:fixed|solved|resolved)\b|\b(?:only|just) for (?:your )?(?:reference|comparison)\b`)
	unsolved  = lazy.Regexp(`(?i)是否|[吗?？]|能否|如何|怎么|怎样|(?:未|没有?|尚未|仍未|无法)(?:得到)?(?:解决|修复)|\bnot (?:yet )?(?:been )?(?:fixed|solved|resolved)|\bif\b`)
	unchanged = lazy.Regexp(`(?i)复现|同样|一样|相同|仍然?|依旧|还是|照旧|\b(?:same|still|again|reproduc\w*|recur\w*)\b`)
	newRunOf  = lazy.Regexp(`(?i)本次(?:问题|报错|作业|任务|失败|运行)|这次|此次|新(?:的)?(?:作业|任务|问题|报错)|重跑|重新(?:提交|运行|训练|创建)|再次(?:提交|运行|失败)|第二次(?:提交|运行|报错|失败)|\b(?:this time|new (?:job|run|error|problem|issue|failure)|re-?r[au]n|resubmitted|submitted (?:it )?again|second (?:job|run|attempt)|current (?:job|run|error|problem|issue|failure))\b`)
	today     = lazy.Regexp(`(?i)今[天日早晚]|现在|本次|\b(?:today|now|this morning)\b`)
	formerly  = lazy.Regexp(`(?i)上(?:周|次|个?月|一次|一个)|之前|此前|先前|以前|昨[天日晚]|前天|前几天|(?:旧|老|原|原来的)作业|第一次|\b(?:last (?:week|time|month|night|monday|tuesday|wednesday|thursday|friday|saturday|sunday|run)|yesterday|(?:previous|earlier|old|first|original) (?:job|run|attempt|error|problem|issue|failure)|previously)\b`)
)

func eraOf(intro string) era {
	switch {
	case overAbove().MatchString(intro):
		return anew
	case solved().MatchString(intro) && !unsolved().MatchString(intro):
		return settled
	case unchanged().MatchString(intro):
		return untold
	case newRunOf().MatchString(intro):
		return anew
	case today().MatchString(intro):
		return lately
	case formerly().MatchString(intro):
		return earlier
	}
	return untold
}

// partOf gives the index of the part of its ticket that a candidate stands in, -1
// where there are not several.
func partOf(c *candidate) int {
	parts := c.event.Quote.Doc.Pasted
	if len(parts) < 2 || c.event.Quote.Field != "" {
		return -1
	}
	i, found := slices.BinarySearchFunc(parts, c.event.Quote.Number, func(p source.Pasted, n int) int { return p.Line - n })
	if !found {
		i--
	}
	return i
}

// matter is a ticket with parts in which something failed.
type matter struct {
	eras   []era        // of all of its parts
	failed map[int]tier // by part, that of what says most
}

// earlierMatters puts out what a ticket tells of as another matter than the one
// that it asks about, and shows as well.
func (j *judge) earlierMatters() {
	matters := map[*source.Document]*matter{}
	for _, c := range j.all {
		i, d := partOf(c), c.event.Quote.Doc
		if i < 0 {
			continue
		}
		m := matters[d]
		if m == nil {
			m = &matter{failed: map[int]tier{}}
			for _, p := range d.Pasted {
				m.eras = append(m.eras, eraOf(p.Intro))
			}
			matters[d] = m
		}
		if t, ok := m.failed[i]; !ok || c.tier < t {
			m.failed[i] = c.tier
		}
	}
	for _, c := range j.all {
		i, d := partOf(c), c.event.Quote.Doc
		if i < 0 {
			continue
		}
		switch other, told := matters[d].overtakes(i); {
		case other && told:
			c.out("earlier-matter", map[string]string{"line": strconv.Itoa(d.Pasted[i].Line)})
		case other:
			c.tier = max(c.tier, weak)
		}
	}
}

// overtakes reports whether a ticket asks about another of its parts, in which
// something failed as well, and whether that part tells what.
func (m *matter) overtakes(i int) (other, told bool) {
	of := m.eras[i]
	for k, t := range m.failed {
		e := m.eras[k]
		switch {
		case k == i:
		case of == settled && e != settled:
			return true, true
		case of == earlier && e >= lately, of == untold && e == anew && k > i:
			other, told = true, told || t <= weak
		}
	}
	return other, told
}

// jobNamed reads a job's name in quotation marks, or its id; process are the names
// of what a job consists of.
var (
	jobNamed = lazy.Regexp("(?:作业|任务|训练|(?i:\\bjob))(?: ?(?:(?i:id)|名称?|(?i:name)))?\\s*[:：=为是]?\\s*[`\"“「『'‘]([A-Za-z0-9][\\w.-]{2,63})[`\"”」』'’]|\\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\\b")
	process  = lazy.Regexp(`(?i)^(?:worker|rank|node|ps|master|chief|pod|task|server|scheduler)[-_]?\d*$`)
)

// jobsIn gives the names, or else the ids, of the jobs that a text tells.
func jobsIn(text string) (names, ids []string) {
	for _, m := range jobNamed().FindAllStringSubmatch(text, -1) {
		switch {
		case m[2] != "":
			ids = append(ids, m[2])
		case !process().MatchString(m[1]):
			names = append(names, m[1])
		}
	}
	return names, ids
}

// disjoint reports whether both lists have members, and none in common.
func disjoint(a, b []string) bool {
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// otherJobs gives the failures that a ticket tells of other jobs than that of the
// root, where nothing says which of them it asks about; and how they all are called.
func (j *judge) otherJobs(root *candidate) (others []*candidate, names string) {
	i := partOf(root)
	if i < 0 {
		return nil, ""
	}
	parts := root.event.Quote.Doc.Pasted
	var called []string
	add := func(c *candidate, names []string) {
		others = append(others, c)
		for _, n := range names {
			if !slices.Contains(called, n) {
				called = append(called, n)
			}
		}
	}
	mine, id := jobsIn(parts[i].Intro)
	for _, c := range j.all {
		k := partOf(c)
		if c == root || k < 0 || k == i || c.event.Quote.Doc != root.event.Quote.Doc || c.cause == root.cause || c.tier > weak || c.fate != nil {
			continue
		}
		its, itsID := jobsIn(parts[k].Intro)
		switch {
		case disjoint(mine, its):
			add(c, slices.Concat(mine, its))
		case (len(mine) == 0 || len(its) == 0) && disjoint(id, itsID):
			add(c, slices.Concat(id, itsID))
		}
	}
	return others, strings.Join(called, ", ")
}
