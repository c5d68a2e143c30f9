package traceback

import (
	"slices"
	"strings"
)

// StackParser reads the dumps of threads that stand in a log beside Python's
// exceptions: those of faulthandler, py-spy, gdb, glog, sanitizers, Open MPI,
// and the native frames of PyTorch. It is not safe for concurrent use.
type StackParser struct {
	emit   func(Stack)
	cur    *Stack
	shape  shape  // of the frames that the current stack has or expects
	number int    // of the last frame, as printed
	idle   int    // foreign lines since its last line
	why    string // the line that introduced the dump
	whyAt  int
	fresh  bool // no stack has used whyAt as its start
	rest   int  // lines since the dump's last line
}

const (
	waitStack  = 8  // foreign lines inside the stack of one thread
	waitReason = 40 // lines between the introduction and its next thread
)

// NewStacks returns a parser that hands each thread of a dump to emit when it
// is whole, at the latest at Close.
func NewStacks(emit func(Stack)) *StackParser { return &StackParser{emit: emit} }

// Add takes the next line, as (*Parser).Add does. Header is a line that
// introduces a dump or a thread, Body a frame.
func (p *StackParser) Add(at int, text string) Part {
	text = trimEnd(text)
	if part := p.add(at, text); part != Outside {
		p.rest = 0
		return part
	}
	if p.cur == nil && p.why == "" {
		return Outside
	}
	if p.shape == called && !blank(text) { // what follows may be the traceback of the exception
		p.flush()
		p.forget()
		return Outside
	}
	if p.rest++; p.rest > waitReason {
		p.forget()
	}
	if p.cur != nil {
		if p.idle++; p.idle > waitStack || blank(text) && len(p.cur.Frames) > 0 {
			p.flush()
		}
	}
	return Outside
}

// Close emits what is still open.
func (p *StackParser) Close() {
	p.flush()
	p.forget()
	*p = StackParser{emit: p.emit}
}

func (p *StackParser) add(at int, s string) Part {
	if blank(s) {
		return Outside
	}
	if f, number, sh, ok := parseStackFrame(s, p.shape); ok && p.follows(s, number) {
		return p.frame(at, f, number, sh)
	}
	if why, ok := reasonOf(s); ok {
		p.flush()
		p.forget()
		p.why, p.whyAt, p.fresh = clip(why, 4096), at, true
		if strings.HasSuffix(why, forwardText) {
			p.begin(at, "", called)
		}
		return Header
	}
	if name, sh, ok := threadOf(s); ok {
		p.flush()
		p.begin(at, name, sh)
		p.cur.Current = strings.HasPrefix(s, "Current thread")
		return Header
	}
	if p.cur != nil && dumpNote(s, p.shape) {
		p.cur.End, p.idle = at, 0
		return Body
	}
	return Outside
}

// follows tells whether a numbered frame can stand here. "#3 best of all" is
// one only after "#2 …".
func (p *StackParser) follows(s string, number int) bool {
	return number <= 0 || strings.Contains(s, " 0x") || strings.Contains(s, "[0x") || strings.Contains(s, "(0x") ||
		p.cur != nil && number == p.number+1 || p.cur == nil && p.why == capturedText
}

func (p *StackParser) begin(at int, thread string, sh shape) {
	p.cur = &Stack{Thread: thread, Live: sh == spy, Start: at, End: at, Reason: p.why}
	p.shape, p.idle = sh, 0
	if p.fresh {
		p.cur.Start, p.fresh = p.whyAt, false
	}
}

func (p *StackParser) frame(at int, f Frame, number int, sh shape) Part {
	if p.cur != nil && (sh != p.shape || number == 0 && len(p.cur.Frames) > 0) {
		thread := p.cur.Thread
		p.flush()
		if sh == native {
			thread = ""
		}
		p.begin(at, thread, sh)
	}
	if p.cur == nil {
		if sh == python && p.why == "" || sh == spy {
			return Outside
		}
		if !p.fresh {
			p.why = "" // it introduced another stack
		}
		p.begin(at, "", sh)
	}
	f.At = at
	p.number = number
	p.cur.End, p.idle = at, 0
	if n := len(p.cur.Frames); n < 2*maxFrames {
		p.cur.Frames = append(p.cur.Frames, f)
	} else {
		copy(p.cur.Frames[maxFrames:], p.cur.Frames[maxFrames+1:])
		p.cur.Frames[n-1] = f
	}
	return Body
}

// flush emits the current stack.
func (p *StackParser) flush() {
	s := p.cur
	if s != nil && p.shape == called {
		slices.Reverse(s.Frames)
		s.Forward = true
	}
	p.cur, p.shape, p.idle = nil, none, 0
	if s != nil && (len(s.Frames) > 0 || s.Reason != "") {
		p.emit(*s)
	}
}

// forget ends the dump. A fatal error of the interpreter is told even when no
// thread followed it.
func (p *StackParser) forget() {
	if p.fresh && strings.HasPrefix(p.why, "Fatal Python error") {
		p.emit(Stack{Start: p.whyAt, End: p.whyAt, Reason: p.why})
	}
	p.why, p.fresh = "", false
}
