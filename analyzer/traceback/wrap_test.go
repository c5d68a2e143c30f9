package traceback

import (
	"slices"
	"strings"
	"testing"
)

func boxed80(message ...string) string {
	side := strings.Repeat("─", 22)
	return strings.Join(append([]string{
		"╭" + side + " Traceback (most recent call last) " + side[:len(side)-3] + "─╮",
		"│ /job/train.py:12 in main" + strings.Repeat(" ", 53) + "│",
		"│ ❱ 12   run()" + strings.Repeat(" ", 65) + "│",
		"╰" + strings.Repeat("─", 79) + "╯",
	}, message...), "\n")
}

// TestWrapped: what rich broke at the width of its box is one line again, what
// the program broke itself is not.
func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		printed []string
		want    string
	}{
		{[]string{"RuntimeError: The size of tensor a (498) must match the size of tensor b (512) at", "non-singleton dimension 1", "epoch 3 done"}, "The size of tensor a (498) must match the size of tensor b (512) at non-singleton dimension 1"},
		{[]string{"RuntimeError: stack expects each tensor to be equal size, but got [3, 224, 224] at", "entry 0 and [1, 224, 224] at entry 3"}, "stack expects each tensor to be equal size, but got [3, 224, 224] at entry 0 and [1, 224, 224] at entry 3"},
		{[]string{"FileNotFoundError: [Errno 2] No such file or directory: ", "'/cache/datasets/imagenet/train/n01440764/n01440764_10026.JPEG'"}, "[Errno 2] No such file or directory:  '/cache/datasets/imagenet/train/n01440764/n01440764_10026.JPEG'"},
		{[]string{"ValueError: two lines", "of one message"}, "two lines\nof one message"},
	} {
		all := Parse(boxed80(c.printed...))
		if len(all) != 1 || len(all[0].Exceptions) != 1 {
			t.Fatalf("%q: %+v", c.printed, all)
		}
		got := strings.ReplaceAll(all[0].Exceptions[0].Message, "  ", " ")
		if got != strings.ReplaceAll(c.want, "  ", " ") {
			t.Errorf("%q is %q, want %q", c.printed, got, c.want)
		}
	}
}

func TestJoined(t *testing.T) {
	p := New(func(Traceback) {})
	var lines []string
	for i, s := range strings.Split(boxed80("RuntimeError: The size of tensor a (498) must match the size of tensor b (512) at", "non-singleton dimension 1", "more of it"), "\n") {
		p.Add(i, s)
		if from, line, ok := p.Joined(i); ok {
			lines = append(lines, line)
			if from != 4 {
				t.Errorf("line %d belongs to line %d", i, from)
			}
		}
	}
	if want := []string{"RuntimeError: The size of tensor a (498) must match the size of tensor b (512) at non-singleton dimension 1"}; !slices.Equal(lines, want) {
		t.Errorf("joined are %q", lines)
	}
}

// TestCellOutput: what a notebook's cell raised is inside the message of the
// runner's exception.
func TestCellOutput(t *testing.T) {
	for _, kind := range []string{"papermill.exceptions.PapermillExecutionError", "nbclient.exceptions.CellExecutionError"} {
		all := Parse(`Traceback (most recent call last):
  File "/job/run.py", line 4, in <module>
    execute(path)
` + kind + `: An error occurred while executing the following cell:
------------------
hist = load()
------------------

---------------------------------------------------------------------------
KeyError                                  Traceback (most recent call last)
/tmp/ipykernel_88/3391212.py in <cell line: 3>()
      2 hist = load()
----> 3 best = hist['acc'].max()

KeyError: 'acc'
`)
		if len(all) != 1 {
			t.Fatalf("%s: %d tracebacks", kind, len(all))
		}
		if x := all[0].Exceptions[all[0].Root()]; x.Type != "KeyError" || x.Link != Origin {
			t.Errorf("%s: the root is %s, %d", kind, x.Type, x.Link)
		}
	}
}
