package corpus

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var errLocked = errors.New("another process is recording")

// Options shape a recording.
type Options struct {
	Now    func() time.Time
	Random io.Reader // for the key of placeholders
	// Mask hides secrets and addresses in a text; nil records everything as it
	// is.
	Mask    Masker
	Buckets bool // hide names of buckets, too
}

// Recorder writes a case. It is for one goroutine.
type Recorder struct {
	m      Manifest
	dir    string
	o      Options
	lock   io.Closer
	redact *redactor // nil when nothing is masked
}

// Create begins a new case in the folder of a corpus. The manifest's ID is made
// unique there.
func Create(corpus string, m Manifest, o Options) (*Recorder, error) {
	if err := os.MkdirAll(corpus, 0o700); err != nil {
		return nil, &Error{corpus, "io", err}
	}
	r := &Recorder{m: m, o: o}
	r.m.ID = safeName(m.ID, 100)
	r.m.Schema, r.m.Masked, r.m.Created = Schema, o.Mask != nil, o.Now().UTC().Truncate(time.Millisecond)
	var err error
	if r.dir, r.lock, err = newFolder(corpus); err != nil {
		return nil, &Error{corpus, "io", err}
	}
	if err := r.begin(corpus); err != nil {
		r.lock.Close()
		os.RemoveAll(r.dir)
		return nil, &Error{corpus, "io", err}
	}
	return r, nil
}

// begin fills the temporary folder and gives it a name that is free.
func (r *Recorder) begin(corpus string) error {
	for _, sub := range []string{exchangeDir, logDir} {
		if err := os.Mkdir(filepath.Join(r.dir, sub), 0o700); err != nil {
			return err
		}
	}
	if err := r.startMasking(); err != nil {
		return err
	}
	id := r.m.ID
	for n := 2; ; n++ {
		if err := r.writeManifest(); err != nil {
			return err
		}
		final := filepath.Join(corpus, r.m.ID)
		_, err := os.Lstat(final)
		if errors.Is(err, os.ErrNotExist) {
			if err = os.Rename(r.dir, final); err == nil {
				r.dir = final
				if r.redact != nil {
					r.redact.file = filepath.Join(final, privateFile)
				}
				return syncDir(corpus)
			}
		}
		if n > 1000 {
			return err
		}
		r.m.ID = fmt.Sprintf("%s-%d", id, n)
	}
}

// Resume goes on with a case in a folder.
func Resume(name string, o Options) (*Recorder, error) {
	c, err := Open(name)
	if err != nil {
		return nil, err
	}
	c.Close()
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return nil, &Error{name, "not-a-case", &Reason{"archive", name}}
	}
	f, err := locks.take(filepath.Join(name, lockFile))
	if errors.Is(err, errLocked) {
		return nil, &Error{name, "locked", err}
	}
	if err != nil {
		return nil, &Error{name, "io", err}
	}
	if c, err = Open(name); err != nil { // as the last writer left it
		f.Close()
		return nil, err
	}
	if !c.Masked {
		o.Mask = nil
	}
	r := &Recorder{m: c.Manifest, dir: name, o: o, lock: f}
	r.m.Done = false
	err = tighten(name)
	if err == nil {
		err = r.startMasking()
	}
	if err != nil {
		f.Close()
		return nil, &Error{name, "io", err}
	}
	r.sweep()
	return r, nil
}

// sweep removes what a killed recording left: temporary files, and answers that
// did not reach the manifest.
func (r *Recorder) sweep() {
	known := (&Case{Manifest: r.m}).files()
	for _, dir := range []string{".", exchangeDir, logDir} {
		entries, err := os.ReadDir(filepath.Join(r.dir, dir))
		if err != nil {
			continue // Verify tells of a folder that is gone
		}
		for _, e := range entries {
			_, listed := known[path.Join(dir, e.Name())]
			if strings.HasPrefix(e.Name(), tempPrefix) || dir != "." && !listed {
				os.Remove(filepath.Join(r.dir, dir, e.Name()))
			}
		}
	}
}

