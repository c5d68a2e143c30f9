package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"
	"golang.org/x/term"

	"hcloud-modelarts/plugin/triage"
)

// progressEvery is how often the line of progress is rewritten.
const progressEvery = 100 * time.Millisecond

// progress is a bar on standard error while somebody watches; without a terminal
// it says nothing.
type progress struct {
	to                    io.Writer // nil when nobody watches
	width                 func() int
	form                  string
	all, had, done, wrong int
	start, drawn          time.Time
}

func (c *console) progress(all, had int) *progress {
	p := &progress{form: msgProgress.In(c.lang), all: all, had: had, done: had, start: time.Now()}
	if f, ok := c.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) && c.env["TERM"] != "dumb" {
		p.to = f
		p.width = func() int { // windows are made wider and narrower meanwhile
			width, _, err := term.GetSize(int(f.Fd()))
			if err != nil || width <= 0 {
				return 80
			}
			return width
		}
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
		fmt.Fprint(p.to, "\r\x1b[K"+p.line(now, p.width()))
	}
}

// maxBar is the longest bar, in columns.
const maxBar = 40

// line is what a terminal of some columns shows, in place of what it showed
// before: a bar as long as there is room for, then numbers. The time left is that
// of the mean rate so far.
func (p *progress) line(now time.Time, columns int) string {
	rate, left := 0.0, "-"
	if spent := now.Sub(p.start); p.done > p.had && spent > 0 {
		rate = float64(p.done-p.had) / spent.Seconds()
		seconds := int(float64(p.all-p.done)/rate + 0.5)
		left = fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
	}
	numbers := fmt.Sprintf(p.form, p.done, p.all, rate, left, p.wrong)
	room := min(columns-displaywidth.String(numbers)-4, maxBar)
	if room < 4 || p.all == 0 {
		return displaywidth.TruncateString(numbers, columns-1, "")
	}
	full := room * p.done / p.all // drawn in letters that are one column wide everywhere
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", room-full) + "] " + numbers
}

// end takes the line away.
func (p *progress) end() {
	if p.to != nil {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
