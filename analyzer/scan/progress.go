package scan

import (
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/ascii"
	"hcloud-modelarts/analyzer/fold"
	"hcloud-modelarts/analyzer/source"
)

// progress reports whether a line tells that training goes on: by a counter after
// a word such as step, iteration or epoch beside a measured value, or by a progress
// bar that moves, which is shown. The step is the highest number of the counters
// or, where the bar alone tells, of these and the bar. It is -1 where the line
// tells nothing of the kind, or of no more than a part of an epoch.
func progress(text string) (step int64, shown bar, ok bool) {
	if len(text) > longest {
		return -1, bar{}, false
	}
	step = -1
	counted := false
	for i := 0; i+4 <= len(text); i++ {
		if !countsFrom(text[i]|0x20, text[i+1]|0x20) || i > 0 && ascii.IsLetter(text[i-1]) {
			continue
		}
		for _, w := range counters {
			if n, found := counter(text[i:], w); found {
				step, counted = max(step, n), true
			}
		}
	}
	shown = barIn(text)
	switch {
	case counted && (measured(text) || bare(text)):
		return step, shown, true
	case shown.count > 0:
		return max(step, shown.count), shown, true
	}
	return -1, bar{}, false
}

// counters are the words before a counter; an epoch alone counts as well, for
// scripts that print nothing else.
var counters = []string{"step", "steps", "iteration", "iter", "it", "epoch", "batch", "global_step", "kimg"}

// countsFrom reports whether a word of counters may begin with two letters.
func countsFrom(a, b byte) bool {
	switch b {
	case 't':
		return a == 's' || a == 'i'
	case 'p':
		return a == 'e'
	case 'a':
		return a == 'b'
	case 'i':
		return a == 'k'
	}
	return false
}

// counter reads the number after a word: "step 10", "Step: 10/500", "iter=10", "Epoch[10]".
// A part of an epoch, as "'epoch': 1.2", is no step: it gives -1 for that.
func counter(text, word string) (int64, bool) {
	if len(text) <= len(word) || !fold.Equal(text[:len(word)], word) {
		return 0, false
	}
	i := len(word)
	for i < len(text) && i < len(word)+12 && strings.IndexByte(" :=#[('\"\t", text[i]) >= 0 {
		i++
	}
	if i == len(word) || i == len(text) || !ascii.IsDigit(text[i]) {
		return 0, false
	}
	var n int64
	for i < len(text) && ascii.IsDigit(text[i]) && n < 1<<40 {
		n = n*10 + int64(text[i]-'0')
		i++
	}
	if word == "epoch" && i+1 < len(text) && text[i] == '.' && ascii.IsDigit(text[i+1]) {
		return -1, true
	}
	return n, true
}

// bare reports whether a line is no more than a counter, as scripts print that
// measure nothing: "step 490", "[rank 3] iter 12", "Epoch 3/10". A heading of a
// list of things to do looks like "Step 2:".
func bare(text string) bool {
	text = strings.TrimRight(text, " .]")
	digits := len(text) - len(strings.TrimRight(text, "0123456789"))
	if digits == 0 {
		return false
	}
	word := text[:len(text)-digits]
	if total := strings.TrimRight(word, " "); strings.HasSuffix(total, "/") {
		word = strings.TrimRight(total, " /0123456789")
	}
	word = strings.TrimRight(word, " :=#[(")
	at := strings.LastIndexAny(word, " ])\t") + 1
	before := strings.Trim(word[:at], " []():0123456789")
	lower := word[at:] != "" && (ascii.IsLetter(word[at]) && word[at] >= 'a' || strings.Contains(text, "/"))
	return lower && slices.ContainsFunc(counters, func(c string) bool { return strings.EqualFold(word[at:], c) }) &&
		(before == "" || strings.EqualFold(before, "rank") || strings.EqualFold(before, "epoch"))
}

// measures are what stands beside a counter when a step was really done.
var measures = fold.Of("loss", "lr", "grad", "acc", "time", "tok", "samples", "it/s", "s/it", "psnr", "wer", "bleu", "reward", "ms", "mfu", "ppl", "done", "speed", "throughput", "eta", "saved")

// measured reports whether a value stands beside a counter: a word for one, or
// a number with decimals.
func measured(text string) bool { return decimal(text) || measures.In(text) }

// decimal reports whether a number with decimals stands by itself behind a space
// or a sign, as values do and versions do not.
func decimal(text string) bool {
	for i := 1; i+1 < len(text); i++ {
		if text[i] != '.' || !ascii.IsDigit(text[i-1]) || !ascii.IsDigit(text[i+1]) {
			continue
		}
		from, to := i-1, i+1
		for from > 0 && ascii.IsDigit(text[from-1]) {
			from--
		}
		for to < len(text) && ascii.IsDigit(text[to]) {
			to++
		}
		if from > 0 && strings.IndexByte(" =:-", text[from-1]) >= 0 && (to == len(text) || strings.IndexByte(" ,;|)e%", text[to]) >= 0) {
			return true
		}
		i = to
	}
	return false
}

