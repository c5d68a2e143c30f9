package source

import (
	"bytes"
	"io"
)

// How many goroutines scout, how many blocks may wait to be looked through, and
// how many there are: besides those, one for each scout, that whose lines are
// taken, the one behind it, and one that is ready.
const (
	scoutsAtOnce  = 2
	mostUnseen    = 2
	blocksAtOnce  = mostUnseen + scoutsAtOnce + 3
	mostIdleReads = 100 // in a row, before a reader is given up
)

// scouts read a document ahead of what takes its lines, and find what stands in
// it: one leads and reads, the others look through what it has read. The blocks
// come out in order, and their borders depend on the document only.
type scouts struct {
	r    io.Reader
	size int // of a block
	find func(block []byte, hits []int) []int

	lead  chan struct{} // holds one while somebody leads, and when all is read
	begun []byte        // the line that the last block broke off in
	err   error         // that r ended with
	ended bool          // nothing is left to read, or the reader panicked

	ready chan *scouted // in the order of the document
	read  chan *scouted // to be looked through
	spare chan *scouted
	stop  chan struct{}
}

// scouted is a block. It ends where a line ends, unless it is the last, or a
// line is longer than a block.
type scouted struct {
	buf  []byte // longer than what is used of it by as much as a kind of lines compares
	end  int    // of what is used
	hits []int  // ascending
	err  error  // behind the block: it is the last
	done chan struct{}

	panicked any
}

// newScouts begins with what was read of a document, but not taken, and the
// error that was met behind it. The first block is made before any scout sets
// out: of a short document it is all.
func newScouts(r io.Reader, begun []byte, err error, size int, find func([]byte, []int) []int) *scouts {
	s := &scouts{r: r, size: size, find: find, begun: bytes.Clone(begun), err: err,
		lead: make(chan struct{}, 1), ready: make(chan *scouted, blocksAtOnce), read: make(chan *scouted, mostUnseen),
		spare: make(chan *scouted, blocksAtOnce), stop: make(chan struct{})}
	for range blocksAtOnce {
		s.spare <- &scouted{done: make(chan struct{}, 1)}
	}
	first := <-s.spare
	s.fill(first)
	s.look(first)
	if !s.ended {
		for range scoutsAtOnce {
			go s.run()
		}
	}
	return s
}

func (s *scouts) run() {
	for {
		select {
		case s.lead <- struct{}{}:
			s.goAhead()
		case b := <-s.read:
			s.look(b)
		case <-s.stop:
			return
		}
	}
}

// goAhead reads blocks while others keep up with looking through them: what is
// slow to read, since it is decompressed, is read without a break. It looks
// through the last one itself, and meanwhile another may lead.
func (s *scouts) goAhead() {
	for {
		select {
		case b := <-s.spare:
			s.fill(b)
			if s.ended {
				s.look(b)
				return
			}
			select {
			case s.read <- b:
			default:
				<-s.lead
				s.look(b)
				return
			}
		case <-s.stop:
			return
		}
	}
}

// look finds what stands in a block.
func (s *scouts) look(b *scouted) {
	defer s.finish(b)
	b.hits = s.find(b.buf[:b.end], b.hits[:0])
}

// finish hands on a panic, to be met where errors of the reader are.
func (s *scouts) finish(b *scouted) {
	if p := recover(); p != nil {
		b.panicked = p
	}
	b.done <- struct{}{}
}

// fill reads a block.
func (s *scouts) fill(b *scouted) {
	s.ready <- b // there is room for all blocks
	s.ended = true
	defer func() { b.panicked = recover() }()
	if room := max(s.size, 2*len(s.begun)) + longestHead; len(b.buf) < room {
		b.buf = make([]byte, room)
	}
	b.end = copy(b.buf, s.begun)
	for idle := 0; b.end < len(b.buf)-longestHead && s.err == nil; {
		var n int
		n, s.err = s.r.Read(b.buf[b.end : len(b.buf)-longestHead])
		b.end += n
		if idle++; n > 0 {
			idle = 0
		}
		if idle == mostIdleReads && s.err == nil {
			s.err = io.ErrNoProgress
		}
	}
	s.begun = s.begun[:0]
	if b.err = s.err; b.err != nil {
		return
	}
	s.ended = false
	if end := bytes.LastIndexByte(b.buf[:b.end], '\n') + 1; end > 0 {
		s.begun = append(s.begun, b.buf[end:b.end]...)
		b.end = end
	}
}

// close sends the scouts home. It does not wait for one that reads from a stream
// nobody writes to.
func (s *scouts) close() { close(s.stop) }

// wait gives the next block.
func (s *scouts) wait() *scouted {
	b := <-s.ready
	if <-b.done; b.panicked != nil {
		panic(b.panicked)
	}
	return b
}

// linesBefore counts the lines of a block before its first hit, and the block's
// end, up to n.
func (b *scouted) linesBefore(n int) (lines int) {
	quiet := b.buf[:b.end]
	if len(b.hits) > 0 {
		quiet = quiet[:b.hits[0]]
	}
	for lines < n {
		i := bytes.IndexByte(quiet, '\n')
		if i < 0 {
			break
		}
		quiet = quiet[i+1:]
		lines++
	}
	return lines
}
