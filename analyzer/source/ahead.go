package source

import (
	"bufio"
	"io"
	"sync"
)

// The blocks in which a file is decompressed ahead of what reads it.
const (
	aheadBlock  = 1 << 20
	aheadBlocks = 3
)

// ahead decompresses a file while what came out before is looked through, on a
// processor of its own. What is told of the file's stored bytes is told block by
// block, so that bounds are met at the same byte in every run.
type ahead struct {
	full   chan block
	empty  chan []byte
	stop   chan struct{}
	ended  sync.WaitGroup
	b      *budget
	block  block
	rest   []byte // of the block
	closer io.Closer
}

// block is a part of what was decompressed.
type block struct {
	data   []byte
	stored int64 // bytes of the file that were read until then
	err    error // behind the data

	panicked any
}

// readAhead begins to decompress a file from its start.
func readAhead(f format, file *sized, b *budget) (*ahead, error) {
	own := &budget{} // only to count what is stored
	dec, err := decompressor(f, bufio.NewReaderSize(storedReader{io.NewSectionReader(file, 0, file.size), own}, peekSize))
	if err != nil {
		return nil, err
	}
	a := &ahead{full: make(chan block, aheadBlocks), empty: make(chan []byte, aheadBlocks), stop: make(chan struct{}), b: b, closer: dec}
	for range aheadBlocks {
		a.empty <- nil
	}
	a.ended.Go(func() { a.fill(dec, own) })
	return a, nil
}

// fill decompresses until the end, an error, or Close.
func (a *ahead) fill(dec io.Reader, own *budget) {
	defer func() {
		if p := recover(); p != nil { // to be met where errors of other readers are
			a.full <- block{panicked: p}
		}
	}()
	for {
		var buf []byte
		select {
		case buf = <-a.empty:
		case <-a.stop:
			return
		}
		if buf == nil {
			buf = make([]byte, aheadBlock)
		}
		n, err := 0, error(nil)
		for n < len(buf) && err == nil {
			var m int
			m, err = dec.Read(buf[n:])
			n += m
		}
		a.full <- block{data: buf[:n], stored: own.stored, err: err} // there is room for all blocks
		if err != nil {
			return
		}
	}
}

func (a *ahead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.block.err != nil {
			return 0, a.block.err
		}
		if a.block.data != nil {
			a.empty <- a.block.data[:cap(a.block.data)]
		}
		if a.block = <-a.full; a.block.panicked != nil {
			panic(a.block.panicked)
		}
		a.rest, a.b.stored = a.block.data, a.block.stored
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Close ends the decompression, also before its end.
func (a *ahead) Close() error {
	close(a.stop)
	a.ended.Wait()
	return a.closer.Close()
}
