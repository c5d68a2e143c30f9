// Package compare says what changed between two cases, reports or runs: the
// diagnosis, how the job was set up, which lines one log has and the other has
// not, how long a step took.
package compare

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// Side is one of the two things that are compared. A saved report has no more
// than Reports.
type Side struct {
	Name     string
	Reports  []report.Report
	Setups   map[string]map[string]string // how each job was set up: by id, "" when no answer tells it, and path
	Versions map[string]string            // of programs, as the logs tell them
	Rest     string                       // digest of what setups and files have beyond the bounds, "" for nothing
	StepTime time.Duration                // of one step, 0 when unknown
	Cut      bool                         // there were more templates than are kept
	Files    map[string]string            // small files of code and settings, by base name

	lines     []kept // the first line of each template, in reading order
	templates map[digest]struct{}
	sources   []string // that lines stand in
	read      func(source.Handler) error
	values    int // of all setups
	bytes     int // of their paths and texts
	fileBytes int
	rest      rest
}

// Line is a line of a case.
type Line struct {
	Source string `json:"source"`
	Line   int    `json:"line"`
	Text   string `json:"text"`

	nth int // of the lines of its side
}

// kept is what is held of a line, of which there may be many: those that are shown
// are read again.
type kept struct {
	template digest
	number   int
	nth      int
	source   int // in the sources of its side
}

// digest stands for a template. That two of 200,000 have one is less likely than a
// fault of the machine.
type digest uint64

// maxTemplates bounds the kinds of lines that are kept of one side.
const maxTemplates = 200_000

// Read reads a case.
func Read(name string, roots []source.Root, o analyzer.Options) (*Side, error) {
	reports, err := analyzer.Diagnose(roots, o)
	if err != nil {
		return nil, err
	}
	pack := o.Pack
	if pack == nil {
		pack = rules.Default()
	}
	s := &Side{
		Name: source.Printable(name), Reports: reports, Setups: map[string]map[string]string{}, Versions: map[string]string{},
		Files: map[string]string{}, templates: map[digest]struct{}{},
		read: func(h source.Handler) error {
			_, err := source.Read(roots, o.Limits, h)
			return err
		},
	}
	scanner := scan.New(pack)
	files := map[string]*strings.Builder{}
	c := &collector{
		line:    s.line,
		answer:  s.setup,
		scan:    scanner.Line,
		setting: func(name, line string) { s.keep(files, name, line) },
	}
	if err := s.read(c); err != nil {
		return nil, err
	}
	for name, text := range files {
		s.Files[name] = text.String()
	}
	s.Rest = s.rest.String()
	s.StepTime = stepTime(scanner.Close().Streams)
	return s, nil
}

// collector takes from a case what is compared.
type collector struct {
	line    func(l *source.Line, nth int) // of a log
	answer  func(data []byte)             // that tells how a job was set up
	scan    func(*source.Line)            // any line
	setting func(name, line string)       // of a file that is compared line by line
	lines   int                           // of logs, so far
	pages   *modelarts.Pages              // the answer being read in pages, nil when none is
}

func (c *collector) Begin(*source.Document) {}
func (c *collector) End(*source.Document)   {}
func (c *collector) Note(source.Note)       {}

// Line tells the lines of logs from those of settings.
func (c *collector) Line(l *source.Line) {
	c.scan(l)
	if base := path.Base(l.Doc.Name); l.Field == "" && settings().MatchString(base) {
		c.setting(base, l.Raw)
		return
	}
	if l.Kind == source.Log && strings.TrimSpace(l.Text) != "" {
		c.line(l, c.lines)
		c.lines++
	}
}

// settings are files of code and settings that are compared line by line.
var settings = lazy.Regexp(`(?i)(?:\.(?:py|sh|ya?ml|toml|ini|cfg|conf|env)|^(?:requirements|pip|conda|env)[\w-]*\.txt)$`)

// Bounds on the bytes of such a file that are compared, and of all.
const (
	maxFile  = 256 << 10
	maxFiles = 4 << 20
)

// keep adds a line to a file that is compared line by line.
func (s *Side) keep(files map[string]*strings.Builder, name, line string) {
	f := files[name]
	if f == nil && s.fileBytes+len(name) < maxFiles {
		s.fileBytes += len(name)
		f = &strings.Builder{}
		files[name] = f
	}
	if f == nil || f.Len()+len(line) >= maxFile || s.fileBytes+len(line) >= maxFiles {
		s.rest.add(name, line)
		return
	}
	s.fileBytes += len(line) + 1
	f.WriteString(line + "\n")
}

// line keeps the first line of each template and the versions that it names.
func (s *Side) line(l *source.Line, nth int) {
	s.versions(l.Text)
	t := digestOf(template(l.Text))
	if _, known := s.templates[t]; known {
		return
	}
	if len(s.templates) >= maxTemplates {
		s.Cut = true
		return
	}
	s.templates[t] = struct{}{}
	if n := len(s.sources); n == 0 || s.sources[n-1] != l.Doc.Name {
		s.sources = append(s.sources, l.Doc.Name)
	}
	s.lines = append(s.lines, kept{t, l.Number, nth, len(s.sources) - 1})
}

