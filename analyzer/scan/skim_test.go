package scan

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// TestFilterFindsEveryLiteral holds that a literal is found wherever it stands
// in a line, and that a line without one is not.
func TestFilterFindsEveryLiteral(t *testing.T) {
	s := New(rules.Default())
	const quiet = "2031 xq 5\n"
	if hits := s.Hits([]byte(strings.Repeat(quiet, 40)), nil); len(hits) > 0 {
		t.Fatalf("hits %v in a block without any literal", hits)
	}
	var literals []string
	for _, w := range s.wordings {
		literals = append(literals, keyLiteral(w.w))
	}
	for _, l := range append(literals, traceback.Openings()...) {
		for pad := range 4 {
			before := quiet + strings.Repeat("x", pad)
			hits := s.Hits([]byte(before+l+"\n"+quiet), nil)
			if len(hits) != 1 || hits[0] < len(quiet) || hits[0] > len(before)+len(l) {
				t.Errorf("%q behind %d bytes of a line: hits %v, want one in [%d, %d]", l, pad, hits, len(quiet), len(before)+len(l))
			}
		}
	}
}

func TestFilterOfShortLiterals(t *testing.T) {
	f := newFilter([]wording{{w: &rules.Wording{Literals: []string{"OOM"}}}})
	if got := f.hits([]byte("a\nOOM\nb\n"), nil); len(got) != 3 {
		t.Errorf("hits %v, want every line when a literal is too short to look for", got)
	}
	if got := f.hits([]byte("a\nb\n"), nil); len(got) != 0 {
		t.Errorf("hits %v, want none", got)
	}
}

// seesAll hides that the scanner may be skimmed for.
type seesAll struct{ s *Scanner }

func (h seesAll) Line(l *source.Line)  { h.s.Line(l) }
func (seesAll) Begin(*source.Document) {}
func (seesAll) JSON(*source.JSON)      {}
func (seesAll) End(*source.Document)   {}
func (seesAll) Note(source.Note)       {}

type skimming struct {
	seesAll
	skipped int
}

func (h *skimming) Hits(b []byte, hits []int) []int { return h.s.Hits(b, hits) }
func (h *skimming) Plain(w string) bool             { return h.s.Plain(w) }
func (h *skimming) Idle() (stream, document bool)   { return h.s.Idle() }
func (h *skimming) Skip(l []source.Skipped, n int)  { h.skipped += n; h.s.Skip(l, n) }

// TestCommonWordsAreNoHits: words that healthy programs print on every line stop
// nothing, for a rule that looks for them would have all lines of a log looked at.
func TestCommonWordsAreNoHits(t *testing.T) {
	s := New(rules.Default())
	for _, l := range []string{
		"WARNING: retrying request to the metrics service, attempt 0, error rate 0.0", "step 12 error 0.031 mean_error 0.2", "0 errors, 0 warnings, 0 fatal",
		"val loss 2.1 abs error 0.4", "fatal=0 exit=0", "done, no error",
	} {
		if hits := s.Hits([]byte(l+"\n"), nil); len(hits) > 0 {
			t.Errorf("%q stops at %v", l, hits)
		}
	}
}

// seen is what must be the same whether lines were passed over or not.
type seen struct {
	Events, Traces, Stacks, Streams []string
	Zones                           []string
}

func numberOf(q *Quote) string {
	if q == nil {
		return ""
	}
	return fmt.Sprint(q.Number, q.SHA256())
}

func seenIn(r Result) seen {
	var s seen
	for _, e := range r.Events {
		s.Events = append(s.Events, fmt.Sprint(e, e.Seq, e.At, e.Zoned, e.Until, e.Attempt, e.Exception, e.Quote.Rank, e.Quote.SHA256(), e.Values))
	}
	for _, t := range r.Traces {
		s.Traces = append(s.Traces, fmt.Sprint(t.Traceback.Start, t.Traceback.End, t.At, t.Above, t.AboveLvl, t.Attempt))
	}
	for _, t := range r.Stacks {
		s.Stacks = append(s.Stacks, fmt.Sprint(t.Seq, t.Stack.End, t.Stack.Thread))
	}
	for _, st := range r.Streams {
		line := fmt.Sprint(st.Doc.Name, " ", st.Key, st.Rank, st.Task, st.Node, st.Lines, st.First.Number, st.FirstSeq, st.Last.Number, st.LastSeq, st.Last.SHA256(), st.Last.Time, numberOf(st.Step), numberOf(st.Calm))
		if n := len(st.Progress); n > 0 {
			line += fmt.Sprint(st.Progress[0], st.Progress[n-1])
		}
		s.Streams = append(s.Streams, line)
	}
	for d, z := range r.Zones {
		s.Zones = append(s.Zones, fmt.Sprint(d.Name, z))
	}
	return s
}

