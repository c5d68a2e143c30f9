package scan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"hcloud-modelarts/analyzer/fold"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// filter finds where in a block of text something may stand that the scanner
// has to see: the key literal of a wording, or what opens a traceback or a
// dump. It looks at every four bytes that begin at an even offset, so that each
// literal is met by one of two grams that begin beside one another in it; one
// byte of a gram may lie outside a short literal, and be any.
type filter struct {
	sieve    sieve   // of the grams
	heads    []int32 // by a gram's hash, the number of its first entry, from 1
	top      uint    // bits of the hash that are left out there
	entries  []entry
	literals []literal
	short    [][]byte // literals of fewer than four bytes: looked for one by one
	grams    []uint32 // scratch
}

// entry is a gram, and where it stands in a literal.
type entry struct {
	gram    uint32
	next    int32 // of the same place in heads, from 1
	literal int32
	offset  int32
}

// literal is what a line has to hold, letters compared without case or with it.
type literal struct {
	text string
	fold bool
}

// own are the texts, besides the rules' literals, that the scanner and the
// readers of lines look for anywhere in a line.
var own = []string{"modelarts-job-", "Platform=ModelArts-Service", "==> ", " | rc="}

func newFilter(wordings []wording) *filter {
	f := &filter{literals: make([]literal, 0, len(wordings)+64), entries: make([]entry, 0, 3*len(wordings))}
	for _, w := range wordings {
		f.add(literal{keyLiteral(w.w), w.w.Fold})
	}
	for _, s := range append(traceback.Openings(), own...) {
		f.add(literal{text: s})
	}
	f.index()
	return f
}

// add makes the entries of a literal.
func (f *filter) add(l literal) {
	if len(l.text) < 4 {
		f.short = append(f.short, []byte(l.text))
		return
	}
	n := int32(len(f.literals))
	f.literals = append(f.literals, l)
	at := rarestPair(l.text)
	for offset := at; offset <= at+1; offset++ {
		f.grams = gramsAt(f.grams[:0], l.text, offset)
		for _, gram := range f.grams {
			f.entries = append(f.entries, entry{gram: gram, literal: n, offset: int32(offset)})
		}
	}
}

// index makes the sieve, and chains the entries.
func (f *filter) index() {
	place := uint(bits.Len(uint(len(f.entries))))
	f.heads, f.top = make([]int32, 1<<place), 32-place
	f.sieve = newSieve(len(f.entries))
	for i := range f.entries {
		e := &f.entries[i]
		f.sieve.put(e.gram)
		head := &f.heads[e.gram*multiplier>>f.top]
		e.next, *head = *head, int32(i+1)
	}
}

// gramsAt appends the grams that may begin at an offset of a literal: one, or 128
// where the byte before the literal or that behind it is part of them.
func gramsAt(grams []uint32, s string, offset int) []uint32 {
	if offset >= 0 && offset+4 <= len(s) {
		return append(grams, gramAt(s, offset))
	}
	for c := range uint32(256) {
		switch {
		case c&0x20 == 0:
		case offset < 0:
			grams = append(grams, foldedBytes(s[:3])<<8|c)
		default:
			grams = append(grams, foldedBytes(s[offset:])|c<<24)
		}
	}
	return grams
}

// rarestPair gives the offset of the first of the two neighbouring grams of a
// literal that are least likely in a log.
func rarestPair(s string) int {
	best, at := -1000, 0
	first := seldom(s, -1)
	for i := -1; i+4 <= len(s); i++ {
		second := seldom(s, i+1)
		if first+second > best {
			best, at = first+second, i
		}
		first = second
	}
	return at
}

// seldom is the greater the less a gram is to be expected in a healthy log. What
// of it lies outside the literal is unknown; digits and their marks are everywhere.
func seldom(s string, offset int) int {
	if offset >= 0 && offset+4 <= len(s) {
		return scarcity(gramAt(s, offset), int(rarity[s[offset]])+int(rarity[s[offset+1]])+int(rarity[s[offset+2]])+int(rarity[s[offset+3]]))
	}
	known, score := s[max(0, offset):min(len(s), offset+4)], 0
	for i := range len(known) {
		score += int(rarity[known[i]])
	}
	return scarcity(foldedBytes(known), score) - 2
}

// scarcity takes from the rarities of a gram's bytes what it lacks as a whole.
func scarcity(gram uint32, rarities int) int {
	if rarities == 0 {
		rarities = -100
	}
	if commonGrams().has(gram) {
		rarities -= 100
	}
	return rarities
}

// foldedBytes are up to four bytes as a number.
func foldedBytes(s string) (n uint32) {
	for i := range len(s) {
		n |= uint32(s[i]|0x20) << (8 * i)
	}
	return n
}