// show gives a line that is shown, whose text fill reads.
func (s *Side) show(k *kept) Line {
	return Line{Source: s.sources[k.source], Line: k.number, nth: k.nth}
}

// fill reads the texts of lines.
func (s *Side) fill(lines []*Line) error {
	if len(lines) == 0 {
		return nil
	}
	wanted := map[int][]*Line{}
	for _, l := range lines {
		wanted[l.nth] = append(wanted[l.nth], l)
	}
	return s.read(&collector{
		line: func(l *source.Line, nth int) {
			for _, w := range wanted[nth] {
				w.Text = strings.Clone(report.Excerpt(l.Raw, 0, 0))
			}
		},
		answer:  func([]byte) {},
		scan:    func(*source.Line) {},
		setting: func(string, string) {},
	})
}

// JSON keeps how a job was set up, and the lines of logs within an answer.
func (c *collector) JSON(j *source.JSON) {
	a, err := modelarts.ReadAt(j.Doc.Name, j.Number, j.Bytes, j.Cut)
	if err != nil {
		return
	}
	c.setup(j, a)
	c.texts(j.Doc, a.Texts)
}

// Page does the same for a part of an answer that is too large to be held.
func (c *collector) Page(p *source.Page) {
	if c.pages == nil {
		c.pages = modelarts.NewPages(p.Doc.Name, p.Number)
	}
	texts, err := c.pages.Read(p)
	if err == nil {
		c.texts(p.Doc, texts)
	}
	if a, err := modelarts.ReadAt(p.Doc.Name, p.Number, p.Bytes, p.Cut); err == nil {
		c.setup(&p.JSON, a)
	}
	if !p.Goes {
		c.pages = nil
	}
}

func (c *collector) setup(j *source.JSON, a modelarts.Answer) {
	if slices.Contains(a.APIs, "ShowTrainingJobDetails") || a.API == "ShowTrainingJobDetails" {
		c.answer(j.Bytes)
	}
}

func (c *collector) texts(d *source.Document, texts []modelarts.Text) {
	for _, t := range texts {
		if t.What == modelarts.LogText {
			source.Text(d, t.Field, source.Log, t.Text, func(l *source.Line) {
				l.Number += t.Before
				c.Line(l)
			})
		}
	}
}

// template is a line without what varies from run to run: every word that holds
// a digit becomes "#".
func template(text string) string {
	var b strings.Builder
	word := func(c byte) bool {
		return c >= 0x80 || c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	for i := 0; i < len(text); {
		j := i
		digit := false
		for j < len(text) && word(text[j]) {
			digit = digit || '0' <= text[j] && text[j] <= '9'
			j++
		}
		switch {
		case j == i:
			b.WriteByte(text[i])
			j++
		case digit:
			b.WriteByte('#')
		default:
			b.WriteString(text[i:j])
		}
		i = j
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func digestOf(template string) digest {
	h := sha256.Sum256([]byte(template))
	return digest(binary.LittleEndian.Uint64(h[:]))
}

var versionForm = lazy.Regexp(`(?i)\b(python|torch|pytorch|torch_npu|torchvision|cann|cuda|cudnn|nccl|hccl|driver|firmware|transformers|accelerate|deepspeed|megatron-core|mindspeed|mindspore|tensorflow|jax|flash_attn|numpy|vllm)(?: runtime| toolkit)?(?:[ _-]?version)?(?:\s*[:=]+\s*|\s+|==|-)v?(\d+\.\d+(?:\.\w+)*(?:[+-]\w+)?)`)

// versions keeps the first version that the logs name of each program.
func (s *Side) versions(text string) {
	if strings.IndexByte(text, '.') < 0 {
		return
	}
	for _, m := range versionForm().FindAllStringSubmatch(text, -1) {
		if name := strings.ToLower(m[1]); s.Versions[name] == "" {
			s.Versions[name] = strings.Clone(report.Excerpt(m[2], 0, 0)) // the line may be long
		}
	}
}

// setUp are the members of a job that say how it is set up.
var setUp = []string{"algorithm", "spec", "tasks", "parameter", "parameters", "config", "engine", "flavor"}

func (s *Side) setup(data []byte) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return
	}
	s.jobsIn(v, 0)
}

// jobsIn looks for jobs within envelopes and lists.
func (s *Side) jobsIn(v any, depth int) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			s.jobsIn(x, depth+1)
		}
	case map[string]any:
		for _, key := range setUp {
			if x, ok := v[key]; ok {
				s.flatten(s.setupBy(idOf(v)), key, x, 1)
			}
		}
		if depth > 3 || v["metadata"] != nil {
			return
		}
		for _, key := range slices.Sorted(maps.Keys(v)) { // what comes later wins
			s.jobsIn(v[key], depth+1)
		}
	}
}

