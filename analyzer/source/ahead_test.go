package source

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
)

// packedLog gives a gzip file of several blocks, and what is in it.
func packedLog(t *testing.T) (packed []byte, text string) {
	t.Helper()
	text = strings.Repeat("step 1 loss 2.5\nstep 2 loss 2.4\n", 5*aheadBlock/32) + "the end"
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), text
}

func TestReadAhead(t *testing.T) {
	packed, text := packedLog(t)
	for name, tt := range map[string]struct {
		packed []byte
		err    error
	}{
		"whole": {packed, nil},
		"cut":   {packed[:len(packed)/2], io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			var b budget
			a, err := readAhead(gzipped, &sized{bytes.NewReader(tt.packed), int64(len(tt.packed))}, &b)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			got, err := io.ReadAll(a)
			if !errors.Is(err, tt.err) || !strings.HasPrefix(text, string(got)) || tt.err == nil && len(got) != len(text) {
				t.Errorf("%d of %d bytes, error %v, want %v", len(got), len(text), err, tt.err)
			}
			if b.stored != int64(len(tt.packed)) {
				t.Errorf("%d stored bytes are counted, want %d", b.stored, len(tt.packed))
			}
		})
	}
}

// TestReadAheadEndsEarly: closing waits for the decompression, also when nobody
// took what it has made.
func TestReadAheadEndsEarly(t *testing.T) {
	packed, _ := packedLog(t)
	for _, n := range []int{0, 1, aheadBlock + 1} {
		var b budget
		a, err := readAhead(gzipped, &sized{bytes.NewReader(packed), int64(len(packed))}, &b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(a, make([]byte, n)); err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestReadAheadPanics: a decoder that panics does so where it is read from.
func TestReadAheadPanics(t *testing.T) {
	a := &ahead{full: make(chan block, 1), empty: make(chan []byte, 1), stop: make(chan struct{}), b: &budget{}}
	a.empty <- nil
	a.ended.Go(func() { a.fill(panicking{}, &budget{}) })
	defer func() {
		if p := recover(); p != "damaged" {
			t.Errorf("panic is %v", p)
		}
	}()
	_, err := a.Read(make([]byte, 1))
	t.Errorf("no panic, error %v", err)
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("damaged") }
