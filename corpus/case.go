// Package corpus keeps what was recorded of training jobs: cases on disk that
// can be listed, checked, moved and replayed.
//
// A case is a folder, or a zip archive of one, with "case.json", the manifest;
// "exchanges", one file for each answer, as it came but for what is masked; and
// "logs". Every file is written under a temporary name, synced and renamed, and
// the manifest after what it lists. So a recording that is killed at any moment
// leaves nothing, or a case that opens and says what it lacks.
//
// "private.json", which only its owner can read, makes the same value the same
// placeholder when a recording is resumed. It holds keyed hashes, no values,
// and is never exported.
package corpus

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// Schema names the form of the manifest. Within it fields are added, never
// renamed.
const Schema = "hcloud-modelarts/case/v1"

const (
	manifestFile = "case.json"
	privateFile  = "private.json"
	lockFile     = "lock"
	exchangeDir  = "exchanges"
	logDir       = "logs"
	tempPrefix   = ".tmp-"
)

// Manifest is what a case says of itself.
type Manifest struct {
	Schema    string     `json:"schema"`
	ID        string     `json:"id"`
	Created   time.Time  `json:"created"`
	Updated   time.Time  `json:"updated"`
	Job       Job        `json:"job"`
	Region    string     `json:"region"`
	Tool      string     `json:"tool"`   // version of this program
	HCloud    string     `json:"hcloud"` // version of KooCLI, "" when unknown
	Masked    bool       `json:"masked"`
	Done      bool       `json:"done"` // the recording came to its end
	Planned   []Request  `json:"planned"`
	Exchanges []Exchange `json:"exchanges"`
	Logs      []Log      `json:"logs"`
	// Placeholders counts those given out, by kind, so that a case that lost
	// its private file goes on with new ones.
	Placeholders map[string]int `json:"placeholders,omitempty"`
}

// Job is the job that a case is about; all fields may be "".
type Job struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Phase string `json:"phase"`
}

// Request is a call of one operation.
type Request struct {
	Operation  string            `json:"operation"`
	Parameters map[string]string `json:"parameters,omitempty"`
}

// Equal reports whether two requests ask for the same.
func (r Request) Equal(o Request) bool {
	return r.Operation == o.Operation && maps.Equal(r.Parameters, o.Parameters)
}

// String writes a request as it stands behind "hcloud ModelArts".
func (r Request) String() string {
	var b strings.Builder
	b.WriteString(r.Operation)
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		fmt.Fprintf(&b, " --%s=%s", name, r.Parameters[name])
	}
	return b.String()
}

// Exchange is one request and its answer.
type Exchange struct {
	Request
	Exit     int       `json:"exit"`
	Class    string    `json:"class"`
	Code     string    `json:"code,omitempty"` // of an error
	Time     time.Time `json:"time"`
	Duration int64     `json:"duration_ms"`
	File     string    `json:"file"` // standard output
	SHA256   string    `json:"sha256"`
	Bytes    int64     `json:"bytes"`
	Stderr   string    `json:"stderr,omitempty"`
}

// Log is a log file of a task.
type Log struct {
	Task   string `json:"task"`
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	Source int64  `json:"source_bytes"` // read from the source, before masking
}

// Case is an open case.
type Case struct {
	Manifest
	Path  string
	fsys  fs.FS
	close func() error
}

// Error says what is wrong with a case or the corpus. Code is "missing",
// "not-a-case", "damaged", "newer", "locked", "exists" or "io".
type Error struct {
	Path, Code string
	Err        error
}

