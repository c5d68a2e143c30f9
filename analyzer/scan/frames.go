package scan

import (
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// Place is where an exception was raised in the user's own code.
type Place struct {
	File string
	Line int
	At   Quote // the line of the frame
	Code Quote // the line of source below it; zero when none was printed
}

// mostFrames bounds the frames that are held until their traceback is whole.
const mostFrames = 256

// framed is the line of a frame of a traceback that is being read, and the line
// below it, which may show the source.
type framed struct {
	seq      int
	at, code Quote
}

// noteFrame takes a line of the body of a traceback.
func (st *stream) noteFrame(seq int, l *source.Line) {
	text := inner(l.Text)
	n := len(st.frames)
	switch {
	case strings.HasPrefix(text, `File "`):
		if most := st.share(mostFrames); n >= most { // the innermost come last
			st.frames = slices.Delete(st.frames, 0, n-most/2)
		}
		st.frames = append(st.frames, framed{seq: seq, at: quote(l)})
	case n > 0 && st.frames[n-1].code.Doc == nil:
		st.frames[n-1].code = quote(l)
	}
}

// inner gives a line of a traceback without its indentation and the margin of a
// group of exceptions.
func inner(text string) string { return strings.TrimSpace(strings.TrimLeft(text, " \t|")) }

// groupOf gives the group that holds a member, which is printed before it.
func groupOf(t *traceback.Traceback, member int) int {
	i := member
	for i > 0 && t.Exceptions[i].Depth >= t.Exceptions[member].Depth {
		i--
	}
	return i
}

// places gives for each exception of a whole traceback the innermost frame in
// the user's own code, zero where there is none. A member of a group that was
// not raised by itself has the place of its group.
func (st *stream) places(t *traceback.Traceback) []Place {
	places := make([]Place, len(t.Exceptions))
	for i, x := range t.Exceptions {
		frames := x.UserFrames()
		if len(frames) == 0 {
			if len(x.Frames) == 0 && x.Link == traceback.Member {
				places[i] = places[groupOf(t, i)]
			}
			continue
		}
		f := frames[len(frames)-1]
		places[i] = Place{File: f.File, Line: f.Line}
		if at := slices.IndexFunc(st.frames, func(k framed) bool { return k.seq == f.At }); at >= 0 {
			places[i].At = st.frames[at].at
			if code := st.frames[at].code; f.Code != "" && inner(code.Text) == f.Code {
				places[i].Code = code
			}
		}
	}
	return places
}

// leaveFrames forgets the frames of a whole traceback.
func (st *stream) leaveFrames(t *traceback.Traceback) {
	st.frames = slices.DeleteFunc(st.frames, func(k framed) bool {
		return slices.ContainsFunc(t.Exceptions, func(x traceback.Exception) bool {
			return slices.ContainsFunc(x.Frames, func(f traceback.Frame) bool { return f.At == k.seq })
		})
	})
}
