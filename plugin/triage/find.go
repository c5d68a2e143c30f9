package triage

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
)

// Case is what belongs to one failure: one folder, archive or file, or several
// files of one folder.
type Case struct {
	Name  string // where the user finds it, fit to be shown; unique within one search
	ID    string // told by the name as the system has it, also where masking makes two names alike
	Roots []source.Root
	Stamp string // of its files, for telling whether they changed
	Err   error  // why it cannot be read, nil else
	files []file // of it, while the search goes on
}

// Find parts what the user named into cases, ordered by masked name. A folder is one
// case when it is laid out as one; a pile of folders, archives and logs is as
// many cases as it holds jobs, told by job ids in names and by numbered names.
// Nothing but names is looked at, except where a folder holds files of several
// jobs and names do not tell whose a file is.
//
// What cannot be read is a case with an error: it never ends the search.
func Find(places []source.Root) []Case {
	f := &finder{cases: map[string]*Case{}}
	f.gather(places)
	all := make([]Case, 0, len(f.cases))
	masked := map[string]string{}
	for _, c := range f.cases {
		h := sha256.Sum256([]byte(c.Name))
		c.ID, c.Name = hex.EncodeToString(h[:6]), source.Printable(c.Name)
		c.files = nil // thousands of cases need the memory
		all = append(all, *c)
		masked[c.Name] = report.MaskForPrograms(c.Name)
	}
	slices.SortFunc(all, func(a, b Case) int {
		return cmp.Or(strings.Compare(masked[a.Name], masked[b.Name]), strings.Compare(a.ID, b.ID))
	})
	tellApart(all)
	return all
}

// tellApart numbers cases whose names are spelled alike: the second becomes "a#2".
func tellApart(all []Case) {
	taken, again := map[string]bool{}, map[string]int{}
	for i := range all {
		c := &all[i]
		for name := c.Name; taken[c.Name]; {
			again[name]++
			c.Name = name + "#" + strconv.Itoa(1+again[name])
		}
		taken[c.Name] = true
	}
}

type finder struct {
	cases   map[string]*Case
	held    holding // by archives, for their cases
	holding holding // by the archive that was opened last
}

// folder is a folder with what it holds.
type folder struct {
	name  string // as the user finds it
	fsys  fs.FS
	path  string // within fsys
	dirs  []*folder
	files []file
	part  bool // only some of its files are meant
	other bool // it holds links, pipes or devices, which are left to the diagnosis
}

// file is a file within a folder.
type file struct {
	name string // within its folder
	full string // as the user finds it
	fsys fs.FS
	path string
	size int64
	mod  time.Time
	pipe bool // can be read once, by the diagnosis
}

