package xz

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

// pack compresses text with a check of a kind.
func pack(t testing.TB, text string, check byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := xz.WriterConfig{CheckSum: check}.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func unpack(packed []byte) (string, error) {
	r, err := NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	out, err := io.ReadAll(io.LimitReader(r, 1<<20))
	return string(out), err
}

func TestReader(t *testing.T) {
	text := strings.Repeat("step 1 loss 2.5\n", 100)
	for _, check := range []byte{xz.None, xz.CRC32, xz.CRC64, xz.SHA256} {
		packed := pack(t, text, check)
		if got, err := unpack(packed); got != text || err != nil {
			t.Errorf("check %d: %d bytes, %v", check, len(got), err)
		}
		twice := append(bytes.Clone(packed), append(make([]byte, 8), packed...)...)
		if got, err := unpack(twice); got != text+text || err != nil {
			t.Errorf("check %d, two streams with padding between: %d bytes, %v", check, len(got), err)
		}
	}
}

// Whatever is cut off or turned over is told, and what was read before it is whole.
func TestDamage(t *testing.T) {
	text := strings.Repeat("step 1 loss 2.5\n", 100)
	packed := pack(t, text, xz.CRC64)
	for n := range len(packed) - 12 { // the footer is not needed
		if got, err := unpack(packed[:n]); err == nil || !strings.HasPrefix(text, got) {
			t.Errorf("cut at %d: %d bytes, %v", n, len(got), err)
		}
	}
	for i := 12; i < len(packed)-64; i++ { // header and data of the block
		broken := bytes.Clone(packed)
		broken[i] ^= 0x10
		if got, err := unpack(broken); err == nil && got != text {
			t.Errorf("byte %d turned over: %d bytes without an error", i, len(got))
		}
	}
}

// FuzzReader checks that damaged data ends, with an error or with data.
func FuzzReader(f *testing.F) {
	for _, check := range []byte{xz.None, xz.CRC32, xz.CRC64} {
		f.Add(pack(f, "Traceback (most recent call last):\n", check))
	}
	f.Add([]byte("\xfd7zXZ\x00"))
	f.Fuzz(func(t *testing.T, packed []byte) { unpack(packed) })
}