func compareSkimmed(t *testing.T, pack *rules.Pack, log string) (skipped int) {
	t.Helper()
	return compareSkimmedAs(t, pack, "t.log", log)
}

func compareSkimmedAs(t *testing.T, pack *rules.Pack, name, log string) (skipped int) {
	t.Helper()
	if _, skims := source.Handler(seesAll{}).(source.Skimmer); skims {
		t.Fatal("there is nothing to compare with: lines are passed over for both")
	}
	root := []source.Root{{Name: name, FS: fstest.MapFS{name: {Data: []byte(log)}}, Path: name}}
	plain, skim := seesAll{New(pack)}, &skimming{seesAll: seesAll{New(pack)}}
	stats1, err1 := source.Read(root, source.Limits{}, plain)
	stats2, err2 := source.Read(root, source.Limits{Block: 16 << 10}, skim)
	if fmt.Sprint(stats1, err1) != fmt.Sprint(stats2, err2) {
		t.Fatalf("%+v and error %v, but %+v and %v where lines are passed over", stats1, err1, stats2, err2)
	}
	all, some := plain.s.Close(), skim.s.Close()
	if d := cmp.Diff(seenIn(all), seenIn(some)); d != "" {
		t.Errorf("skimming changes what is seen (- every line, + skimmed):\n%s", d)
	}
	for i := range min(len(all.Streams), len(some.Streams)) {
		if a, b := all.Streams[i], some.Streams[i]; b.Since < a.Since {
			t.Errorf("stream %s: %d lines since the last step, want %d or more", a.Key, b.Since, a.Since)
		}
	}
	return skim.skipped
}

func coloured(i int) string {
	return fmt.Sprintf("\x1b[32m2026-06-02 %02d:%02d:%02d\x1b[0m | \x1b[1mINFO\x1b[0m | train - \x1b[36mstep\x1b[0m %d loss \x1b[1;3%dm%.3f\x1b[0m", 1+i/36000%20, i/600%60, i/10%60, i, i%8, 1.5)
}

// writers print one healthy line each, as programs do.
var writers = []func(i int) string{
	func(i int) string {
		return fmt.Sprintf("[rank%d]: 2026-06-02 %02d:%02d:%02d,%03d INFO trainer.py:412 step %d/900000 loss %.4f lr 1.2e-05", i%8, 1+i/36000%20, i/600%60, i/10%60, i%1000, i, 2+float64(i%97)/100)
	},
	func(i int) string {
		return fmt.Sprintf("2026-06-02T%02d:%02d:%02d.%06d+08:00 worker-%d stdout F {'loss': %.3f, 'epoch': %.2f}", 3+i/36000%20, i/600%60, i/10%60, i, i%3, 1+float64(i%50)/60, float64(i)/1000)
	},
	func(i int) string {
		return fmt.Sprintf("Epoch %d | iter %d | loss: %.3f | 3.2 it/s", i/1000, i, float64(i%77)/9)
	},
	func(i int) string {
		return fmt.Sprintf("[INFO] %d epoch: %d step: %d, loss is %.5f", 70000+i, i/500, i%500, float64(i%13)/7)
	},
	func(i int) string {
		return fmt.Sprintf("iteration %8d/ 500000 | consumed samples: %12d | lm loss: %.6E", i, i*8, 1.5)
	},
	func(i int) string {
		return fmt.Sprintf("I0602 %02d:%02d:%02d.000123 77 loader.go:9] batch %d done in 3 ms", 1+i/36000%20, i/600%60, i/10%60, i)
	},
	func(i int) string {
		return fmt.Sprintf("%3d%%|####      | %d/1000 [00:%02d<00:30,  2.24it/s]", i%100, i%1000, i%60)
	},
	func(i int) string { return "" },
	func(i int) string {
		return fmt.Sprintf("[INFO] HCCL(71,python3):2026-06-02-%02d:%02d:%02d.%03d.%03d [op_base.cc:%d] [%d]HcclAllReduce tag[%d] takes 3us", 1+i/36000%20, i/600%60, i/10%60, i%1000, i%999, 100+i%300, 71+i%3, i)
	},
	coloured,
	func(i int) string { return fmt.Sprintf("[rank%d]: step %d loss 1.5", i%4, i) },
	func(i int) string { return fmt.Sprintf("[%5d.%06d] eth0: packet %d received", i/9, i*7919%1000000, i) },
	func(i int) string { return strings.Repeat([]string{"=", "-", "*"}[i%3], 40) },
}