// rankIn gives the rank that a line of progress names, -1 when it names none:
// "rank 3", "[rank 3]", "rank=3".
func rankIn(text string) int {
	i := strings.Index(text, "rank")
	if i < 0 || i > 0 && ascii.IsLetter(text[i-1]) {
		return -1
	}
	i += len("rank")
	if i < len(text) && strings.IndexByte(" =:", text[i]) >= 0 {
		i++
	}
	from, n := i, 0
	for i < len(text) && i < from+6 && ascii.IsDigit(text[i]) {
		n = n*10 + int(text[i]-'0')
		i++
	}
	if i == from || i < len(text) && (ascii.IsLetter(text[i]) || text[i] == '.') {
		return -1
	}
	return n
}

// bar is a progress bar as tqdm and its like draw it, " 45%|████▌     | 450/1000
// [03:20<04:05,  2.24it/s]".
type bar struct {
	label string // what stands before its percentage
	count int64
}

// barIn reads the bar in a line; it has no count when there is none, or it is not
// one of training.
func barIn(text string) bar {
	at := strings.Index(text, "%|")
	if at < 0 || preparing(text[:at]) {
		return bar{}
	}
	rest := text[at+2:]
	end := strings.LastIndexByte(rest, '|')
	if end < 0 {
		return bar{}
	}
	rest = strings.TrimLeft(rest[end+1:], " ")
	i, count := 0, int64(0)
	for i < len(rest) && ascii.IsDigit(rest[i]) && count < 1<<40 {
		count = count*10 + int64(rest[i]-'0')
		i++
	}
	if i == 0 || i == len(rest) || rest[i] != '/' {
		return bar{}
	}
	return bar{strings.TrimRight(text[:at], " 0123456789"), count}
}

// preparations are the words of bars that show what comes before training:
// datasets and weights being fetched, unpacked, read or converted.
var preparations = []string{
	"loading", "map", "filter", "tokeniz", "running tokenizer", "extract", "unpack", "decompress", "scanning", "caching", "download", "fetching", "upload",
	"generating train", "generating valid", "generating test", "generating splits", "resolving", "convert", "casting", "saving the dataset", "creating",
	"preproces", "packing", "removing", "cleaning", "deleting", "grouping", "building", "indexing", "flatten", "collecting", "sharding", "computing checksum", "verifying",
}

// preparing reports whether a bar's label, or the word behind the first colon of
// it, is one of them.
func preparing(label string) bool {
	_, behind, _ := strings.Cut(label, ": ")
	for _, text := range []string{label, behind} {
		text = strings.TrimLeft(text, " [(")
		for _, w := range preparations {
			if len(text) >= len(w) && fold.Equal(text[:len(w)], w) && (w != "map" || len(text) == len(w) || !ascii.IsLetter(text[len(w)])) {
				return true
			}
		}
	}
	return false
}

// progress notes a sign of progress, thinning the marks when there are many.
func (s *Scanner) progress(st *stream, l *source.Line) {
	if l.Platform || l.Kind != source.Log {
		return
	}
	step, shown, ok := progress(l.Text)
	if !ok || st.redrawn(shown) {
		return
	}
	m := Mark{Seq: s.seq, Number: l.Number, Time: st.now.at, Zoned: st.now.zoned, Step: step, Rank: st.Rank, Attempt: s.attempt(l.Doc)}
	if r := rankIn(l.Text); r >= 0 {
		m.Rank = r
	} else if l.Rank >= 0 {
		m.Rank = l.Rank
	}
	st.alarmed, st.Since = false, 0
	st.Step = st.step.note(st.of, st.Step, l)
	st.marks++
	n := len(st.Progress)
	if n > 1 && (st.marks-1)%st.stride != 0 {
		st.Progress[n-1] = m // the last one is always there
		return
	}
	for limit := st.share(keepMarks); len(st.Progress) >= limit; {
		st.thin()
	}
	st.Progress = append(st.Progress, m)
}

// longestBar bounds the label of a bar that is kept.
const longestBar = 128

// redrawn reports whether a bar behind an error is the last one again, with the
// same count: tqdm draws a bar once more when it is closed, as the exception does
// that ends its loop, so that it tells no step.
func (st *stream) redrawn(b bar) bool {
	if b.count == 0 || len(b.label) > longestBar {
		return false
	}
	if st.bar == b {
		return st.alarmed
	}
	if st.bar.label != b.label {
		st.bar.label = strings.Clone(b.label)
	}
	st.bar.count = b.count
	return false
}

// steppedLike reports whether a line begins as the last that told a step did: below
// an exception it is the next step then, and no part of the message.
func (st *stream) steppedLike(text string) bool {
	if st.Step == nil {
		return false
	}
	n := strings.IndexAny(text, "0123456789")
	return n > 0 && ascii.IsLetter(text[0]) && strings.HasPrefix(st.Step.Text, text[:n]) && len(st.Step.Text) > n && ascii.IsDigit(st.Step.Text[n])
}

// lastStep is the Seq of the last mark of progress, 0 when there is none.
func (st *stream) lastStep() int {
	if n := len(st.Progress); n > 0 {
		return st.Progress[n-1].Seq
	}
	return 0
}

// thin drops every second mark.
func (st *stream) thin() {
	marks := make([]Mark, 0, len(st.Progress)/2+2)
	for i := 0; i < len(st.Progress); i += 2 {
		marks = append(marks, st.Progress[i])
	}
	st.Progress = marks
	st.stride *= 2
}
