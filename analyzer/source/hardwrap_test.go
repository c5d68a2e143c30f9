package source

import (
	"strings"
	"testing"
	"testing/fstest"
)

// wide is a log as programs print it.
const wide = `[ModelArts Service Log]Training start at 2026-04-08-10:00:00
time="2026-04-08T10:00:00+08:00" level=info msg="start the periodic upload task, upload period = 5 seconds " file="upload.go:46" Command=obs/upload Component=ma-training-toolkit
[rank0]: Traceback (most recent call last):
[rank0]:   File "/home/ma-user/modelarts/user-job-dir/translate/train.py", line 12, in <module>
[rank0]:     loss.backward()
[rank0]: RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
检查结果：数据集共 120 个样本，其中 3 个样本无法解码，已写入隔离目录，请在训练结束后人工复核这些样本的标注与原始文件是否一致
[Modelarts Service Log]Training end with return code: 1
`

// brokenAt breaks the lines of a text where so many columns are full.
func brokenAt(text string, columns int, end string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		n := 0
		for _, r := range strings.TrimSuffix(line, "\n") {
			w := 1
			if r > 0x2e80 {
				w = 2
			}
			if n+w > columns {
				b.WriteString(end)
				n = 0
			}
			b.WriteRune(r)
			n += w
		}
		b.WriteString(end)
	}
	return b.String()
}

// taken keeps the lines that were read.
type taken struct {
	collected
	lines []Line
}

func (c *taken) Line(l *Line) {
	kept := *l
	kept.Stored = append([]byte(nil), l.Stored...)
	c.lines = append(c.lines, kept)
}

func linesIn(t *testing.T, name, text string) []Line {
	t.Helper()
	var got taken
	if _, err := Read([]Root{{Name: ".", FS: fstest.MapFS{name: {Data: []byte(text)}}, Path: "."}}, Limits{}, &got); err != nil {
		t.Fatal(err)
	}
	return got.lines
}

// TestHardwrap: lines that a window broke are read as they were printed, and each
// points at the bytes that hold it.
func TestHardwrap(t *testing.T) {
	want := strings.Split(strings.TrimSuffix(wide, "\n"), "\n")
	for _, c := range []struct {
		name, in, end string
		columns       int
	}{
		{"80 columns", "a.txt", "\n", 80},
		{"80 columns, as Windows ends lines", "a.txt", "\r\n", 80},
		{"77 columns", "a.txt", "\n", 77},
	} {
		text := brokenAt(wide, c.columns, c.end)
		got := linesIn(t, c.in, text)
		if len(got) != len(want) {
			t.Errorf("%s: %d lines, want %d", c.name, len(got), len(want))
			continue
		}
		for i, l := range got {
			stored := text[l.Offset : l.Offset+int64(l.Length)]
			if l.Raw != want[i] || stored != string(l.Stored) || strings.NewReplacer("\r", "", "\n", "").Replace(stored) != want[i] {
				t.Errorf("%s: line %d is %q of %q, want %q", c.name, l.Number, l.Raw, stored, want[i])
			}
			if first := strings.Count(text[:l.Offset], "\n") + 1; l.Number != first {
				t.Errorf("%s: %q stands on line %d, not %d", c.name, l.Raw, first, l.Number)
			}
		}
	}
	ticket := "# Ticket\n\nThe job fails:\n\n```\n" + brokenAt(wide, 80, "\n") + "```\n"
	got := linesIn(t, "a.md", ticket)
	if n := len(got); n != len(want)+6 || got[10].Raw != want[5] || got[10].Kind != Log {
		t.Errorf("in a ticket: %d lines, %q", n, got[min(10, n-1)].Raw)
	}
}

// TestNoHardwrap: lines that merely are as long as one another, or that somebody
// broke between words, are left as they are.
func TestNoHardwrap(t *testing.T) {
	var even, table, mixed strings.Builder
	for range 20 {
		even.WriteString("tick 24    kimg 9996.0   time 41m 39s sec/tick 70.1 gpumem 33.1 augment 0.9 next\n")
		table.WriteString("| worker-0  | 192.168.0.11 | Running   | 0 | 2026-04-08T10:00:00 | modelarts-pool-abc |\n")
		mixed.WriteString("2026-04-08 10:00:00,000 INFO trainer.py: all of the parameters were read and are okay\nshort line\n")
	}
	prose := strings.Repeat("The quick brown fox jumps over the lazy dog and runs on to the river to drink\nthere before the hunter comes. It then goes back home by the way that it had come\nby, and sleeps until the evening comes around again and hunger makes it wake\nup.\n", 8)
	for name, text := range map[string]string{"even": even.String(), "table": table.String(), "mixed": mixed.String(), "prose": prose, "unbroken": wide, "narrow": brokenAt(wide, 40, "\n")} {
		if w := sniffHardwrap([]byte(text)); w != nil {
			t.Errorf("%s: wrapped at %d", name, w.width)
		}
		if got, want := len(linesIn(t, "a.log", text)), strings.Count(text, "\n"); got != want {
			t.Errorf("%s: %d lines of %d", name, got, want)
		}
	}
}

// TestIsRest: what begins as lines of logs, stacks, prose and tables do goes on none
// above it.
func TestIsRest(t *testing.T) {
	w := &hardwrap{starts: map[string]bool{"step": true}}
	for s, want := range map[string]bool{
		"et shape (3, 4)": true, "and more": true, "(most recent": true, " one space": true,
		"": false, " ": false, "  File \"a.py\"": false, "\tat x": false, "# title": false, "> quoted": false, "| cell": false, "```": false,
		"step 7": false, "step7": false, "loss 3": false, "2026-04-08 10:00:00 x": false,
		"[ModelArts Service Log]x": false, "[Modelarts Service Log]x": false, "[modelarts service log]x": false,
	} {
		if got := w.isRest("loss 2 of", s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}
