package source

import (
	"bufio"
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/ascii"
)

// piece is what a file's name tells of its place among the files that one log
// was cut into.
type piece struct {
	log   string // the name without the number, the same for all pieces
	form  pieceForm
	order int // within the form
}

type pieceForm uint8

const (
	wholeLog  pieceForm = iota // "x.log", which may be the newest of rotated pieces
	rotatable                  // "x.log.1": rotated pieces count back from the newest, others count on
	parted                     // "x.part2.log", "x.log.02", "x.log.ab": they count on
)

// series parts the forms that make one log together from those that do not.
func (p piece) series() int {
	if p.form == parted {
		return 1
	}
	return 0
}

// pieceOf reads a file's name.
func pieceOf(name string) piece {
	dir, base := path.Split(name)
	for _, packed := range []string{".gz", ".zst", ".xz", ".bz2"} {
		base = strings.TrimSuffix(base, packed)
	}
	if p, ok := partOf(base); ok {
		p.log = dir + p.log
		return p
	}
	ext := path.Ext(base)
	log, tail := strings.TrimSuffix(base, ext), strings.TrimPrefix(ext, ".")
	if path.Ext(log) == "" && !rotatedNames[log] {
		return piece{log: dir + base}
	}
	n := ascii.Number(tail, 0, len(tail))
	switch {
	case tail == "" || len(tail) > 4:
	case n >= 0 && tail[0] == '0':
		return piece{dir + log, parted, n}
	case n >= 0:
		return piece{dir + log, rotatable, n}
	case len(tail) == 2 && ascii.IsSmall(tail[0]) && ascii.IsSmall(tail[1]): // as split names them
		return piece{dir + log, parted, int(tail[0]-'a')*26 + int(tail[1]-'a')}
	}
	return piece{log: dir + base}
}

// rotatedNames are logs without an extension, of which pieces are kept.
var rotatedNames = map[string]bool{"messages": true, "syslog": true, "dmesg": true, "stdout": true, "stderr": true}

// partOf reads "x.part2", "x-part2.log" and "x_part_2.log".
func partOf(base string) (piece, bool) {
	const word = "part"
	i := strings.LastIndex(lowerASCII(base), word)
	if i < 2 || strings.IndexByte("._-", base[i-1]) < 0 {
		return piece{}, false
	}
	j := i + len(word)
	if j < len(base) && strings.IndexByte("._-", base[j]) >= 0 {
		j++
	}
	k := j
	for k < len(base) && ascii.IsDigit(base[k]) && k < j+6 {
		k++
	}
	if k == j || k < len(base) && base[k] != '.' {
		return piece{}, false
	}
	return piece{base[:i-1] + base[k:], parted, ascii.Number(base, j, k-j)}, true
}

// lowerASCII keeps the length of a text, which strings.ToLower does not promise
// of letters outside ASCII.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// joinPieces brings the pieces of each log together, oldest first, and notes
// with each which piece it goes on after.
func joinPieces(items []item) []item {
	groups := map[string][]int{}
	key := make([]string, len(items))
	for i, it := range items {
		if it.stream == nil {
			key[i] = it.dir + "\x00" + pieceOf(it.name).log
			groups[key[i]] = append(groups[key[i]], i)
		}
	}
	out := make([]item, 0, len(items))
	for i, it := range items {
		group := groups[key[i]]
		switch {
		case len(group) < 2:
			out = append(out, it)
		case group[0] == i:
			members := make([]item, len(group))
			for j, at := range group {
				members[j] = items[at]
			}
			out = append(out, inSequence(members)...)
		}
	}
	return out
}

// inSequence orders the files that have a log's name in common. Only numbers
// without a gap are pieces of one log.
func inSequence(group []item) []item {
	type placed struct{ series, order, at int }
	back := countsBack(group)
	order := make([]placed, len(group))
	for i, it := range group {
		p := pieceOf(it.name)
		if p.form == rotatable && back {
			p.order = -p.order
		}
		order[i] = placed{p.series(), p.order, i}
	}
	slices.SortFunc(order, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.series, b.series), cmp.Compare(a.order, b.order), cmp.Compare(a.at, b.at))
	})
	sorted := make([]item, len(group))
	for i, o := range order {
		sorted[i] = group[o.at]
		if i > 0 && order[i-1].series == o.series && o.order-order[i-1].order == 1 {
			sorted[i].before = sorted[i-1].name
		}
	}
	return sorted
}

// countsBack says whether the piece with a higher number is the older one. The
// times within the files tell; without times, the log's own name among its
// pieces tells that they were rotated.
func countsBack(group []item) bool {
	rotated := false
	var low, high time.Time
	lowest, highest := 1<<30, -1
	for _, it := range group {
		p := pieceOf(it.name)
		if p.form == parted {
			continue
		}
		rotated = rotated || p.form == wholeLog
		t := it.firstTime()
		if t.IsZero() {
			continue
		}
		if p.order < lowest {
			low, lowest = t, p.order
		}
		if p.order > highest {
			high, highest = t, p.order
		}
	}
	if lowest < highest && !low.Equal(high) {
		return high.Before(low)
	}
	return rotated
}

// firstTime gives the first full time of a plain file, zero when there is none
// near its beginning.
func (it item) firstTime() time.Time {
	if it.pipe {
		return time.Time{}
	}
	f, err := it.fsys.Open(it.path)
	if err != nil {
		return time.Time{}
	}
	defer f.Close()
	head, _ := bufio.NewReaderSize(f, sniffSize).Peek(sniffSize)
	var p parser
	for line := range strings.Lines(string(head)) {
		l := Line{Doc: &Document{Rank: -1}, Raw: line, Text: line}
		p.prefixes(&l)
		if l.hasTime() {
			return l.Time
		}
	}
	return time.Time{}
}

// resume goes on with a log where the piece before this one ended.
func (d *reading) resume(before *Document) bool {
	last := before.parser
	if last == nil || before.Kind == Answer || before.Kind == Ticket {
		return false
	}
	own := d.parser.launch
	before.parser = nil
	d.parser = *last
	if own.form != noLabel {
		d.parser.launch = own
	}
	d.ticket, d.page, d.export, d.doc.Kind = nil, nil, nil, before.Kind // a piece may begin anywhere, so its own beginning tells nothing
	d.doc.Job = cmp.Or(d.doc.Job, before.Job)
	d.doc.Task = cmp.Or(d.doc.Task, before.Task)
	d.texts = headLines + 1 // what hcloud prints stands at a log's beginning
	return true
}

// Log gives the first piece of the log that the document is a piece of: the
// document itself when the log was not cut.
func (d *Document) Log() *Document {
	if d.log != nil {
		return d.log
	}
	return d
}

// follow makes the document go on with the log of another one.
func (d *Document) follow(before *Document) { d.Before, d.log = before, before.Log() }

// link finds out whether a member goes on with a log of which a piece was read
// from the same archive.
func (a *archive) link(member string) {
	p := pieceOf(member)
	last, seen := a.pieces[p.log]
	on := p.form == parted && last.form == parted && p.order == last.order+1
	back := p.form != parted && last.form == rotatable && p.order == last.order-1
	if seen && (on || back) {
		a.s.before[member] = last.name
	}
	if p.form != wholeLog {
		a.pieces[p.log] = lastPiece{p, member}
		a.s.pieces[member] = nil
	}
}

// lastPiece is the newest piece of a log that was read from an archive.
type lastPiece struct {
	piece
	name string
}