// incidents are what may stand between healthy lines.
var incidents = []string{
	"[rank3]: Traceback (most recent call last):\n[rank3]:   File \"/code/train.py\", line 21, in <module>\n[rank3]:     main()\n[rank3]: KeyError: 'labels'",
	"RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
	"Exception in thread Thread-3:\nTraceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nValueError: bad",
	"ValueError: first\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 9, in f\n    g()\nTypeError: second",
	"Current thread 0x00007f11 (most recent call first):\n  File \"/code/a.py\", line 3 in f\n  File \"/code/b.py\", line 4 in g",
	"Process 71: python train.py\nThread 71 (idle): \"MainThread\"\n    wait (threading.py:320)\n    get (queue.py:171)",
	"#0  0x00007f in abort () from /lib/libc.so.6\n#1  0x00007f in main ()",
	"[Modelarts Service Log]2026-06-02 09:42:08 - Training end with return code: 1",
	"2026-06-02 05:00:00 [ERROR] HCCL(71,python):2026-06-02-05:00:00.123.456 [a.cc:12] notify wait timeout",
	"{\"kind\": \"job\", \"metadata\": {\"id\": \"x\"}}",
	"step 10 loss 3.1\r step 11 loss 3.0\r step 12 loss 2.9",
	"\x1b[31mError\x1b[0m: something",
	"hostname: modelarts-job-6f1b2c58-0d34-4c7e-9a41-b7d2e3f40c19-worker-1",
	"[Rank 5] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600010 milliseconds before timing out.",
	"==> worker-1.log <==",
	"node-1 | CHANGED | rc=0 >>",
	"train.sh: line 7:  1187 Segmentation fault      (core dumped) python train.py",
}

// logOf makes a log from numbers: how many lines of which writers, and which
// incidents between them.
func logOf(seed uint64, incidentsAt []byte) string {
	r := rand.New(rand.NewPCG(seed, 7))
	var b strings.Builder
	i := 0
	healthy := func(n int) {
		first, several := r.IntN(len(writers)), r.IntN(3)
		for range n {
			w := first
			if several == 0 {
				w = r.IntN(len(writers))
			}
			b.WriteString(writers[w](i) + "\n")
			i++
		}
	}
	healthy(250 + r.IntN(300))
	for _, at := range incidentsAt {
		b.WriteString(incidents[int(at)%len(incidents)] + "\n")
		healthy(r.IntN(400))
	}
	return b.String()
}

// TestSkimming holds that passing over lines changes nothing that is found.
func TestSkimming(t *testing.T) {
	total := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		at := make([]byte, r.IntN(6))
		for i := range at {
			at[i] = byte(r.IntN(256))
		}
		name := []string{"t.log", "plog-71_20260602010000000.log", "dmesg.txt"}[seed/20]
		t.Run(fmt.Sprint(seed), func(t *testing.T) { total += compareSkimmedAs(t, rules.Default(), name, logOf(seed, at)) })
	}
	if total == 0 {
		t.Error("no line was passed over: the test shows nothing")
	}
}

