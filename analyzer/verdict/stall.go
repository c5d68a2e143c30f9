package verdict

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// Bounds on what counts as a stop of the steps of a job that runs on: the time
// without a step, at the least, and in usual distances between two steps; and
// how many lines the job may have printed since, for a job that talks on does
// something else.
const (
	stallAtLeast = 10 * time.Minute
	stallSteps   = 10
	stallLines   = 10
)

// stall is how the steps of a job stopped while its log went on.
type stall struct {
	since  time.Time     // of the last step, as its log writes it
	gap    time.Duration // from then to the end of the log
	step   int64         // the highest that was reached, -1 when the marks have no numbers
	ranks  int           // ranks that printed steps
	behind []int         // ranks that stopped at a lower step
	low    int64         // the lowest of theirs
	rows   []scan.Quote  // the last step
}

// stalled looks for a stop of the steps; nil when they went on, as far as the
// logs tell.
func (j *judge) stalled() *stall {
	var s *stall
	marks := map[int][]scan.Mark{}
	for _, st := range j.c.Found.Streams {
		n := len(st.Progress)
		if n < 2 {
			continue
		}
		end, plain := j.clock.of(st, st.End, st.EndZoned)
		mark := st.Progress[n-1]
		at, markPlain := j.clock.of(st, mark.Time, mark.Zoned)
		if at.IsZero() || plain != markPlain || st.Since > stallLines {
			return nil
		}
		gap := end.Sub(at)
		if gap < max(stallAtLeast, stallSteps*usual(st.Progress)) {
			return nil
		}
		for _, m := range st.Progress {
			if m.Attempt == mark.Attempt {
				marks[m.Rank] = append(marks[m.Rank], m)
			}
		}
		if s == nil || at.After(s.since) {
			s = &stall{since: mark.Time, gap: gap, step: mark.Step, rows: []scan.Quote{*st.Step}}
		}
	}
	if s != nil {
		s.compare(marks)
	}
	return s
}

// usual is the usual distance between two marks of progress.
func usual(marks []scan.Mark) time.Duration {
	var ds []time.Duration
	for i := 1; i < len(marks); i++ {
		if d := marks[i].Time.Sub(marks[i-1].Time); d > 0 {
			ds = append(ds, d)
		}
	}
	if len(ds) == 0 {
		return 0
	}
	slices.Sort(ds)
	return ds[len(ds)/2]
}

// compare finds the ranks that stopped at a lower step than the others: those
// that would have printed one more of their steps had they come as far.
func (s *stall) compare(marks map[int][]scan.Mark) {
	delete(marks, -1)
	s.ranks = len(marks)
	for _, ms := range marks {
		s.step = max(s.step, ms[len(ms)-1].Step)
	}
	s.low = s.step
	for r, ms := range marks {
		last, stride := ms[len(ms)-1].Step, int64(0)
		for i := 1; i < len(ms); i++ {
			stride = max(stride, ms[i].Step-ms[i-1].Step)
		}
		if stride > 0 && last+stride <= s.step {
			s.behind = append(s.behind, r)
			s.low = min(s.low, last)
		}
	}
	slices.Sort(s.behind)
}

// finding words the stop.
func (s *stall) finding() Reason {
	args := map[string]string{"since": s.since.Format(time.DateTime), "minutes": strconv.Itoa(int(s.gap / time.Minute))}
	if s.step >= 0 {
		step := strconv.FormatInt(s.step, 10)
		switch {
		case s.ranks < 2:
			args["step"] = step
		case len(s.behind) == 0:
			args["all"], args["count"] = step, strconv.Itoa(s.ranks)
		default:
			args["step"], args["behind"], args["low"] = step, joinInts(s.behind), strconv.FormatInt(s.low, 10)
		}
	}
	return Reason{"stalled", args}
}

// watched reports whether somebody took the stacks of a process that went on
// after them with nothing: that is done where a program stands still.
func (j *judge) watched() bool {
	taken := slices.ContainsFunc(j.c.Found.Stacks, func(s *scan.Stack) bool { return s.Stack.Live })
	return taken && !slices.ContainsFunc(j.c.Found.Streams, func(st *scan.Stream) bool {
		n := len(st.Progress)
		return n > 0 && slices.ContainsFunc(j.c.Found.Stacks, func(s *scan.Stack) bool { return s.Stream == st && st.Progress[n-1].Seq > s.Seq })
	})
}

// complained reports whether a person wrote about the job.
func (j *judge) complained() bool {
	return slices.ContainsFunc(j.c.Documents, func(d *source.Document) bool { return d.Kind == source.Ticket })
}

// stands gives the stacks that tell where the job stands still: of the threads
// that are in the user's own code, the main one first.
func (j *judge) stands() []*scan.Stack {
	var main, others []*scan.Stack
	for _, s := range j.c.Found.Stacks {
		if s.Top.Doc == nil || s.Stack.Forward || userFrame(s) < 0 {
			continue
		}
		if s.Stack.Current || s.Stack.Thread == "MainThread" {
			main = append(main, s)
		} else {
			others = append(others, s)
		}
	}
	return append(main, others...)
}

// userFrame gives the innermost frame of the user's own code, -1 when there is none.
func userFrame(s *scan.Stack) int {
	for i, f := range s.Stack.Frames {
		if f.User {
			return i
		}
	}
	return -1
}

// shownStacks is how many threads a report quotes.
const shownStacks = 2

// still says what the steps and the stacks show of a job that hangs.
func (j *judge) still(v *Verdict) {
	if s := j.stall; s != nil {
		v.Findings = append(v.Findings, s.finding())
		v.Evidence = addQuotes(v.Evidence, s.rows...)
	}
	stacks := j.stands()
	if len(stacks) == 0 && len(j.c.Found.Stacks) > 0 { // none of the job's own code: show that there is a dump
		v.Evidence = addQuotes(v.Evidence, j.c.Found.Stacks[0].Quote)
	}
	for _, s := range stacks[:min(len(stacks), shownStacks)] {
		f := s.Stack.Frames[userFrame(s)]
		args := map[string]string{"func": f.Func, "file": f.File, "line": strconv.Itoa(f.Line)}
		if !strings.HasPrefix(s.Stack.Thread, "0x") { // a name, not an address
			args["thread"] = s.Stack.Thread
		}
		if r := s.Stream.Rank; r >= 0 {
			args["rank"] = strconv.Itoa(r)
		}
		v.Findings = append(v.Findings, Reason{"stands", args})
		v.Evidence = addQuotes(v.Evidence, s.Top)
	}
}
