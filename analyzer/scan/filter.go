package scan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// filter finds where in a block of text something may stand that the scanner
// has to see: the key literal of a wording, or what opens a traceback or a
// dump. It looks at every four bytes that begin at an even offset, so that each
// literal is met by one of two grams that begin beside one another in it; one
// byte of a gram may lie outside a short literal, and be any.
type filter struct {
	sieve sieve     // of the grams
	table []slotted // open addressing by gram, with one slot in two used
	top   uint      // bits that the place in the table leaves out
	short [][]byte  // literals of fewer than four bytes: looked for one by one
}

// slotted are the needles of one gram.
type slotted struct {
	gram    uint32
	needles []needle // nil in a free slot
}

// needle is a literal, and where its gram stands in it.
type needle struct {
	literal string
	offset  int
	fold    bool
}

// own are the texts, besides the rules' literals, that the scanner and the
// readers of lines look for anywhere in a line.
var own = []string{"modelarts-job-", "Platform=ModelArts-Service", "==> ", " | rc="}

func newFilter(wordings []wording) *filter {
	f := &filter{}
	grams := map[uint32][]needle{}
	for _, w := range wordings {
		f.add(grams, needle{literal: keyLiteral(w.w), fold: w.w.Fold})
	}
	for _, s := range append(traceback.Openings(), own...) {
		f.add(grams, needle{literal: s})
	}
	f.pack(grams)
	return f
}

// add puts the grams of a literal into the map.
func (f *filter) add(grams map[uint32][]needle, n needle) {
	if len(n.literal) < 4 {
		f.short = append(f.short, []byte(n.literal))
		return
	}
	at := rarestPair(n.literal)
	for n.offset = at; n.offset <= at+1; n.offset++ {
		for _, gram := range gramsAt(n.literal, n.offset) {
			grams[gram] = append(grams[gram], n)
		}
	}
}

// gramsAt gives the grams that may begin at an offset of a literal: one, or 128
// where the byte before the literal or that behind it is part of them.
func gramsAt(s string, offset int) []uint32 {
	if offset >= 0 && offset+4 <= len(s) {
		return []uint32{gramAt(s, offset)}
	}
	var grams []uint32
	for c := range 256 {
		switch {
		case c&0x20 == 0:
		case offset < 0:
			grams = append(grams, gramAt(string([]byte{byte(c)})+s[:3], 0))
		default:
			grams = append(grams, gramAt(s[offset:]+string([]byte{byte(c)}), 0))
		}
	}
	return grams
}

// rarestPair gives the offset of the first of the two neighbouring grams of a
// literal that are least likely in a log.
func rarestPair(s string) int {
	best, at := -1000, 0
	for i := -1; i+4 <= len(s); i++ {
		if score := seldom(s, i) + seldom(s, i+1); score > best {
			best, at = score, i
		}
	}
	return at
}

// seldom is the greater the less a gram is to be expected in a healthy log. What
// of it lies outside the literal is unknown, and digits are everywhere.
func seldom(s string, offset int) int {
	known := s[max(0, offset):min(len(s), offset+4)]
	score, digits := 0, true
	for _, c := range []byte(known) {
		score += int(rarity[c])
		digits = digits && digit(c)
	}
	if len(known) < 4 {
		score -= 2
	}
	if digits {
		score -= 100
	}
	if commonGrams()[foldedBytes(known)] {
		score -= 100
	}
	return score
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
var commonGrams = sync.OnceValue(func() map[uint32]bool {
	grams := map[uint32]bool{}
	for i := 0; i+4 <= len(common); i++ {
		grams[foldedBytes(common[i:i+4])] = true
		grams[foldedBytes(common[i:i+3])] = true
	}
	return grams
})

// pack makes the sieve and the table.
func (f *filter) pack(grams map[uint32][]needle) {
	place := uint(bits.Len(uint(2 * len(grams))))
	f.table, f.top = make([]slotted, 1<<place), 32-place
	f.sieve = newSieve(len(grams))
	for gram, needles := range grams {
		f.sieve.put(gram)
		i := gram * multiplier >> f.top
		for f.table[i].needles != nil {
			i = f.after(i)
		}
		f.table[i] = slotted{gram, needles}
	}
}

func (f *filter) after(i uint32) uint32 { return (i + 1) & uint32(len(f.table)-1) }

const multiplier = 2654435761

// hits appends an offset in each line of the block in which something stands.
func (f *filter) hits(block []byte, found []int) []int {
	if f.hasShort(block) {
		return everyLine(block, found)
	}
	for i := f.sieve.next(block, 0); i >= 0; i = f.sieve.next(block, i) {
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
	h := gram * multiplier >> f.top
	for f.table[h].gram != gram {
		if f.table[h].needles == nil {
			return false
		}
		h = f.after(h)
	}
	needles := f.table[h].needles
	for k := range needles {
		if n := &needles[k]; n.standsAt(block, i-n.offset) {
			return true
		}
	}
	return false
}

func (n *needle) standsAt(block []byte, from int) bool {
	if from < 0 || from+len(n.literal) > len(block) {
		return false
	}
	there := block[from : from+len(n.literal)]
	if n.fold {
		return equalFoldBytes(there, n.literal)
	}
	return string(there) == n.literal
}

func equalFoldBytes(a []byte, b string) bool {
	for i, c := range a {
		if lower(c) != lower(b[i]) {
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
	if s.filter == nil {
		s.filter = newFilter(s.wordings)
	}
	return s.filter.hits(block, hits)
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
			st.Calm = st.calm.note(st.Calm, l)
		}
		st.above = logged{Shorten(l.Text), l.Level}
	}
	s.seq = base + n
}
