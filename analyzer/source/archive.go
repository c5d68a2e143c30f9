package source

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/ascii"
)

// archive is an archive being read.
type archive struct {
	s      *session
	name   string
	depth  int
	seen   listing
	pieces map[string]lastPiece // by the log that they are of
	noted  map[string]int       // notes by code, so that one archive cannot flood the report

	packed  *bufio.Reader // of a zip's member, for one after the other
	inflate io.Reader     // likewise
}

// mostNotes is how many notes of one code an archive may give.
const mostNotes = 20

func (a *archive) note(source, code string, args ...string) {
	if a.noted[code]++; a.noted[code] <= mostNotes {
		a.s.note(source, code, args...)
	}
}

// countedCodes are the codes of which an archive may give too many notes.
var countedCodes = []string{"duplicate", "link", "outside", "special"}

// close tells how many notes were left out.
func (a *archive) close() {
	for _, code := range countedCodes {
		if more := a.noted[code] - mostNotes; more > 0 {
			a.s.note(a.name, "more-"+code, strconv.Itoa(more))
		}
	}
}

func (s *session) archive(name string, depth int) *archive {
	return &archive{s: s, name: name, depth: depth, seen: listing{}, noted: map[string]int{}, pieces: map[string]lastPiece{}}
}

// read reads one member, and says whether the archive may go on.
func (a *archive) read(name string, mode fs.FileMode, open func() (io.Reader, error)) bool {
	member, ok := a.member(name, mode)
	if !ok {
		return true
	}
	if !a.s.take() {
		return false
	}
	a.link(member)
	r, err := open()
	if err != nil {
		a.s.refuse(member, "damaged", err)
		return true
	}
	buf := a.s.buffered(r)
	a.s.source(member, buf, nil, a.depth+1)
	a.s.reuse(buf)
	return !a.s.over()
}

// member names a member, and notes those that are not read: links, devices,
// and the like. A path that points outside is noted and read under its
// harmless rest, since nothing is ever written.
func (a *archive) member(name string, mode fs.FileMode) (string, bool) {
	raw := strings.ReplaceAll(UTF8(name), "\\", "/")
	clean := strings.TrimPrefix(path.Clean("/"+raw), "/")
	full := a.name + "!" + Printable(clean)
	switch {
	case mode.IsDir() || clean == "" || strings.HasSuffix(raw, "/"):
		return "", false
	case mode&fs.ModeSymlink != 0:
		a.note(full, "link")
		return "", false
	case !mode.IsRegular():
		a.note(full, "special")
		return "", false
	case IsLitter(clean):
		return "", false
	}
	if path.IsAbs(raw) || climbs(raw) || hasDrive(raw) {
		a.note(full, "outside", Printable(name))
	}
	own, again := a.seen.name(full)
	if again {
		a.note(own, "duplicate", Printable(name))
	}
	return own, true
}

func climbs(name string) bool {
	c := path.Clean(name)
	return c == ".." || strings.HasPrefix(c, "../")
}

func hasDrive(name string) bool {
	return len(name) >= 2 && name[1] == ':' && ascii.IsWord(name[0]) && !ascii.IsDigit(name[0])
}

// IsLitter says whether a name is of what macOS and Windows put beside the files
// of a folder; that of a folder ends with a slash.
func IsLitter(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(base, "._") || base == ".DS_Store" || base == "Thumbs.db" || base == "desktop.ini"
}

// tar reads the members of a tar archive in stored order.
func (s *session) tar(name string, r *bufio.Reader, depth int) {
	a := s.archive(name, depth)
	defer a.close()
	tr := tar.NewReader(r)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			s.stopped(name, err)
			return
		}
		mode := h.FileInfo().Mode()
		if h.Typeflag == tar.TypeLink {
			mode |= fs.ModeSymlink
		}
		if !a.read(h.Name, mode, func() (io.Reader, error) { return metered{tr, &s.budget}, nil }) {
			return
		}
	}
}

// zip reads the members of a zip archive in stored order: by its directory
// when it can be read at any place and its directory is not too large to be
// held, else as a stream.
func (s *session) zip(name string, r *bufio.Reader, ra *sized, depth int) {
	a := s.archive(name, depth)
	defer a.close()
	if ra == nil || !smallDirectory(ra) {
		if depth == 0 {
			r = bufio.NewReaderSize(metered{r, &s.budget}, peekSize)
		}
		a.zipStream(r)
		return
	}
	s.budget.stored = ra.size
	zr, err := zip.NewReader(ra, ra.size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		s.refuse(name, "damaged", err)
		return
	}
	if len(zr.File) > 0 && isPackage(zr.File[0].Name) {
		s.refuse(name, "binary", nil)
		return
	}
	room := uint64(ra.size) // for what the members hold, which lies side by side
	for _, f := range zr.File {
		if f.CompressedSize64 > room {
			s.refuse(name, "damaged", errOverlap)
			return
		}
		room -= f.CompressedSize64
		if !a.zipped(f) {
			return
		}
	}
}

// errOverlap stops a small archive from giving the same bytes under many names.
var errOverlap = errors.New("members of the zip archive overlap")

// zipped reads a member of a zip archive, and says whether the archive may go on.
func (a *archive) zipped(f *zip.File) bool {
	if f.Flags&1 != 0 && !f.Mode().IsDir() {
		a.s.refuse(a.name+"!"+Printable(f.Name), "encrypted", nil)
		return true
	}
	var rc io.ReadCloser
	ok := a.read(f.Name, f.Mode(), func() (r io.Reader, err error) {
		if rc, err = f.Open(); err != nil {
			return nil, err
		}
		return metered{rc, &a.s.budget}, nil
	})
	if rc != nil {
		rc.Close()
	}
	return ok
}

// isPackage says whether a zip whose first member has this name is a saved
// model, an office document or a Java archive: binary data to this product.
func isPackage(first string) bool {
	return strings.HasSuffix(first, "/data.pkl") || first == "[Content_Types].xml" || strings.HasPrefix(first, "META-INF/")
}

const (
	endOfDirectory  = 22      // bytes of the record, without its comment
	largestZipTable = 4 << 20 // bytes of a directory that is held in memory
)

// smallDirectory looks at the end of a zip archive, so that a directory of
// millions of names is not loaded.
func smallDirectory(ra *sized) bool {
	n := min(ra.size, endOfDirectory+1<<16)
	tail := make([]byte, n)
	if _, err := ra.ReadAt(tail, ra.size-n); err != nil && err != io.EOF {
		return false
	}
	for i := len(tail) - endOfDirectory; i >= 0; i-- {
		if string(tail[i:i+4]) == "PK\x05\x06" {
			offset := int64(binary.LittleEndian.Uint32(tail[i+16:]))
			return offset <= ra.size && ra.size-offset <= largestZipTable+n
		}
	}
	return false
}
