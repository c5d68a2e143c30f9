package source

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/source/stamp"
)

// Read reads all roots and hands what it finds to h, in an order that depends
// on names and content only. One bad source among others is a note; the error
// is an *Error and says that nothing at all was readable.
func Read(roots []Root, lim Limits, h Handler) (Stats, error) {
	s := &session{h: h, lim: lim.withDefaults()}
	s.budget = budget{left: s.lim.Bytes, anyRatio: lim.Bytes > 0}
	if len(roots) == 0 {
		return s.stats, &Error{Code: "nothing"}
	}
	s.before, s.pieces = map[string]string{}, map[string]*Document{}
	items := s.list(roots)
	for _, it := range items {
		s.item(it)
	}
	if s.content == 0 {
		return s.stats, s.failure(roots)
	}
	return s.stats, nil
}

// session is one call of Read.
type session struct {
	h       Handler
	lim     Limits
	stats   Stats
	budget  budget
	spare   []*bufio.Reader
	lines   []byte // a buffer for the lines of a document
	entries int
	content int  // documents that held a line or a value
	spent   bool // the bound on the bytes of all sources is reached
	burst   bool // that on what one file may become is reached
	full    bool
	inside  bool   // a root is a folder
	failed  []Note // reasons why sources gave nothing, for the error
	cause   error  // of the first of them
	clock   stamp.Calendar
	before  map[string]string    // by name, the piece that goes before
	pieces  map[string]*Document // by name, those that another one follows
}

// item is one file or stream to read.
type item struct {
	root   int
	name   string // relative to the root
	dir    string // of the file, so that only files of one folder are pieces of one log
	before string // name of the piece of the same log that goes before
	fsys   fs.FS
	path   string
	pipe   bool // can be read once
	stream io.Reader
}

func (s *session) note(source, code string, args ...string) {
	s.h.Note(Note{Source: source, Code: code, Args: args})
}

// refuse notes a source that gave nothing, and keeps the reason for the error.
func (s *session) refuse(source, code string, err error) {
	if s.cause == nil && len(s.failed) == 0 {
		s.cause = err
	}
	n := Note{Source: source, Code: code}
	if err != nil {
		n.Args = []string{reason(err)}
	}
	s.failed = append(s.failed, n)
	s.h.Note(n)
}

// reason is an error's text without the path, which differs between machines.
func reason(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

func (s *session) failure(roots []Root) error {
	name := rootName(roots[0])
	if s.over() && len(s.failed) == 0 {
		return &Error{Path: name, Code: "bound"}
	}
	if len(roots) == 1 && len(s.failed) == 1 && !s.inside {
		return &Error{Path: name, Code: s.failed[0].Code, Err: plainCause(s.cause)}
	}
	for _, r := range roots[1:] {
		if n := rootName(r); n < name {
			name = n
		}
	}
	return &Error{Path: name, Code: "nothing", Refused: s.failed}
}

func plainCause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

func rootName(r Root) string {
	switch {
	case r.Name != "":
		return r.Name
	case r.Reader != nil:
		return "-"
	default:
		return r.Path
	}
}

// list expands the roots to files, with names that are unique over all roots,
// in the order of those names.
func (s *session) list(roots []Root) []item {
	sorted := slices.Clone(roots)
	slices.SortStableFunc(sorted, func(a, b Root) int {
		return cmp.Or(cmp.Compare(rootName(a), rootName(b)), cmp.Compare(a.Path, b.Path))
	})
	var items []item
	for i, r := range sorted {
		if r.Reader != nil {
			items = append(items, item{root: i, name: Printable(rootName(r)), stream: r.Reader})
			continue
		}
		items = append(items, s.expand(i, r)...)
	}
	unclash(items, sorted)
	slices.SortStableFunc(items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.late(), b.late()), cmp.Compare(a.name, b.name))
	})
	items = joinPieces(items)
	for i := range items {
		if before := items[i].before; before != "" {
			s.before[items[i].name] = before
			s.pieces[before] = nil
		}
	}
	return items
}

// late is 1 for the logs of a node, which are read after all others: their
// times lack the year, which the others tell.
func (it item) late() int {
	base := strings.ToLower(path.Base(it.name))
	if kindOf("", base) == Kernel {
		return 1
	}
	return 0
}

// unclash puts the root's name before the names of roots that share a name
// with another root, as much of it as tells them apart. Within one root names may
// be spelled alike: those that come later are numbered.
func unclash(items []item, roots []Root) {
	owners := map[string]int{}
	clash := map[int]bool{}
	again := map[string]int{}
	for i := range items {
		it := &items[i]
		if o, ok := owners[it.name]; ok && o != it.root {
			clash[o], clash[it.root] = true, true
		} else if ok {
			for name := it.name; ok; _, ok = owners[it.name] {
				again[name]++
				it.name = name + "#" + strconv.Itoa(1+again[name])
			}
		}
		owners[it.name] = it.root
	}
	if len(clash) == 0 {
		return
	}
	labels := rootLabels(roots, clash)
	for i := range items {
		if clash[items[i].root] {
			items[i].name = labels[items[i].root] + "/" + items[i].name
		}
	}
}

