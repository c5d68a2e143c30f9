package traceback

import (
	"fmt"
	"slices"
	"testing"
)

// Equal frames are held once, whatever their places, and others are not taken
// for them.
func TestNamesHoldFramesOnce(t *testing.T) {
	stack := func(n, at int) []Frame {
		var list []Frame
		for i := range n {
			list = append(list, Frame{File: fmt.Sprintf("/job/f%d.py", i), Line: i, Func: "f", At: at + i})
		}
		return list
	}
	var n Names
	first, again, other := n.frames(stack(20, 0)), n.frames(stack(20, 100)), n.frames(stack(19, 0))
	if &first[0] != &again[0] || len(other) != 19 || n.held != 39 {
		t.Errorf("%d frames are held, of lists with %d, %d and %d", n.held, len(first), len(again), len(other))
	}
	if list := n.room(nil); cap(list) < 19 || len(list) > 0 || list[:1][0] != (Frame{}) {
		t.Errorf("room %v of %d for the next list", list, cap(list))
	}
}

// Of lists beyond the bound the ends are held, and the innermost own frame.
func TestNamesBound(t *testing.T) {
	n := Names{held: mostFrames + 1}
	for _, c := range []struct{ own, want int }{{-1, 8}, {2, 8}, {9, 9}, {18, 8}} {
		var list []Frame
		for i := range 20 {
			list = append(list, Frame{File: fmt.Sprint(c.own, "/", i), At: i, User: i == c.own})
		}
		kept := n.frames(list)
		if len(kept) != c.want || c.own >= 0 && !slices.ContainsFunc(kept, func(f Frame) bool { return f.User }) {
			t.Errorf("own frame %d: %d frames are held, want %d with it: %v", c.own, len(kept), c.want, kept)
		}
	}
}
