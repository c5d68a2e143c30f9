package source

import (
	"bytes"
	"io"
	"sync"
)

// How many goroutines scout, and how many blocks they have between them: one
// each, that whose lines are taken, the one behind it, and one that is ready.
const (
	scoutsAtOnce  = 2
	blocksAtOnce  = scoutsAtOnce + 3
	mostIdleReads = 100 // in a row, before a reader is given up
)

// scouts read a document ahead of what takes its lines, and find what stands in
// it: while one reads a block, others look through those before it, each while
// it is in the cache of their processor. The blocks come out in order, and their
// borders depend on the document only.
type scouts struct {
	r    io.Reader
	size int // of a block
	find func(block []byte, hits []int) []int

	turn  sync.Mutex // held by the one that reads
	begun []byte     // the line that the last block broke off in
	err   error      // that r ended with
	ended bool       // nothing is left to read, or the reader panicked

	ready chan *scouted // in the order of the document
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
		ready: make(chan *scouted, blocksAtOnce), spare: make(chan *scouted, blocksAtOnce), stop: make(chan struct{})}
	for range blocksAtOnce {
		s.spare <- &scouted{done: make(chan struct{}, 1)}
	}
	if s.scout(<-s.spare) && !s.ended {
		for range scoutsAtOnce {
			go s.run()
		}
	}
	return s
}

func (s *scouts) run() {
	for more := true; more; {
		select {
		case b := <-s.spare:
			more = s.scout(b)
		case <-s.stop:
			return
		}
	}
}

// scout makes the next block, and is false when there is none.
func (s *scouts) scout(b *scouted) bool {
	s.turn.Lock()
	if s.ended {
		s.turn.Unlock()
		return false
	}
	s.ready <- b // there is room for all blocks
	defer func() {
		b.panicked = recover() // to be met where errors of other readers are
		b.done <- struct{}{}
	}()
	s.read(b)
	b.hits = s.find(b.buf[:b.end], b.hits[:0])
	return true
}

// read fills a block, and gives the turn to the next scout.
func (s *scouts) read(b *scouted) {
	defer s.turn.Unlock()
	s.ended = true
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

// wait gives the next block. Until it is done, the one that waits is a scout.
func (s *scouts) wait() *scouted {
	for len(s.ready) == 0 && s.help() {
	}
	b := <-s.ready
	for len(b.done) == 0 && s.help() {
	}
	if <-b.done; b.panicked != nil {
		panic(b.panicked)
	}
	return b
}

// help makes a block, false when there is none to make.
func (s *scouts) help() bool {
	select {
	case b := <-s.spare:
		return s.scout(b)
	default:
		return false
	}
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