// common are words of lines that a healthy training prints again and again.
const common = ` 0000 1000 2000 INFO INFO: [INFO] DEBUG WARNING: [rank0]: rank worker-0 local_rank world_size global_rank
 step steps: step= iteration iter Epoch: epoch= [epoch] batch samples consumed samples: elapsed time per iteration (ms):
 loss: loss= 'loss': train_loss lm loss total_loss loss scale: grad_norm 'grad_norm': grad norm: learning rate: 'learning_rate':
 lr: tokens/s tokens per second throughput tflops TFLOPs samples/s samples_per_second speed it/s s/it eta remaining
 memory mem: max mem max memory allocated reserved cuda GPU NPU device HBM utilization usage GiB MiB MB
 accuracy acc: top1 top5 eval validation val_loss metrics perplexity ppl bleu map mIoU reward
 forward backward optimizer data_time batch_time number of skipped iterations number of nan iterations params
 train.py: trainer.py: main.py: training.py: logging.py: hook.py: utils.py: runner.py: engine.py: timer.py: finetune.py: pretrain.py: run.py: log_buffer
 checkpoint saving saved model loading file from path dataset sampler dataloader worker process group init start
 info: message: level request requests required requires retry retrying the this error errors warning service time=2026 Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun 2025- 2026- 2027- ms s |
`

// commonGrams are those words' runs of four bytes, and of three.
var commonGrams = sync.OnceValue(func() *sieve {
	grams := newSieve(4 * len(common))
	for i := 0; i+4 <= len(common); i++ {
		grams.put(foldedBytes(common[i : i+4]))
		grams.put(foldedBytes(common[i : i+3]))
	}
	return &grams
})

const multiplier = 2654435761

// hits appends an offset in each line of the block in which something stands.
func (f *filter) hits(block []byte, found []int) []int {
	if f.hasShort(block) {
		return everyLine(block, found)
	}
	for i := f.sieve.next(block, 0); i >= 0; i = f.sieve.next(block, i) {
		if block[i+1] == '\n' { // it would be within a literal
			for i += 2; i+1 < len(block) && block[i+1] == '\n'; {
				i += 2
			}
			continue
		}
		gram := binary.LittleEndian.Uint32(block[i:]) | folded
		if !f.verify(block, i, gram) {
			i += 2
			continue
		}
		if block[i] == '\n' { // before the line
			i++
		}
		found = append(found, i)
		n := bytes.IndexByte(block[i:], '\n')
		if n < 0 {
			break
		}
		i = (i + n + 1) &^ 1
	}
	return found
}

// verify looks for the literals that have a gram at a place.
func (f *filter) verify(block []byte, i int, gram uint32) bool {
	for n := f.heads[gram*multiplier>>f.top]; n != 0; {
		e := &f.entries[n-1]
		if e.gram == gram && f.literals[e.literal].standsAt(block, i-int(e.offset)) {
			return true
		}
		n = e.next
	}
	return false
}

func (l *literal) standsAt(block []byte, from int) bool {
	if from < 0 || from+len(l.text) > len(block) {
		return false
	}
	there := block[from : from+len(l.text)]
	if l.fold {
		return equalFoldBytes(there, l.text)
	}
	return string(there) == l.text
}

func equalFoldBytes(a []byte, b string) bool {
	for i, c := range a {
		if fold.Lower(c) != fold.Lower(b[i]) {
			return false
		}
	}
	return true
}

func (f *filter) hasShort(block []byte) bool {
	return slices.ContainsFunc(f.short, func(s []byte) bool { return bytes.Contains(block, s) })
}

// everyLine appends the offset of each line.
func everyLine(block []byte, found []int) []int {
	for i := 0; i < len(block); i++ {
		found = append(found, i)
		n := bytes.IndexByte(block[i:], '\n')
		if n < 0 {
			break
		}
		i += n
	}
	return found
}

// Hits appends the offset in block of the first thing of each line that may
// concern the scanner.
func (s *Scanner) Hits(block []byte, hits []int) []int {
	return s.filter().hits(block, hits)
}

// Plain reports whether a line that begins with a word is known by what Hits
// finds in it.
func (s *Scanner) Plain(word string) bool { return !traceback.Begins(word) }

// Idle reports whether the stream of the last line, and its document, wait for
// nothing.
func (s *Scanner) Idle() (stream, document bool) {
	st := s.current
	return st.parser.Idle() && st.stacks.Idle() && len(st.uncalmed) == 0, len(st.now.open) == 0
}

// Skip takes the last lines of each kind of n lines that hold nothing but
// progress. The marks of progress are thinner then, but for the last.
func (s *Scanner) Skip(last []source.Skipped, n int) {
	base := s.seq
	for i := range last {
		l := &last[i].Line
		s.seq = base + last[i].Place + 1
		st := s.stream(l)
		st.see(l, s.seq)
		st.Lines += last[i].Count - 1
		s.tell(st, l)
		s.tally(l)
		own := !l.Platform && l.Text != ""
		if own {
			// How many of them stand behind the last step is not known: all that can.
			st.Since += min(last[i].Count, s.seq-max(base, st.lastStep()))
		}
		s.progress(st, l)
		if own && !st.alarmed {
			st.Calm = st.calm.note(st.of, st.Calm, l)
		}
		_, text := s.short.of(l)
		st.above = logged{text, l.Level}
	}
	s.seq = base + n
}
