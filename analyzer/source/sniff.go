package source

import (
	"bufio"
	"bytes"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/source/charset"
)

// skipHole goes past the NULs that a log begins with when it was cut while its
// writer had it open. It gives what follows them, nothing when that is nothing.
func skipHole(r *bufio.Reader, head []byte) (rest []byte, skipped int64) {
	for len(head) > 0 && head[0] == 0 {
		n := len(head) - len(bytes.TrimLeft(head, "\x00"))
		if n < len(head) && n < leastHole {
			return head, skipped
		}
		n, _ = r.Discard(n)
		skipped += int64(n)
		head, _ = r.Peek(peekSize)
	}
	return head, skipped
}

// leastHole tells a hole from the first character of UTF-16.
const leastHole = 16

// signatures begin files that people save beside logs and that hold no text to
// read: images, documents, programs, checkpoints in HDF5.
var signatures = []string{"\x89PNG\r\n", "\xff\xd8\xff", "GIF87a", "GIF89a", "%PDF-", "\x7fELF", "\x89HDF\r\n", "\xd0\xcf\x11\xe0"}

// isBinary says whether a text is none: too many control characters, or NULs
// among them that no sparse log has.
func isBinary(head []byte, encoding string) bool {
	if encoding != charset.UTF8 {
		return false
	}
	for _, m := range signatures {
		if bytes.HasPrefix(head, []byte(m)) {
			return true
		}
	}
	var holes, control, text int
	var before byte = 1
	for _, c := range head {
		switch {
		case c == 0:
			if before != 0 {
				holes++
			}
		case c < 0x08 || c > 0x0d && c < 0x20 && c != 0x1b:
			control++
		default:
			text++
		}
		before = c
	}
	if text == 0 || holes > 8 && holes*50 > text || control*10 > text {
		return true
	}
	// Of packed or encrypted data one byte in eleven is a control character; text in
	// a code page that nobody knows here has none, and its ASCII can be read.
	return control*50 > text && foreign(head)
}

// foreign says whether most of what is not ASCII is neither UTF-8 nor GB18030.
func foreign(head []byte) bool {
	if charset.IsASCII(head) {
		return false
	}
	var odd, all int
	dec := charset.Decoder{Name: charset.UTF8}
	for line := range bytes.Lines(head) {
		all += len(line)
		if !charset.IsASCII(line) && !decodes(&dec, line) {
			odd += len(line)
		}
	}
	return odd*2 > all && odd > 512
}

// decodes says whether all of a line is text, but for a character that may be cut
// off at its end.
func decodes(dec *charset.Decoder, line []byte) bool {
	for cut := range min(utf8.UTFMax, len(line)) {
		if !bytes.Contains(dec.Decode(line[:len(line)-cut]), []byte("\uFFFD")) {
			return true
		}
	}
	return false
}

// exported says whether the document is CSV of a log service.
func (d *reading) exported(heading []byte) bool {
	d.export = sniffExport(bytes.TrimRight(heading, "\r"))
	return d.export != nil
}

const sniffSize = 16 << 10

// sniff sets what the first bytes tell about the whole document.
func (d *reading) sniff(head []byte) {
	dec := d.dec
	head = dec.Decode(head[:min(len(head), sniffSize)&^1])
	switch {
	case isJournal(head):
		d.journal = &journal{}
		return
	case isHTML(head):
		d.page = &page{}
		d.doc.Kind = Ticket
		return
	}
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	switch {
	case mayBeRecord(line) && isRecord(line):
		return
	case d.exported(line):
		return
	case bytes.HasPrefix(line, []byte("+--")) && isSMI(string(head[:min(len(head), 1<<10)])):
		d.doc.Kind = Device
	case mayStartJSON(line), isNotice(string(line)), bytes.HasPrefix(line, []byte("+--")):
		d.doc.Kind = Answer
	case isProgram(head):
		d.doc.Kind = Ticket
	default:
		if d.ticket = sniffTicket(d.doc.Name, head); d.ticket != nil {
			d.doc.Kind = Ticket
		}
	}
	if (d.doc.Kind == Log || d.ticket != nil) && d.in.unit == 1 {
		d.hard = sniffHardwrap(head)
	}
	if d.doc.Kind == Log {
		d.launch = sniffLaunch(head)
	}
}