func (e *Error) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("case %q: %s", e.Path, e.Code)
	}
	return fmt.Sprintf("case %q: %s: %v", e.Path, e.Code, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Reason says why a case cannot be used. Code is "schema", "id", "file-name",
// "missing", "changed", "too-long", "too-many", "archive" or "private"; Detail is
// the file or the value that is meant.
type Reason struct{ Code, Detail string }

func (r *Reason) Error() string { return fmt.Sprintf("%s %q", r.Code, r.Detail) }

// Open opens the case in a folder or a zip archive. It reads the manifest only;
// Verify checks the rest.
func Open(name string) (*Case, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{name, "missing", err}
	}
	if err != nil {
		return nil, &Error{name, "io", err}
	}
	c := &Case{Path: name, close: func() error { return nil }}
	if info.IsDir() {
		c.fsys = os.DirFS(name)
	} else {
		z, err := zip.OpenReader(name)
		if err != nil {
			return nil, &Error{name, "not-a-case", err}
		}
		c.fsys, c.close = z, z.Close
	}
	err = c.readManifest()
	if err == nil && !info.IsDir() {
		err = c.checkSize(info.Size())
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// Close frees what an open archive holds.
func (c *Case) Close() error { return c.close() }

// Bounds on a manifest. A recording writes it anew for each answer, so that none
// comes near them.
const (
	maxManifest = 64 << 20
	maxListed   = 100_000   // exchanges, logs, parameters of one call, …
	maxValues   = 2_000_000 // of all of them
)

func (c *Case) readManifest() error {
	data, err := readFile(c.fsys, manifestFile, maxManifest)
	if err != nil {
		return &Error{c.Path, "not-a-case", err}
	}
	if Crowded(data, maxListed, maxValues) {
		return &Error{c.Path, "damaged", &Reason{"too-many", manifestFile}}
	}
	if err := json.Unmarshal(data, &c.Manifest); err != nil {
		return &Error{c.Path, "damaged", err}
	}
	family, _, _ := strings.Cut(Schema, "/v")
	switch {
	case c.Schema == Schema:
	case strings.HasPrefix(c.Schema, family+"/v"):
		return &Error{c.Path, "newer", &Reason{"schema", c.Schema}}
	default:
		return &Error{c.Path, "not-a-case", &Reason{"schema", c.Schema}}
	}
	return c.checkNames()
}

// checkNames refuses a manifest that names files outside of its folders, or ones
// that a system could not keep beside each other.
func (c *Case) checkNames() error {
	if !portable(c.ID) {
		return &Error{c.Path, "damaged", &Reason{"id", c.ID}}
	}
	seen := map[string]bool{}
	for name, l := range c.files() {
		dir, file := path.Split(name)
		folded := strings.ToLower(name)
		if dir != exchangeDir+"/" && dir != logDir+"/" || !portable(file) || seen[folded] {
			return &Error{c.Path, "damaged", &Reason{"file-name", name}}
		}
		if l.bytes < 0 {
			return &Error{c.Path, "damaged", &Reason{"changed", name}}
		}
		seen[folded] = true
	}
	return nil
}

// Bounds on what an archive may become: texts of logs are packed to a hundredth
// at best, so more is made to be large.
const (
	mostRatio   = 300
	leastUnpack = 1 << 30 // bytes that every archive may become
)

// checkSize refuses an archive of stored bytes that would become too much.
func (c *Case) checkSize(stored int64) error {
	left := max(leastUnpack, mostRatio*min(stored, 1<<40))
	for name, l := range c.files() {
		if l.bytes > left {
			return &Error{c.Path, "damaged", &Reason{"too-long", name}}
		}
		left -= l.bytes
	}
	return nil
}

// listed is what the manifest says of a file.
type listed struct {
	sha256 string
	bytes  int64
}

func (c *Case) files() map[string]listed {
	m := map[string]listed{}
	for _, x := range c.Exchanges {
		m[x.File] = listed{x.SHA256, x.Bytes}
	}
	for _, l := range c.Logs {
		m[l.File] = listed{l.SHA256, l.Bytes}
	}
	return m
}

// FS gives the files that a diagnosis reads: the logs that the manifest lists
// and the answers to the requests that are wanted, without the manifest. A nil
// function wants all.
func (c *Case) FS(wanted func(Request) bool) fs.FS {
	files := c.files()
	for _, x := range c.Exchanges {
		if wanted != nil && !wanted(x.Request) {
			delete(files, x.File)
		}
	}
	return evidence{c.fsys, files}
}

// Output gives what hcloud printed in an exchange.
func (c *Case) Output(x Exchange) ([]byte, error) {
	data, err := readFile(c.fsys, x.File, x.Bytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = &Reason{"missing", x.File}
	case err == nil && sum(data) != x.SHA256:
		err = &Reason{"changed", x.File}
	}
	if err != nil {
		return nil, &Error{c.Path, "damaged", err}
	}
	return data, nil
}

// Answered reports whether an exchange answers the request in a way that
// another try would not better.
func (r Request) Answered(x Exchange) bool { return x.Equal(r) && !passing(x.Class) }

// Missing gives the planned calls that have no answer yet. A call that the
// service or hcloud refused for good has one.
func (c *Case) Missing() []Request {
	var missing []Request
	for _, p := range c.Planned {
		if !slices.ContainsFunc(c.Exchanges, p.Answered) {
			missing = append(missing, p)
		}
	}
	return missing
}

// passing are the classes of answers that another try may better.
func passing(class string) bool {
	return slices.Contains([]string{"network-error", "throttled", "server-error", "timeout", "interrupted", "unauthorized", "forbidden", "not-configured", "no-profile",
		"apie-error", "openapi-error", "cli-error", "not-json", "not-the-answer"}, class)
}

// Problem is a file that is not as the manifest says. Code is "missing",
// "changed" or "unlisted".
type Problem struct{ File, Code string }

// Verify compares every file of the case with the manifest.
func (c *Case) Verify(ctx context.Context) ([]Problem, error) {
	var problems []Problem
	files := c.files()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err := c.copyListed(ctx, io.Discard, name, files[name])
		if r, ok := errors.AsType[*Reason](err); ok {
			problems = append(problems, Problem{name, r.Code})
		} else if err != nil {
			return nil, err
		}
	}
	for _, dir := range []string{exchangeDir, logDir} {
		entries, err := fs.ReadDir(c.fsys, dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, &Error{c.Path, "io", err}
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			if _, ok := files[name]; !ok && !strings.HasPrefix(e.Name(), tempPrefix) {
				problems = append(problems, Problem{name, "unlisted"})
			}
		}
	}
	return problems, nil
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// readFile reads a file of at most limit bytes.
func readFile(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := openFile(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = &Reason{"too-long", name}
	}
	return data, err
}

// evidence is a file system of only the listed files.
type evidence struct {
	fsys  fs.FS
	files map[string]listed
}

func (e evidence) Open(name string) (fs.File, error) {
	if _, ok := e.files[name]; !ok && !e.folder(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return e.fsys.Open(name)
}

func (e evidence) folder(name string) bool {
	return name == "." || name == exchangeDir || name == logDir
}

// ReadDir lists the listed files of a folder.
func (e evidence) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(e.fsys, name)
	return slices.DeleteFunc(entries, func(d fs.DirEntry) bool {
		p := path.Join(name, d.Name())
		_, ok := e.files[p]
		return !ok && !e.folder(p)
	}), err
}
