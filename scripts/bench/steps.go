package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	fastgzip "github.com/klauspost/compress/gzip"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
)

// throughput measures long logs in the page cache.
func throughput(b *table) error {
	for _, k := range []struct {
		kind, what string
		rg, wc     float64 // goals: 0 is none
	}{
		{"healthy", "healthy log", 0.5, 3},
		{"noisy", "noisy log (1 line in 100 is known to a rule)", 0, 0},
		{"near", "log of near misses only", 0, 0},
		{"traces", "log of tracebacks only", 0, 0},
	} {
		size := *megabytes
		if k.kind == "near" || k.kind == "traces" {
			size = max(1, size/8)
		}
		log := filepath.Join(b.dir, k.kind+".log")
		if err := saveLog(log, k.kind, size<<20); err != nil {
			return err
		}
		costs, err := fastest(*runs, []string{*program, "analyze", log},
			[]string{"rg", "-a", "-c", "-F", "-f", b.fragments, log}, []string{"wc", "-l", log}, []string{"grep", "-a", "-c", "-F", "-f", b.fragments, log})
		if err != nil {
			return err
		}
		what := fmt.Sprintf("%d MiB, %s", size, k.what)
		b.against(what, costs[0], "`rg -c -F -f` with 64 fragments", costs[1], asked(k.rg))
		b.against(what, costs[0], "`wc -l`", costs[2], asked(k.wc))
		b.against(what, costs[0], "`grep -c -F -f` with the same", costs[3], 0)
		if k.kind == "healthy" {
			if err := compressed(b, log); err != nil {
				return err
			}
		} else {
			os.Remove(log)
		}
	}
	return nil
}

// compressed measures the healthy log as a gzip file.
func compressed(b *table, log string) error {
	name := log + ".gz"
	if err := compress(name, log); err != nil {
		return err
	}
	defer os.Remove(name)
	costs, err := fastest(*runs, []string{*program, "analyze", name}, []string{"gzip", "-dc", name})
	if err != nil {
		return err
	}
	var reader cost
	for range *runs {
		took, err := timed(func() error { return drain(name) })
		if err != nil {
			return err
		}
		reader.least(took)
	}
	what := fmt.Sprintf("the same %d MiB as gzip", *megabytes)
	b.against(what, costs[0], "its decompression alone", reader, asked(1.1))
	b.against(what, costs[0], "`gzip -dc`", costs[1], 0)
	return nil
}

func compress(name, log string) error {
	in, err := os.Open(log)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	defer out.Close()
	z, err := fastgzip.NewWriterLevel(out, gzip.DefaultCompression)
	if err != nil {
		return err
	}
	if _, err := io.Copy(z, in); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return out.Close()
}

// drain decompresses with the reader that the program has.
func drain(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := fastgzip.NewReader(bufio.NewReaderSize(f, 1<<16))
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{z}, make([]byte, 1<<18))
	return err
}

// timed gives the time that f takes in this process.
func timed(f func() error) (cost, error) {
	start, before := time.Now(), processorTime()
	err := f()
	return cost{wall: time.Since(start), cpu: processorTime() - before}, err
}

// packs measures the shipped rules, and three and ten times as many, with
// literals of their own, in this process: reading rules from files is another
// matter.
func packs(b *table) error {
	debug.SetGCPercent(400) // as the program does
	root := []source.Root{{Name: "healthy.log", FS: os.DirFS(b.dir), Path: "healthy.log"}}
	var once cost
	for _, times := range []int{1, 3, 10} {
		pack := multiplied(times)
		var own cost
		for range *runs {
			took, err := timed(func() error {
				_, err := analyzer.Diagnose(root, analyzer.Options{Lang: "en", Pack: pack})
				return err
			})
			if err != nil {
				return err
			}
			own.least(took)
		}
		if times == 1 {
			once = own
			continue
		}
		goal := 0.0
		if times == 10 {
			goal = asked(1.3)
		}
		b.against(fmt.Sprintf("%d MiB, healthy log, %d rules", *megabytes, len(pack.Rules)), own, fmt.Sprintf("%d rules", len(rules.Default().Rules)), once, goal)
	}
	return os.Remove(filepath.Join(b.dir, "healthy.log"))
}

