package verdict

import (
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/source"
)

// printed puts out what a log shows as data: samples of code that a model reads or
// writes, and what tools answered to an agent that is being trained.
func (j *judge) printed() {
	for _, c := range j.all {
		if c.event.Quote.Kind == source.Log && c.event.Quote.Doc.Kind == source.Log && (j.fenced(c) || c.valued()) {
			c.out("data", nil)
		}
	}
}

// fenced reports whether a traceback stands below the fence of a block of code, and
// the log goes on behind it, or ended well.
func (j *judge) fenced(c *candidate) bool {
	if c.trace == nil {
		return false
	}
	above := strings.TrimSpace(c.trace.Above)
	if !strings.HasPrefix(above, "```") && !strings.HasPrefix(above, "~~~") {
		return false
	}
	return c.event.Calm.Seq != 0 || j.end.succeeded || j.started(c) != 0
}

// value reads the beginning of a quoted value whose name is that of data; what
// records of loggers call message, error or reason is none.
var value = lazy.Regexp(`(?i)(?:^|[\s,;{(\[])["']?(?:tool_|env_|model_)?(?:obs|observation|output|result|response|prompt|completion|answer|question|query|instruction|input|text|content|sample|generated|generation|prediction|reference|chosen|rejected|stdout)["']?\s?[=:]\s?(["'])`)

// valued reports whether the words of a line that make it a candidate stand in
// such a value.
func (c *candidate) valued() bool {
	text := c.event.Quote.Text
	if c.trace != nil || !strings.ContainsAny(text, `"'`) {
		return false
	}
	at := value().FindStringSubmatchIndex(text)
	if at == nil {
		return false
	}
	quote := text[at[2]:at[3]]
	inside := text[at[1]:] // to the last such quote: it may hold some of its own, or go on over further lines
	if i := strings.LastIndex(inside, quote); i >= 0 {
		inside = inside[:i]
	}
	w := &c.event.Rule.Match[c.event.Wording]
	return !slices.ContainsFunc(w.Literals, func(l string) bool { return !strings.Contains(folded(inside, w.Fold), folded(l, w.Fold)) })
}

func folded(s string, so bool) string {
	if so {
		return strings.ToLower(s)
	}
	return s
}