// TestSkimmingHiddenLiterals: what a terminal would not show may stand within a
// literal.
func TestSkimmingHiddenLiterals(t *testing.T) {
	pack := &rules.Pack{Rules: []*rules.Rule{{ID: "x", Match: []rules.Wording{{Literals: []string{"unheard of failure"}}}}}}
	for _, hidden := range []string{"x\b", "\x00", "\x07", "\x1b[0m", "\x1b[1;31m\x1b[m", "\x1b[0m\x07", "\x1b[2K", "\x1b[", "\x7f", "\xc2\x9b1m"} {
		for n, write := range []func(int) string{writers[0], coloured} {
			var b strings.Builder
			for i := range 3000 {
				b.WriteString(write(i))
				if i == 2500 {
					b.WriteString(" unheard of fai" + hidden + "lure")
				}
				b.WriteByte('\n')
			}
			if compareSkimmed(t, pack, b.String()) < 1000 {
				t.Errorf("%q, writer %d: hardly any line was passed over: the test shows nothing", hidden, n)
			}
		}
	}
}

// blanks write blank lines; the first of them has a carriage return within, behind
// which another line may stand, so that each of its lines is handed on.
var blanks = []func(i int) string{
	func(i int) string { return strings.Repeat("\n", i%2) + "\r \r\n" },
	func(int) string { return "\n" },
	func(int) string { return "\r\n" },
	func(int) string { return " \n" },
	func(i int) string { return strings.Repeat(" ", i%7) + strings.Repeat("\t", i%3) + "\n" },
	func(i int) string { return "\n\n \r\r\n" },
}

// around stand before and behind what has blank lines in it: each is read in its
// own way. Where inner is set, they are parts of something else and told to nobody.
var around = map[string]struct {
	name, before, behind string
	inner                bool
}{
	"log":           {"t.log", "", "", false},
	"long log":      {"t.log", logOf(1, nil), logOf(2, []byte{0}), false},
	"CRLF":          {"t.log", strings.ReplaceAll(logOf(4, nil), "\n", "\r\n"), strings.ReplaceAll(logOf(5, []byte{1}), "\n", "\r\n"), false},
	"labelled log":  {"t.log", strings.Repeat("worker-1 | step 1\nworker-0 | step 1\n", 20), "worker-1 | step 2\n", false},
	"late labels":   {"t.log", "starting\n", strings.Repeat("worker-1 | step 1\nworker-0 | step 1\n", 200), false},
	"below heading": {"t.log", "==> worker-1.log <==\nstep 1\n", "\n==> worker-2.log <==\nstep 1\n", false},
	"ticket":        {"t.txt", "您好，作业失败了，请帮忙看看：\n\n", "    indented\n谢谢\n", false},
	"fence":         {"t.md", "# Ticket\n\n```\n", "```\nThank you\n", false},
	"mail":          {"t.eml", "From: a@b.c\nTo: d@e.f\nSubject: job\nDate: Tue, 2 Jun 2026 09:00:00 +0800\n\nHello,\n", "Regards\n", false},
	"HTML":          {"t.html", "<html><body><p>Hello\n", "<p>Bye</body></html>\n", true},
	"pre":           {"t.html", "<html><body><pre>\n", "</pre></body></html>\n", false},
	"tag":           {"t.html", "<html><body><pre>\n<span \n", ">x</span></pre></body></html>\n", true},
	"value in pre":  {"t.html", "<html><body><pre>\n{\"id\":\n", "1}\n</pre></body></html>\n", true},
	"JSON":          {"t.json", "{\"kind\": \"job\", \"status\":\n", "{\"phase\": \"Failed\"}}\n", true},
	"JSON, not":     {"t.log", "step 1\n{\"kind\":\n", "no value\n", true},
	"CSV":           {"t.csv", "time,message\n2026-06-02 09:00:00,one\n", "2026-06-02 09:00:01,two\n", false},
	"CSV text":      {"t.csv", "time,message\n2026-06-02 09:00:00,\"one\n", "two\"\n2026-06-02 09:00:01,three\n", true},
	"journal":       {"t.log", "__CURSOR=s=1\n__REALTIME_TIMESTAMP=1780362000000000\nMESSAGE=step 1\n\n", "__CURSOR=s=2\n__REALTIME_TIMESTAMP=1780362001000000\nMESSAGE=step 2\n\n", true},
	"table":         {"t.log", "+------+\n| NVIDIA-SMI 535 |\n", "| 0 |\n", false},
}