// gather walks what the user named. Single files are put back into their
// folders, so that the files of a list are parted like those of a folder.
func (f *finder) gather(places []source.Root) {
	loose := map[string]*folder{}
	for _, p := range places {
		info, err := fs.Stat(p.FS, p.Path)
		switch {
		case err != nil:
			f.broken(p.Name, err)
		case info.IsDir():
			d, err := walk(p.Name, p.FS, p.Path)
			if err != nil {
				f.broken(p.Name, err)
				continue
			}
			if !d.bare() {
				f.folder(d)
			}
		default:
			dir := path.Dir(slashed(p.Name))
			d := loose[dir]
			if d == nil {
				d = &folder{name: dir, part: true}
				loose[dir] = d
			}
			d.files = append(d.files, file{path.Base(slashed(p.Name)), p.Name, p.FS, p.Path, info.Size(), info.ModTime(), !info.Mode().IsRegular()})
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(loose)) {
		f.files(loose[dir], loose[dir].files)
	}
}

func slashed(name string) string { return strings.ReplaceAll(name, "\\", "/") }

// walk reads a folder's names. Links are not followed; what cannot be read
// below it is left to the diagnosis, which notes it. Litter is no case.
func walk(name string, fsys fs.FS, dir string) (*folder, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil && len(entries) == 0 {
		return nil, err
	}
	d := &folder{name: name, fsys: fsys, path: dir}
	for _, e := range entries {
		full := strings.TrimSuffix(name, "/") + "/" + e.Name()
		switch {
		case source.IsLitter(e.Name()), e.IsDir() && source.IsLitter(e.Name()+"/"):
		case e.IsDir():
			if sub, err := walk(full, fsys, path.Join(dir, e.Name())); err == nil {
				d.dirs = append(d.dirs, sub)
			} else {
				d.dirs = append(d.dirs, &folder{name: full, fsys: fsys, path: path.Join(dir, e.Name())})
			}
		case e.Type().IsRegular():
			x := file{name: e.Name(), full: full, fsys: fsys, path: path.Join(dir, e.Name())}
			if info, err := e.Info(); err == nil {
				x.size, x.mod = info.Size(), info.ModTime()
			}
			d.files = append(d.files, x)
		default:
			d.other = true
		}
	}
	return d, nil
}

// bare reports a folder in which there is nothing at all.
func (d *folder) bare() bool {
	return !d.other && len(d.files) == 0 && !slices.ContainsFunc(d.dirs, func(sub *folder) bool { return !sub.bare() })
}

// all gives every file at and below a folder.
func (d *folder) all() []file {
	files := slices.Clone(d.files)
	for _, sub := range d.dirs {
		files = append(files, sub.all()...)
	}
	return files
}

// folder parts a folder: it is recorded as a case, laid out as one, a pile of
// other folders, or a set of files.
func (f *finder) folder(d *folder) {
	if input := shipped(d); input != nil {
		f.add(d.name, []source.Root{*input}, d.all())
		return
	}
	if recorded(d) {
		f.whole(d)
		return
	}
	var others, parts []*folder
	for _, sub := range d.dirs {
		switch {
		case len(d.files) > 0 && sub.bare():
			continue // beside files an empty folder says nothing; among folders it is a case that cannot be read
		case isPart(path.Base(slashed(sub.name))):
			parts = append(parts, sub)
		default:
			others = append(others, sub)
		}
	}
	switch {
	case len(others) > 1 && !ownsAnswers(d.files) && !shareJob(d.files, others), len(others) == 1 && len(d.files)+len(parts) == 0:
		for _, sub := range append(others, parts...) {
			f.folder(sub)
		}
		if len(d.files) > 0 {
			f.files(&folder{name: d.name, part: true}, d.files)
		}
	case len(d.dirs) == 0:
		f.files(d, d.files)
	default:
		f.jobs(d, d.all())
	}
}

// shipped gives the input of a case that is laid out as those that ship with
// the product.
func shipped(d *folder) *source.Root {
	names := make([]string, 0, len(d.files)+len(d.dirs))
	for _, x := range d.files {
		names = append(names, x.name)
	}
	for _, sub := range d.dirs {
		names = append(names, path.Base(slashed(sub.name)))
	}
	input := InputOf(names)
	if input == "" {
		return nil
	}
	return &source.Root{Name: strings.TrimSuffix(d.name, "/") + "/" + input, FS: d.fsys, Path: path.Join(d.path, input)}
}

// InputOf gives of the names in a folder the one that holds the input of a case,
// when the folder is laid out as the cases that ship with the product: case.yaml,
// which tells the answer and is no evidence, beside one input folder or file. It
// is "" for any other folder.
func InputOf(names []string) string {
	input := ""
	for _, name := range names {
		if name != "input" && !strings.HasPrefix(name, "input.") {
			continue
		}
		if input != "" {
			return ""
		}
		input = name
	}
	if !slices.Contains(names, "case.yaml") {
		return ""
	}
	return input
}

// recorded reports a folder that a recording wrote: its manifest is there.
func recorded(d *folder) bool { return d.has("case.json") }

func (d *folder) has(name string) bool {
	return slices.ContainsFunc(d.files, func(x file) bool { return x.name == name })
}

// ownsAnswers reports whether files are answers about one job, which makes the
// folders beside them its parts.
func ownsAnswers(files []file) bool {
	return slices.ContainsFunc(files, func(x file) bool {
		base := strings.ToLower(x.name)
		return strings.HasSuffix(base, ".json") && answerName().MatchString(base)
	})
}

// shareJob reports whether a file and a folder beside it are named by the same
// job.
func shareJob(files []file, dirs []*folder) bool {
	return slices.ContainsFunc(dirs, func(sub *folder) bool {
		id := jobID(path.Base(slashed(sub.name)))
		return id != "" && slices.ContainsFunc(files, func(x file) bool { return jobID(x.name) == id })
	})
}

// files parts the files of one folder.
func (f *finder) files(d *folder, files []file) {
	if len(files) == 1 {
		f.single(files[0])
		return
	}
	if len(idsIn(files)) > 1 {
		f.jobs(d, files)
		return
	}
	if sets := numbered(files); len(sets) > 1 {
		f.sets(d, sets)
		return
	}
	f.set(d, d.name, files, !d.part)
}

// jobs parts files by the job ids in their names, and where those do not tell
// by their content. When files remain that belong to nobody, and the jobs are
// few, all of them are one case: the diagnosis parts it by content.
func (f *finder) jobs(d *folder, files []file) {
	ids := idsIn(files)
	if len(ids) < 2 {
		f.set(d, d.name, files, !d.part)
		return
	}
	sets := map[string][]file{}
	for _, x := range files {
		id := jobID(x.full)
		if id == "" {
			id = idInContent(x, ids)
		}
		sets[id] = append(sets[id], x)
	}
	if len(sets[""]) > 0 && len(ids) <= fewJobs {
		f.set(d, d.name, files, !d.part)
		return
	}
	f.sets(d, sets)
}

// fewJobs is up to how many jobs are diagnosed as one case when nobody can say
// whose some of their files are.
const fewJobs = 8

// sets makes a case of each set of files.
func (f *finder) sets(d *folder, sets map[string][]file) {
	for key, files := range sets {
		switch {
		case len(files) == 1:
			f.single(files[0])
		case key == "":
			f.set(d, d.name, files, false)
		default:
			f.set(d, strings.TrimSuffix(d.name, "/")+"/"+key, files, false)
		}
	}
}

// set makes one case of some files, or of a whole folder.
func (f *finder) set(d *folder, name string, files []file, whole bool) {
	if whole {
		f.whole(d)
		return
	}
	if len(files) == 1 {
		f.single(files[0])
		return
	}
	roots := make([]source.Root, len(files))
	for i := range files {
		roots[i] = files[i].root()
	}
	f.add(name, roots, files)
}

func (f *finder) whole(d *folder) {
	f.add(d.name, []source.Root{{Name: d.name, FS: d.fsys, Path: d.path}}, d.all())
}

// single makes a case of one file, or of each case that an archive holds.
func (f *finder) single(x file) {
	f.holding = holding{}
	var inner *folder
	if !x.pipe {
		inner = openArchive(x)
	}
	if inner == nil && !x.pipe && archiveEnding().MatchString(x.name) {
		inner = f.openTarball(x)
	}
	if inner != nil {
		sub := &finder{cases: map[string]*Case{}, held: f.held.and(f.holding)}
		sub.folder(inner)
		if len(sub.cases) > 1 {
			f.held = sub.held
			for _, c := range sub.cases {
				f.add(c.Name, c.Roots, []file{x})
			}
			return
		}
	}
	f.add(x.full, []source.Root{x.root()}, []file{x})
}

// add keeps a case. What is named twice is one case, and so are the folder and
// the files of one ticket ("T-1/" beside "T-1.log" and "T-1.json"): of the files
// that come later it takes those that it does not have.
func (f *finder) add(name string, roots []source.Root, files []file) {
	if trimmed := strings.TrimRight(name, "/"); trimmed != "" {
		name = trimmed
	}
	old := f.cases[name]
	if old == nil || old.Err != nil {
		f.cases[name] = &Case{Name: name, Roots: roots, Stamp: stamp(files), files: files}
		return
	}
	has := map[string]bool{}
	for _, x := range old.files {
		has[x.full] = true
	}
	for _, x := range files {
		if !has[x.full] {
			old.Roots = append(old.Roots, x.root())
			old.files = append(old.files, x)
		}
	}
	old.Stamp = stamp(old.files)
}

func (x *file) root() source.Root { return source.Root{Name: x.full, FS: x.fsys, Path: x.path} }

// stamp tells whether files have changed.
func stamp(files []file) string {
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.full, b.full) })
	h := sha256.New()
	for _, x := range files {
		fmt.Fprintf(h, "%q %d %d\n", x.full, x.size, x.mod.UnixNano())
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func (f *finder) broken(name string, err error) {
	if _, told := errors.AsType[*source.Error](err); told {
		// it is worded already
	} else if errors.Is(err, fs.ErrNotExist) {
		err = &source.Error{Path: name, Code: "missing", Err: fs.ErrNotExist}
	} else {
		err = &source.Error{Path: name, Code: "unreadable", Err: err}
	}
	f.cases[name] = &Case{Name: name, Err: err}
}
