package main

import (
	"embed"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// total is how many bytes of healthy logs the analyzer has to read in silence.
const total = 50 << 20

// A format is a file of sections: the lines at the start, those of each step,
// those that come every so many steps, and those at the end. "{name}" is a
// value, see values.
//
//go:embed formats/*.txtar
var files embed.FS

type format struct {
	name, file       string
	start, step, end []string
	every            []interval
}

// interval holds lines that come once in so many steps.
type interval struct {
	steps int
	lines []string
}

// formats reads all formats, in the order of their names.
func formats() ([]format, error) {
	entries, err := files.ReadDir("formats")
	if err != nil {
		return nil, err
	}
	var all []format
	for _, e := range entries {
		data, err := files.ReadFile("formats/" + e.Name())
		if err != nil {
			return nil, err
		}
		f, err := parse(txtar.Parse(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		f.name = strings.TrimSuffix(e.Name(), ".txtar")
		all = append(all, f)
	}
	return all, nil
}

func parse(a *txtar.Archive) (format, error) {
	var f format
	var ok bool
	if f.file, ok = strings.CutPrefix(strings.TrimSpace(string(a.Comment)), "file: "); !ok {
		return f, fmt.Errorf("the first line names no file")
	}
	for _, s := range a.Files {
		lines := strings.Split(strings.TrimSuffix(string(s.Data), "\n"), "\n")
		for _, l := range lines {
			for _, m := range placeholder.FindAllStringSubmatch(l, -1) {
				if values[m[1]] == nil {
					return f, fmt.Errorf("there is no value %q", m[1])
				}
			}
		}
		every, repeated := strings.CutPrefix(s.Name, "every ")
		n, err := strconv.Atoi(every)
		switch {
		case s.Name == "start":
			f.start = lines
		case s.Name == "step":
			f.step = lines
		case s.Name == "end":
			f.end = lines
		case repeated && err == nil && n > 0:
			f.every = append(f.every, interval{n, lines})
		default:
			return f, fmt.Errorf("unknown section %q", s.Name)
		}
	}
	if f.start == nil || f.step == nil || f.end == nil {
		return f, fmt.Errorf("it needs the sections start, step and end")
	}
	return f, nil
}

// write writes a log of at least size bytes; the same size gives the same bytes.
func (f format) write(w io.Writer, size int) {
	s := &state{rand: rand.New(rand.NewPCG(1, uint64(len(f.name)))), now: time.Date(2026, 6, 2, 9, 41, 50, 0, time.UTC)}
	written := s.lines(w, f.start)
	for written < size {
		s.step++
		written += s.lines(w, f.step)
		for _, e := range f.every {
			if s.step%e.steps == 0 {
				written += s.lines(w, e.lines)
			}
		}
	}
	s.lines(w, f.end)
}

// state is where a job stands.
type state struct {
	rand *rand.Rand
	now  time.Time
	step int
}

var placeholder = regexp.MustCompile(`\{([a-zT]+)\}`)

func (s *state) lines(w io.Writer, lines []string) int {
	n := 0
	for _, l := range lines {
		s.now = s.now.Add(time.Duration(20+s.rand.IntN(300)) * time.Millisecond)
		text := placeholder.ReplaceAllStringFunc(l, func(p string) string { return values[p[1:len(p)-1]](s) })
		m, _ := io.WriteString(w, text+"\n") // a full disk shows when the writer is flushed
		n += m
	}
	return n
}

func (s *state) stamp(layout string) string { return s.now.Format(layout) }

// values are what the lines of a format may speak of.
var values = map[string]func(*state) string{
	"step":  func(s *state) string { return strconv.Itoa(s.step) },
	"epoch": func(s *state) string { return strconv.Itoa(s.step / 5005) },
	"loss": func(s *state) string {
		return fmt.Sprintf("%.4f", 0.4+9/math.Sqrt(float64(s.step+4))+s.rand.Float64()/20)
	},
	"lr":    func(s *state) string { return fmt.Sprintf("%.4e", 2e-5/(1+float64(s.step)/1e4)) },
	"small": func(s *state) string { return fmt.Sprintf("%.3f", 0.05+s.rand.Float64()) },
	"pct":   func(s *state) string { return fmt.Sprintf("%.2f", 10+89*s.rand.Float64()) },
	"sec":   func(s *state) string { return fmt.Sprintf("%.1f", 100+900*s.rand.Float64()) },
	"d":     func(s *state) string { return strconv.Itoa(s.rand.IntN(3)) },
	"n":     func(s *state) string { return strconv.Itoa(1 + s.rand.IntN(99999)) },
	"p":     func(s *state) string { return strconv.Itoa(s.rand.IntN(100)) },
	"rank":  func(s *state) string { return strconv.Itoa(s.rand.IntN(8)) },
	"pid":   func(s *state) string { return strconv.Itoa(4700 + s.rand.IntN(64)) },
	"hex":   func(s *state) string { return fmt.Sprintf("%06x", s.rand.IntN(1<<24)) },
	"ip":    func(s *state) string { return fmt.Sprintf("192.168.%d.%d", s.rand.IntN(4), 1+s.rand.IntN(250)) },
	"host":  func(*state) string { return "node-7" },
	"clock": func(s *state) string {
		return fmt.Sprintf("%d:%02d:%02d", s.rand.IntN(9), s.rand.IntN(60), s.rand.IntN(60))
	},
	"iso":   func(s *state) string { return s.stamp("2006-01-02 15:04:05") },
	"comma": func(s *state) string { return strings.Replace(s.stamp("2006-01-02 15:04:05.000"), ".", ",", 1) },
	"T":     func(s *state) string { return s.stamp("2006-01-02T15:04:05.000000000Z") },
	"ascend": func(s *state) string {
		return s.stamp("2006-01-02-15:04:05.000") + "." + fmt.Sprintf("%03d", s.rand.IntN(1000))
	},
	"dmesg": func(s *state) string { return fmt.Sprintf("%5d.%06d", 10+s.step/9, s.rand.IntN(1000000)) },
}
