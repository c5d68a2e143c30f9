package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"hcloud-modelarts/plugin/triage"
)

// progressEvery is how often the line of progress is rewritten.
const progressEvery = 100 * time.Millisecond

// progress is a line on standard error that counts cases while somebody
// watches; without a terminal it says nothing.
type progress struct {
	to                    io.Writer // nil when nobody watches
	form                  string
	all, had, done, wrong int
	start, drawn          time.Time
}

func (c *console) progress(all, had int) *progress {
	p := &progress{form: msgProgress.In(c.lang), all: all, had: had, done: had, start: time.Now()}
	if f, ok := c.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) && c.env["TERM"] != "dumb" {
		p.to = f
	}
	return p
}

func (p *progress) add(b triage.Block) {
	p.done++
	if len(b.Rows) > 0 && b.Rows[0].State() == triage.Unreadable {
		p.wrong++
	}
	if now := time.Now(); p.to != nil && now.Sub(p.drawn) >= progressEvery {
		p.drawn = now
		fmt.Fprint(p.to, p.line(now))
	}
}

// line is what the terminal shows, in place of what it showed before.
func (p *progress) line(now time.Time) string {
	rate := 0.0
	if s := now.Sub(p.start).Seconds(); s > 0 {
		rate = float64(p.done-p.had) / s
	}
	return "\r\x1b[K" + fmt.Sprintf(p.form, p.done, p.all, rate, p.wrong)
}

// end takes the line away.
func (p *progress) end() {
	if p.to != nil {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