func (r *Recorder) startMasking() error {
	if r.o.Mask == nil {
		return nil
	}
	var err error
	r.redact, err = newRedactor(filepath.Join(r.dir, privateFile), r.m.Placeholders, r.o)
	return err
}

// Path is the folder of the case.
func (r *Recorder) Path() string { return r.dir }

// Manifest is what was recorded so far.
func (r *Recorder) Manifest() Manifest { return r.m }

// Plan says which calls are to be made, so that a recording that ends early can
// tell what it lacks.
func (r *Recorder) Plan(calls ...Request) error {
	for _, c := range calls {
		if !slices.ContainsFunc(r.m.Planned, c.Equal) {
			r.m.Planned = append(r.m.Planned, c)
		}
	}
	return r.save()
}

// About says which job the case is about.
func (r *Recorder) About(j Job) error {
	if r.redact != nil {
		j.Name = r.redact.text(j.Name)
	}
	r.m.Job = j
	if err := r.keepPlaceholders(); err != nil {
		return err
	}
	return r.save()
}

// Add records an exchange and what hcloud printed. It returns the exchange as
// it stands in the case.
func (r *Recorder) Add(x Exchange, stdout []byte) (Exchange, error) {
	if r.redact != nil {
		stdout = r.redact.output(stdout)
		x.Stderr = r.redact.text(x.Stderr)
		x.Parameters = r.redact.parameters(x.Parameters)
	}
	x.Time = x.Time.UTC().Truncate(time.Millisecond)
	x.File = fmt.Sprintf("%s/%04d-%s.json", exchangeDir, len(r.m.Exchanges)+1, fileName(x.Request))
	x.SHA256, x.Bytes = sum(stdout), int64(len(stdout))
	if err := r.keepPlaceholders(); err != nil {
		return x, err
	}
	if err := writeFile(r.path(x.File), stdout, 0o600); err != nil {
		return x, &Error{r.dir, "io", err}
	}
	r.m.Exchanges = append(r.m.Exchanges, x)
	return x, r.save()
}

// fileName names the operation, and the task where one is asked for, because
// the answer does not say which it belongs to.
func fileName(q Request) string {
	name := q.Operation
	if task := q.Parameters["task_id"]; task != "" {
		name += "-" + task
	}
	return safeName(name, 80)
}

// keepPlaceholders writes those that were given out, before anything that holds
// them.
func (r *Recorder) keepPlaceholders() error {
	if r.redact == nil {
		return nil
	}
	r.m.Placeholders = r.redact.counts()
	if err := r.redact.save(); err != nil {
		return &Error{r.dir, "io", err}
	}
	return nil
}

func (r *Recorder) save() error {
	r.m.Updated = r.o.Now().UTC().Truncate(time.Millisecond)
	if err := r.writeManifest(); err != nil {
		return &Error{r.dir, "io", err}
	}
	return nil
}

func (r *Recorder) writeManifest() error {
	if r.m.Planned == nil {
		r.m.Planned = []Request{}
	}
	if r.m.Exchanges == nil {
		r.m.Exchanges = []Exchange{}
	}
	if r.m.Logs == nil {
		r.m.Logs = []Log{}
	}
	return writeJSON(filepath.Join(r.dir, manifestFile), r.m, 0o600)
}

// Close ends the recording; done says that nothing planned was left out.
func (r *Recorder) Close(done bool) error {
	r.m.Done = done && len((&Case{Manifest: r.m}).Missing()) == 0
	err := r.save()
	if e := r.lock.Close(); err == nil && e != nil {
		err = &Error{r.dir, "io", e}
	}
	return err
}

// Open opens the case that is being recorded, as it stands.
func (r *Recorder) Open() (*Case, error) { return Open(r.dir) }