// idOf is the id that an answer gives a job.
func idOf(job map[string]any) string {
	if m, ok := job["metadata"].(map[string]any); ok {
		job = m
	}
	for _, key := range []string{"id", "job_id"} {
		if id, ok := job[key].(string); ok {
			return id
		}
	}
	return ""
}

// setupBy gives the setup of a job, nil beyond the bounds.
func (s *Side) setupBy(id string) map[string]string {
	if s.Setups[id] == nil && s.room(len(id)+mapBytes) {
		s.Setups[id] = map[string]string{}
	}
	return s.Setups[id]
}

// room takes so many bytes of what setups may have, and reports whether they are there.
func (s *Side) room(bytes int) bool {
	if s.bytes+bytes > maxSetups {
		return false
	}
	s.bytes += bytes
	return true
}

// setupOf gives how a job was set up. Of a case with one job, all answers tell
// of that.
func (s *Side) setupOf(r *report.Report) map[string]string {
	if len(s.Reports) > 1 {
		return s.Setups[r.Job.ID]
	}
	all := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(s.Setups)) {
		maps.Copy(all, s.Setups[id])
	}
	return all
}

// Bounds on the paths under which values are compared, and on how many there
// are. What goes beyond them is compared as one text of JSON.
const (
	deepestPath = 16 // steps
	longestPath = 512
	maxValues   = 100_000
)

// maxSetups bounds the bytes of the paths and values of all setups of a side, of which
// each job has mapBytes more. What goes beyond is compared by a digest of all of it.
const (
	maxSetups = 2 << 20
	mapBytes  = 256
)

// rest is what is compared by its digest.
type rest struct {
	sum   hash.Hash
	bytes int
}

func (r *rest) add(name, text string) {
	if r.sum == nil {
		r.sum = sha256.New()
	}
	r.bytes += len(text)
	fmt.Fprintf(r.sum, "%d %s%d %s", len(name), name, len(text), text)
}

// String tells the rest, "" when there is none.
func (r *rest) String() string {
	if r.sum == nil {
		return ""
	}
	return fmt.Sprintf("%d B, SHA-256 %x", r.bytes, r.sum.Sum(nil))
}

// flatten writes each value under its path, which has so many steps. Entries of
// lists of names and values are known by their names, so that order does not
// matter.
func (s *Side) flatten(into map[string]string, path string, v any, steps int) {
	if members := size(v); members > 0 && (steps == deepestPath || s.values+members > maxValues || !fits(path, v)) {
		s.put(into, path, asJSON(v))
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) { // what comes later wins
			s.flatten(into, path+"."+key, v[key], steps+1)
		}
	case []any:
		for i, x := range v {
			if name, value, ok := named(x); ok {
				s.flatten(into, path+"."+name, value, steps+1)
				continue
			}
			s.flatten(into, path+"["+strconv.Itoa(i)+"]", x, steps+1)
		}
	case nil:
	case string:
		s.put(into, path, v)
	default:
		s.put(into, path, asJSON(v))
	}
}

func (s *Side) put(into map[string]string, path, text string) {
	s.values++
	if into == nil || !s.room(len(path)+len(text)) {
		s.rest.add(path, text)
		return
	}
	into[path] = text
}

// size counts the members of an object or a list.
func size(v any) int {
	switch v := v.(type) {
	case map[string]any:
		return len(v)
	case []any:
		return len(v)
	}
	return 0
}

// fits reports whether no name within an object or a list makes its path too long.
func fits(path string, v any) bool {
	longest := 0
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			longest = max(longest, len(key))
		}
	case []any:
		for _, x := range v {
			name, _, _ := named(x)
			longest = max(longest, len(name), len(strconv.Itoa(len(v)))+1)
		}
	}
	return len(path)+1+longest <= longestPath
}

// named reads an entry that has a name, and mostly a value.
func named(x any) (name string, value any, ok bool) {
	m, _ := x.(map[string]any)
	if name, ok = m["name"].(string); !ok {
		return "", nil, false
	}
	if value, has := m["value"]; has {
		return name, value, true
	}
	return name, m, true
}

func asJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "" // it was read from JSON
	}
	return string(data)
}

// stepTime is the median over all ranks of how long a step took.
func stepTime(streams []*scan.Stream) time.Duration {
	var times []time.Duration
	for _, s := range streams {
		var first, last *scan.Mark
		for i := range s.Progress {
			m := &s.Progress[i]
			if m.Step < 0 || m.Time.IsZero() {
				continue
			}
			if first == nil || m.Step < first.Step {
				first = m
			}
			if last == nil || m.Step > last.Step {
				last = m
			}
		}
		if first != nil && last.Step > first.Step && last.Time.After(first.Time) {
			times = append(times, last.Time.Sub(first.Time)/time.Duration(last.Step-first.Step))
		}
	}
	if len(times) == 0 {
		return 0
	}
	slices.SortFunc(times, cmp.Compare)
	return times[len(times)/2]
}