// rootLabels gives each clashing root the shortest tail of its path that no
// other of them has; roots with one and the same path are numbered.
func rootLabels(roots []Root, clash map[int]bool) map[int]string {
	parts := map[int][]string{}
	longest := 1
	for i := range roots {
		if clash[i] {
			clean := strings.Trim(path.Clean(strings.ReplaceAll(rootName(roots[i]), "\\", "/")), "/")
			parts[i] = strings.Split(Printable(clean), "/")
			longest = max(longest, len(parts[i]))
		}
	}
	for n := 1; ; n++ {
		labels, seen, twice := map[int]string{}, map[string]int{}, false
		for i := range roots {
			if p, ok := parts[i]; ok {
				label := strings.Join(p[max(0, len(p)-n):], "/")
				seen[label]++
				if seen[label] > 1 {
					twice = true
					label += "#" + strconv.Itoa(seen[label])
				}
				labels[i] = label
			}
		}
		if !twice || n >= longest {
			return labels
		}
	}
}

// expand lists the files of one root. A file that the user names is read even
// through a link; what stands in a folder is not followed.
func (s *session) expand(index int, r Root) []item {
	name := rootName(r)
	info, err := fs.Stat(r.FS, r.Path)
	if err != nil {
		code := "unreadable"
		if errors.Is(err, fs.ErrNotExist) {
			code = "missing"
		}
		s.refuse(Printable(name), code, err)
		return nil
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		return s.folder(index, r)
	case mode.IsRegular(), mode&fs.ModeNamedPipe != 0:
		return []item{{root: index, name: Printable(fileName(r)), dir: path.Dir(strings.ReplaceAll(name, "\\", "/")), fsys: r.FS, path: r.Path, pipe: !mode.IsRegular()}}
	default:
		s.refuse(Printable(name), "special", nil)
		return nil
	}
}

// fileName is the last part of the name of a root that is a file. A backslash
// parts names on Windows alone, where no path of an FS has one.
func fileName(r Root) string {
	name := rootName(r)
	if base := path.Base(r.Path); base != "." && strings.HasSuffix(name, base) {
		return base
	}
	return baseName(name)
}

func baseName(name string) string {
	return path.Base(strings.TrimRight(strings.ReplaceAll(name, "\\", "/"), "/"))
}

func (s *session) folder(index int, r Root) []item {
	s.inside = true
	var items []item
	err := fs.WalkDir(r.FS, r.Path, func(p string, d fs.DirEntry, err error) error {
		name := relative(r.Path, p)
		switch {
		case err != nil:
			s.refuse(Printable(orRoot(name, r)), "unreadable", err)
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			s.note(Printable(name), "link")
			return nil
		case !d.Type().IsRegular():
			s.note(Printable(name), "special")
			return nil
		case len(items) >= s.lim.Entries:
			s.noteEntries()
			return fs.SkipAll
		}
		items = append(items, item{root: index, name: Printable(name), dir: rootName(r) + "/" + path.Dir(p), fsys: r.FS, path: p})
		return nil
	})
	if err != nil {
		s.refuse(Printable(rootName(r)), "unreadable", err)
	}
	return items
}

func orRoot(name string, r Root) string {
	if name == "." {
		return rootName(r)
	}
	return name
}

func relative(root, p string) string {
	if root == "." || p == root {
		return p
	}
	return strings.TrimPrefix(p, root+"/")
}

// item reads one file or stream.
func (s *session) item(it item) {
	if !s.take() {
		return
	}
	s.burst = false
	if it.stream != nil {
		s.budget.open(it.stream)
		s.source(it.name, bufio.NewReaderSize(storedReader{it.stream, &s.budget}, peekSize), nil, 0)
		return
	}
	f, err := it.fsys.Open(it.path)
	if err != nil {
		s.refuse(it.name, "unreadable", err)
		return
	}
	defer f.Close()
	s.budget.open(f)
	w := watching(f)
	r := s.buffered(storedReader{w, &s.budget})
	defer s.reuse(r)
	s.source(it.name, r, randomAccess(f), 0)
	if w.changed() {
		s.note(it.name, "changed")
	}
}

// take counts one entry, and says whether it may be read.
func (s *session) take() bool {
	if s.spent {
		return false
	}
	if s.entries >= s.lim.Entries {
		s.noteEntries()
		return false
	}
	s.entries++
	return true
}

func (s *session) noteEntries() {
	if !s.full {
		s.full = true
		s.note("", "bound-entries", strconv.Itoa(s.lim.Entries))
	}
}

// over reports whether nothing more may be read of the file.
func (s *session) over() bool { return s.spent || s.burst }

func (s *session) noteSpent(source string) {
	switch {
	case s.over():
	case s.budget.left > 0:
		s.burst = true
		s.note(source, "bound-ratio", strconv.Itoa(mostRatio))
	default:
		s.spent = true
		s.note(source, "bound-bytes", strconv.FormatInt(s.lim.Bytes, 10))
	}
}

// buffered gives a buffer for a reader, one that another source is done with
// when there is one: an archive may hold many small files.
func (s *session) buffered(r io.Reader) *bufio.Reader {
	n := len(s.spare)
	if n == 0 {
		return bufio.NewReaderSize(r, peekSize)
	}
	b := s.spare[n-1]
	s.spare = s.spare[:n-1]
	b.Reset(r)
	return b
}

func (s *session) reuse(b *bufio.Reader) {
	b.Reset(nil)
	s.spare = append(s.spare, b)
}