// multiplied gives the shipped rules and times-1 copies of each, whose literals
// have other letters.
func multiplied(times int) *rules.Pack {
	more := &rules.Pack{}
	for n := 1; n < times; n++ {
		for _, r := range rules.Default().Rules {
			c := &rules.Rule{ID: r.ID + "-" + strconv.Itoa(n), Family: r.Family, Cause: r.Cause, Role: rules.Harmless, Match: make([]rules.Wording, len(r.Match))}
			for i := range r.Match {
				for _, l := range r.Match[i].Literals {
					c.Match[i].Literals = append(c.Match[i].Literals, otherLetters(l, n))
				}
			}
			more.Rules = append(more.Rules, c)
		}
	}
	return rules.Default().With(more)
}

func otherLetters(s string, by int) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case 'a' <= c && c <= 'z':
			b[i] = 'a' + (c-'a'+byte(by+i))%26
		case 'A' <= c && c <= 'Z':
			b[i] = 'A' + (c-'A'+byte(by+i))%26
		}
	}
	return string(b)
}

// mostMemory is the goal for every input.
const mostMemory = 64 << 20

// memory measures what streams of growing size leave resident.
func memory(b *table) error {
	for _, m := range []struct {
		kind, what string
		size       int64 // MiB
	}{
		{"healthy", "a healthy log", max(1, *megabytes/10)}, {"healthy", "a healthy log", *megabytes}, {"healthy", "a healthy log", *megabytes * 10},
		{"near", "a log of near misses", max(1, *megabytes/10)}, {"traces", "a log of tracebacks", max(1, *megabytes/10)},
		{"answer", "one answer, a list of events", max(1, *megabytes/10)},
	} {
		in, out := io.Pipe()
		go func() { out.CloseWithError(writeLog(out, m.kind, m.size<<20)) }()
		took, err := run(in, *program, "analyze", "-")
		if err != nil {
			return err
		}
		ratio := fmt.Sprintf("%d MiB", took.peak>>20)
		if took.peak == 0 {
			ratio = "–"
		}
		b.add(fmt.Sprintf("peak memory, %d MiB of %s on standard input", m.size, m.what), fmt.Sprintf("%.1f s", took.wall.Seconds()), ratio, asked("at most 64 MiB"), took.peak <= mostMemory)
	}
	return nil
}

// startup measures an answer of 2 KB.
func startup(b *table) error {
	answer := filepath.Join("corpus", "cases", "traceback-in-task-message", "input.json")
	own, other := make([]cost, 0, 40), cost{}
	for range 8 * *runs {
		costs, err := fastest(1, []string{*program, "analyze", answer}, []string{"jq", ".", answer})
		if err != nil {
			return err
		}
		own = append(own, costs[0])
		if costs[1].wall > 0 {
			other.least(costs[1])
		}
	}
	slices.SortFunc(own, func(x, y cost) int { return int(x.wall - y.wall) })
	middle := own[len(own)/2]
	b.add("from start to exit on an answer of 2 KB", fmt.Sprintf("%.1f ms (%.1f ms of processors), half of the runs", middle.wall.Seconds()*1e3, middle.cpu.Seconds()*1e3), fmt.Sprintf("%.1f ms at best", own[0].wall.Seconds()*1e3), "at most 15 ms", middle.wall <= 15*time.Millisecond)
	b.against("from start to exit on an answer of 2 KB, at best,", own[0], "`jq .`", other, 0)
	return nil
}

// triage measures a pile of cases.
func triage(b *table) error {
	n := max(20, 10000**megabytes/1024)
	dir := filepath.Join(b.dir, "tickets")
	if _, err := run(nil, "go", "run", "./scripts/tickets", "-n", strconv.FormatInt(n, 10), dir); err != nil {
		return err
	}
	took, err := run(nil, *program, "triage", "run", dir, "--format", "ndjson", "-o", filepath.Join(b.dir, "triage.ndjson"))
	if err != nil {
		return err
	}
	b.add(fmt.Sprintf("triage of %d cases", n), took.String(), fmt.Sprintf("%.0f cases a second, %d MiB", float64(n)/took.wall.Seconds(), took.peak>>20), "", false)
	return nil
}