// withBlanks puts n blank lines of one sort between two incidents, within what
// stands around them.
func withBlanks(frame string, blank, n int, first, second string) (name, text string) {
	var b strings.Builder
	f := around[frame]
	b.WriteString(f.before + first + "\n")
	for i := range n {
		b.WriteString(blanks[blank](i))
	}
	b.WriteString(second + "\n" + f.behind)
	return f.name, b.String()
}

// fewRules are some of the rules: building the search for all of them would take
// most of the time.
func fewRules() *rules.Pack {
	few := &rules.Pack{}
	for i, r := range rules.Default().Rules {
		if i%16 == 0 {
			few.Rules = append(few.Rules, r)
		}
	}
	return few
}

// TestSkimmingBlankLines holds that nothing found changes where long runs of
// blank lines are passed over, whatever they stand in and behind.
func TestSkimmingBlankLines(t *testing.T) {
	few := fewRules()
	for _, frame := range slices.Sorted(maps.Keys(around)) {
		t.Run(frame, func(t *testing.T) {
			passed := 0
			for i, first := range incidents {
				for _, n := range []int{254 + i%5, 300 + i, 4000} {
					name, text := withBlanks(frame, i%len(blanks), n, first, incidents[(i+n)%len(incidents)])
					passed = compareSkimmedAs(t, few, name, text)
				}
				if passed < 3000 && !around[frame].inner && i%len(blanks) != 0 {
					t.Errorf("behind %q only %d of 4000 blank lines were passed over", first, passed)
				}
			}
		})
	}
}

// TestSkimmingReturns is TestSkimming for lines that end as Windows ends them, and
// for some that do.
func TestSkimmingReturns(t *testing.T) {
	few, total := fewRules(), 0
	for seed := range uint64(20) {
		at := []byte{byte(seed), byte(7 * seed)}
		log := strings.ReplaceAll(logOf(seed, at), "\n", "\r\n")
		total += compareSkimmed(t, few, log)
		total += compareSkimmed(t, few, logOf(seed+1, at)+log+logOf(seed+2, nil))
	}
	if total == 0 {
		t.Error("no line was passed over: the test shows nothing")
	}
}

func FuzzSkimmingBlankLines(f *testing.F) {
	f.Add("Traceback (most recent call last):\n  File \"x.py\", line 3, in f", "KeyError: 1", uint8(0), uint16(300))
	f.Add("```\nRuntimeError: x", " \n\t\r\n", uint8(6), uint16(5000))
	f.Add("Exception in thread Thread-3:", "Traceback (most recent call last):\n", uint8(11), uint16(257))
	frames, few := slices.Sorted(maps.Keys(around)), fewRules()
	f.Fuzz(func(t *testing.T, first, second string, how uint8, n uint16) {
		if len(first)+len(second) > 4096 {
			return
		}
		name, text := withBlanks(frames[int(how)%len(frames)], int(how)%len(blanks), int(n)%2048, first, second)
		compareSkimmedAs(t, few, name, text)
	})
}

func FuzzSkimming(f *testing.F) {
	f.Add(uint64(1), []byte{0, 3}, "Traceback (most recent call last):")
	f.Add(uint64(2), []byte{5}, "Thread 0x7f (most recent call first):\n  File \"x.py\", line 3 in f")
	f.Add(uint64(3), []byte{}, "[rank1]: 2026-06-02 01:00:07,000 ERROR trainer.py:1 loss is nan")
	f.Add(uint64(4), []byte{9}, "worker-1: hello\nworker-2: hello\n[1,3]<stderr>: x")
	few := fewRules()
	f.Fuzz(func(t *testing.T, seed uint64, at []byte, extra string) {
		if len(at) > 8 || len(extra) > 4096 {
			return
		}
		compareSkimmed(t, few, logOf(seed, at)+extra+"\n"+logOf(seed+1, nil))
	})
}
