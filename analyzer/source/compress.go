package source

import (
	"bufio"
	"compress/bzip2"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"hcloud-modelarts/analyzer/source/xz"
)

// largestWindow is that of zstd --long.
const largestWindow = 128 << 20

// decompressor reads what a compressed source holds. All of them go on over
// the border of concatenated streams.
func decompressor(f format, r *bufio.Reader) (io.ReadCloser, error) {
	switch f {
	case gzipped:
		return gzip.NewReader(r)
	case zstdd:
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(largestWindow), zstd.WithDecoderMaxMemory(largestWindow))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	case bzipped:
		return io.NopCloser(bzip2.NewReader(r)), nil
	default:
		return xz.NewReader(r)
	}
}

// unpack reads a compressed source, which holds one other source.
func (s *session) unpack(name string, f format, r *bufio.Reader, depth int) {
	dec, err := decompressor(f, r)
	if err != nil {
		s.refuse(name, "damaged", err)
		return
	}
	defer dec.Close()
	s.source(name, bufio.NewReaderSize(metered{dec, &s.budget}, peekSize), nil, depth+1)
}
