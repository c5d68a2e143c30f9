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
	At   *Quote // the line of the frame, nil when it is not held
	Code *Quote // the line of source below it, nil when none was printed
}

// Quotes are the lines that are held.
func (p *Place) Quotes() []Quote {
	var all []Quote
	for _, q := range []*Quote{p.At, p.Code} {
		if q != nil {
			all = append(all, *q)
		}
	}
	return all
}

// mostFrames bounds the frames that are held until their traceback is whole.
const mostFrames = 256

// framed is the line of a frame in the user's own code, the innermost so far of
// an exception that is being read, and the line below it, which may show the
// source.
type framed struct {
	seq      int
	at, code Quote
}

// noteFrame takes a line of the body of a traceback.
func (st *stream) noteFrame(seq int, l *source.Line) {
	if !st.mayTrace() {
		return
	}
	text := inner(l.Text)
	if !strings.HasPrefix(text, `File "`) {
		if f := st.framed; f != nil && f.code.Doc == nil {
			f.code = st.of.quote(l)
		}
		return
	}
	user, around := st.parser.Frame(seq)
	if st.framed = nil; !user {
		return
	}
	for i := len(st.frames) - 1; i >= 0 && around >= 0; i-- {
		if st.frames[i].seq == around {
			st.framed = st.frames[i]
			st.frames = slices.Delete(st.frames, i, i+1)
			break
		}
	}
	if st.framed == nil {
		st.framed = &framed{}
	}
	*st.framed = framed{seq: seq, at: st.of.quote(l)}
	if n, most := len(st.frames), st.share(mostFrames); n >= most { // the innermost come last
		st.frames = slices.Delete(st.frames, 0, n-most/2)
	}
	st.frames = append(st.frames, st.framed)
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
	if !slices.ContainsFunc(t.Exceptions, func(x traceback.Exception) bool { return slices.ContainsFunc(x.Frames, ofUser) }) {
		return nil
	}
	places := make([]Place, len(t.Exceptions))
	for i, x := range t.Exceptions {
		k := len(x.Frames) - 1
		for k >= 0 && !x.Frames[k].User {
			k--
		}
		if k < 0 {
			if len(x.Frames) == 0 && x.Link == traceback.Member {
				places[i] = places[groupOf(t, i)]
			}
			continue
		}
		f := &x.Frames[k]
		places[i] = Place{File: f.File, Line: f.Line}
		if at := slices.IndexFunc(st.frames, func(k *framed) bool { return k.seq == x.Own }); at >= 0 {
			places[i].At = &st.frames[at].at
			if code := &st.frames[at].code; f.Code != "" && code.Doc != nil && inner(code.Text) == f.Code {
				places[i].Code = code
			}
		}
	}
	return places
}

func ofUser(f traceback.Frame) bool { return f.User }

// leaveFrames forgets the frames of a whole traceback.
func (st *stream) leaveFrames(t *traceback.Traceback) {
	st.frames = slices.DeleteFunc(st.frames, func(k *framed) bool {
		gone := slices.ContainsFunc(t.Exceptions, func(x traceback.Exception) bool {
			return x.Own == k.seq
		})
		if gone && k == st.framed {
			st.framed = nil
		}
		return gone
	})
	if len(st.frames) == 0 {
		st.frames = nil
	}
}
