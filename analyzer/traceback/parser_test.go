package traceback

import (
	"strings"
	"testing"
)

func TestChainWithForeignLines(t *testing.T) {
	text := `2026-01-01 10:00:00 ERROR step failed
 12%|█▏        | 59/468 [02:10<3:07:20,  2.44s/it]Traceback (most recent call last):
  File "/job/train.py", line 4, in load
    return table[key]
[rank 3] shard loaded
KeyError: 'label'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/job/train.py", line 9, in <module>
    load("label")
ValueError: no column "label"
columns are: text
2026-01-01 10:00:01 INFO bye`
	all := Parse(text)
	if len(all) != 1 || len(all[0].Exceptions) != 2 {
		t.Fatalf("got %+v", all)
	}
	first, second := all[0].Exceptions[0], all[0].Exceptions[1]
	if first.Type != "KeyError" || first.Message != "'label'" || first.At != 5 || first.Frames[0].Code != "return table[key]" {
		t.Errorf("first: %+v", first)
	}
	if second.Link != Cause || second.Message != "no column \"label\"\ncolumns are: text" || second.End != 13 {
		t.Errorf("second: %+v", second)
	}
	if !strings.HasPrefix(all[0].Lead, "12%|") {
		t.Errorf("lead %q", all[0].Lead)
	}
}

func TestStamps(t *testing.T) {
	lines := []struct {
		stamp Stamp
		text  string
		want  Part
	}{
		{Timed | Leveled, "step failed", Outside},
		{0, "Traceback (most recent call last):", Header},
		{0, `  File "/job/train.py", line 4, in load`, Body},
		{Timed, "ValueError: another process speaks", Outside},
		{0, "    return table[key]", Body},
		{0, "RuntimeError: NPU function error", Head},
		{Timed | Leveled, "ERR00100 PTA call acl api failed", More},
		{0, "[Error]: The execution is abnormal.", More},
		{Leveled, "Killing subprocess 2201", Outside},
		{0, "a line of the log", Outside},
		{Timed | Leveled, "Traceback (most recent call last):", Header},
		{0, `  File "/job/train.py", line 9, in main`, Body},
		{0, "    save()", Body},
		{0, "OSError: disk", Head},
		{Timed, "second line", More},
	}
	var got []Traceback
	p := New(func(t Traceback) { got = append(got, t) })
	for i, l := range lines {
		if part := p.AddStamped(i, l.text, l.stamp); part != l.want {
			t.Errorf("line %d %q: part %d, want %d", i, l.text, part, l.want)
		}
	}
	p.Close()
	if len(got) != 2 {
		t.Fatalf("%d tracebacks: %+v", len(got), got)
	}
}
