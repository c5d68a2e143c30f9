// Package charset turns the stored bytes of text into UTF-8 and takes out what a
// terminal would act on instead of showing it.
package charset

import (
	"bytes"
	"encoding/binary"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// The encodings that documents are told to have.
const (
	UTF8    = "utf-8"
	UTF16LE = "utf-16le"
	UTF16BE = "utf-16be"
	GB18030 = "gb18030"
)

// Decoder turns the stored bytes of lines into UTF-8. Whether a line that is
// not UTF-8 is GB18030 or damaged is decided line by line, because logs are
// put together from programs that disagree.
type Decoder struct {
	Name   string // of the encoding, as Detect tells it
	buf    []byte
	asUTF8 int // lines that were UTF-8 beyond ASCII
	asGB   int // lines that were GB18030
}

// Detect tells the encoding from the first bytes, and how long a byte order
// mark is.
func Detect(head []byte) (name string, bom int) {
	switch {
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		return UTF8, 3
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return UTF16LE, 2
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return UTF16BE, 2
	}
	if name := bareUTF16(head); name != "" {
		return name, 0
	}
	return UTF8, 0
}

// bareUTF16 recognises UTF-16 without a mark: half of the bytes of any log are
// NUL then, all of them at even or all at odd places.
func bareUTF16(head []byte) string {
	head = head[:min(len(head), 4096)&^1]
	var even, odd int
	for i := 0; i+1 < len(head); i += 2 {
		if head[i] == 0 && isPrintable(head[i+1]) {
			even++
		}
		if head[i+1] == 0 && isPrintable(head[i]) {
			odd++
		}
	}
	units := len(head) / 2
	switch {
	case units < 4:
		return ""
	case odd*2 > units && even*20 < units:
		return UTF16LE
	case even*2 > units && odd*20 < units:
		return UTF16BE
	}
	return ""
}

func isPrintable(c byte) bool {
	return c >= ' ' && c < 0x7f || c == '\n' || c == '\r' || c == '\t' || c == 0x1b
}

// Wide says whether a character is stored in units of two bytes.
func (d *Decoder) Wide() bool { return d.Name == UTF16LE || d.Name == UTF16BE }

// GB reports whether a line was GB18030 so far.
func (d *Decoder) GB() bool { return d.asGB > 0 }

// Decode gives the UTF-8 of stored bytes. The result is stored itself or
// valid until the next call.
func (d *Decoder) Decode(stored []byte) []byte {
	if d.Wide() {
		return d.utf16(stored)
	}
	if IsASCII(stored) {
		return stored
	}
	valid := utf8.Valid(stored)
	if valid && d.asGB <= d.asUTF8 {
		d.asUTF8++
		return stored
	}
	if d.gb(stored, valid) {
		return d.buf
	}
	if valid {
		d.asUTF8++
		return stored
	}
	d.buf = appendValid(d.buf[:0], stored)
	return d.buf
}

// IsASCII reports whether all of b is ASCII.
func IsASCII(b []byte) bool {
	for len(b) >= 8 {
		if binary.LittleEndian.Uint64(b)&0x8080808080808080 != 0 {
			return false
		}
		b = b[8:]
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// gb decodes stored as GB18030 into d.buf when that reads like Chinese and
// UTF-8 does not.
func (d *Decoder) gb(stored []byte, valid bool) bool {
	if !valid && mostlyUTF8(stored) {
		return false
	}
	out, err := simplifiedchinese.GB18030.NewDecoder().Bytes(stored)
	if err != nil || !readsChinese(out) {
		return false
	}
	d.buf = append(d.buf[:0], out...)
	d.asGB++
	return true
}

// mostlyUTF8 says whether a line is UTF-8 with some damage, such as a
// character cut in two.
func mostlyUTF8(b []byte) bool {
	var good, bad int
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case n >= 3:
			good++
		}
		b = b[n:]
	}
	return good >= bad
}

// readsChinese says whether the characters beyond ASCII are those that Chinese
// text is made of.
func readsChinese(b []byte) bool {
	var common, all int
	for _, r := range string(b) {
		switch {
		case r < utf8.RuneSelf:
			continue
		case r == utf8.RuneError:
			return false
		case unicode.Is(chinese, r):
			common++
		}
		all++
	}
	return all > 0 && common*10 >= all*9
}

// chinese is what stands in logs that are Chinese: ideographs, punctuation, signs
// of measures, arrows, boxes and emoji, of which GB18030 stores many in four bytes.
var chinese = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0xb0, 0xb1, 1}, {0xb7, 0xb7, 1}, {0xd7, 0xd7, 1}, {0xf7, 0xf7, 1}, {0x391, 0x3c9, 1}, {0x2010, 0x2bff, 1},
		{0x3000, 0x303f, 1}, {0x4e00, 0x9fff, 1}, {0xfe0f, 0xfe0f, 1}, {0xff00, 0xffef, 1},
	},
	R32:         []unicode.Range32{{0x1f000, 0x1faff, 1}},
	LatinOffset: 4,
}

// appendValid copies b with each invalid byte replaced by U+FFFD.
func appendValid(dst, b []byte) []byte {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, "\uFFFD"...)
		} else {
			dst = append(dst, b[:n]...)
		}
		b = b[n:]
	}
	return dst
}

func (d *Decoder) utf16(stored []byte) []byte {
	out := d.buf[:0]
	var high rune
	for i := 0; i+1 < len(stored); i += 2 {
		u := rune(stored[i]) | rune(stored[i+1])<<8
		if d.Name == UTF16BE {
			u = rune(stored[i])<<8 | rune(stored[i+1])
		}
		out, high = appendUnit(out, u, high)
	}
	if high != 0 || len(stored)%2 == 1 {
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	d.buf = out
	return out
}

// appendUnit appends one UTF-16 unit; high is the high surrogate before it.
func appendUnit(out []byte, u, high rune) ([]byte, rune) {
	if high != 0 {
		if u >= 0xdc00 && u < 0xe000 {
			return utf8.AppendRune(out, (high-0xd800)<<10|(u-0xdc00)+0x10000), 0
		}
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	switch {
	case u >= 0xd800 && u < 0xdc00:
		return out, u
	case u >= 0xdc00 && u < 0xe000:
		u = utf8.RuneError
	}
	return utf8.AppendRune(out, u), 0
}
