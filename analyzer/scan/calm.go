package scan

import (
	"slices"

	"hcloud-modelarts/analyzer/fold"
	"hcloud-modelarts/analyzer/source"
)

// troubled are the words of lines that may still speak of a failure.
var troubled = fold.Of("error", "fail", "exception", "abort", "fatal", "traceback", "stack", "killed", "solution", "reason", "cause", "错误", "失败", "异常", "原因")

// calm reports whether a line that no rule knows tells that the job went on with
// something else: a record below an error, or a text of its own that speaks of
// no failure and is no further line of a message.
func calm(l *source.Line) bool {
	switch l.Level {
	case "DEBUG", "INFO", "NOTICE", "WARN", "WARNING":
		return true
	case "":
	default:
		return false
	}
	if l.Kind != source.Log || l.Text == "" || l.Text[0] == ' ' || l.Text[0] == '\t' || len(l.Text) < 4 || len(l.Text) > longest {
		return false
	}
	return !troubled.In(l.Text)
}

// soon is how many lines behind an error a program says how it goes on.
const soon = 40

// replaced tells the events that wait for a calm line of a text that says how the
// job goes on without what had failed, and reports whether it does.
func (st *stream) replaced(seq int, text string, words *fold.Words) bool {
	n := len(st.uncalmed)
	if n == 0 || seq-st.uncalmed[n-1].Seq > soon || len(text) > longest || !words.In(text) {
		return false
	}
	for _, e := range st.uncalmed {
		e.Instead = true
	}
	return true
}

// calmed tells the events that wait for it of a calm line.
func (st *stream) calmed(seq, number int) {
	for _, e := range st.uncalmed {
		e.Calm.Seq, e.Calm.Number = seq, number
	}
	st.uncalmed = st.uncalmed[:0]
}

// waitCalm is how many events of one stream wait for a calm line before those
// are looked for that are no longer held.
const waitCalm = 16

// awaitCalm has an event learn of the next calm line. A stream that never calms
// down must not keep what is held nowhere else.
func (st *stream) awaitCalm(e *Event) {
	if len(st.uncalmed) >= st.share(waitCalm) {
		st.uncalmed = slices.DeleteFunc(st.uncalmed, func(o *Event) bool { return o.lost })
	}
	if len(st.uncalmed) < keepOpen {
		st.uncalmed = append(st.uncalmed, e)
	}
}
