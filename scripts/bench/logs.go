package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/rules"
)

// writeFragments writes the longest literal of the first wording of every 21st
// rule, 64 in all.
func writeFragments(file string) error {
	var b strings.Builder
	for i, n := 0, 0; i < len(rules.Default().Rules) && n < 64; i, n = i+21, n+1 {
		longest := ""
		for _, l := range rules.Default().Rules[i].Match[0].Literals {
			if len(l) > len(longest) {
				longest = l
			}
		}
		b.WriteString(longest + "\n")
	}
	return os.WriteFile(file, []byte(b.String()), 0o600)
}

func saveLog(file, kind string, size int64) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := writeLog(f, kind, size); err != nil {
		return err
	}
	return f.Close()
}

// writeLog writes about size bytes of a log: of eight ranks that make progress
// and warn now and then (healthy); the same with one line in a hundred that a
// rule of harmless lines knows (noisy); of lines that rules have as near misses,
// each with the words of one (near); of tracebacks and nothing else, of ranks
// that write at the same time (traces). An answer is no log: it is one line of
// JSON with a list of events.
func writeLog(w io.Writer, kind string, size int64) error {
	out := bufio.NewWriterSize(w, 1<<20)
	var lines []string
	next, end := healthyStep, ""
	switch kind {
	case "healthy":
	case "noisy", "near":
		var err error
		if lines, err = samples(kind == "near"); err != nil {
			return err
		}
		if next = noisyStep; kind == "near" {
			next = nearStep
		}
	case "traces":
		next = traceStep
	case "answer":
		next, end = eventStep, "]}\n"
	default:
		return fmt.Errorf("there is no kind of log %q", kind)
	}
	var b []byte
	for step, written := 0, int64(0); written < size; step++ {
		b = next(b[:0], step, lines)
		written += int64(len(b))
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	if _, err := out.WriteString(end); err != nil {
		return err
	}
	return out.Flush()
}

// samples are lines from the rules: near misses, or what harmless rules match.
func samples(near bool) (lines []string, err error) {
	for _, r := range rules.Default().Rules {
		if !near && r.Role != rules.Harmless {
			continue
		}
		d, err := r.Detail()
		if err != nil {
			return nil, err
		}
		list := d.Samples.Match
		if near {
			list = d.Samples.Near
		}
		for _, s := range list {
			if !strings.ContainsAny(s, "\n\r") && len(s) < 400 {
				lines = append(lines, s)
			}
		}
	}
	return lines, nil
}

func appendStamp(b []byte, step int) []byte {
	return time.UnixMilli(1780362000000+int64(step)*700).UTC().AppendFormat(b, "2006-01-02 15:04:05,000")
}

func healthyStep(b []byte, step int, _ []string) []byte {
	stamp := appendStamp(nil, step)
	for rank := range 8 {
		b = append(append(append(b, "[rank"...), '0'+byte(rank)), "]: "...)
		b = append(append(b, stamp...), " INFO trainer.py:412 step "...)
		b = strconv.AppendInt(b, int64(step), 10)
		b = strconv.AppendFloat(append(b, "/900000 loss "...), 2+float64(step%97)/100, 'f', 4, 64)
		b = strconv.AppendFloat(append(b, " lr 1.2e-05 grad_norm "...), 0.5+float64((step+rank)%31)/50, 'f', 3, 64)
		b = strconv.AppendInt(append(b, " tokens/s "...), int64(21000+(step*7+rank)%900), 10)
		b = append(b, " mem 41.2GiB\n"...)
	}
	if step%50 == 0 {
		b = append(append(b, stamp...), " WARNING: retrying request to the metrics service, attempt 2, error rate 0.0\n"...)
	}
	return b
}

func noisyStep(b []byte, step int, lines []string) []byte {
	b = healthyStep(b, step, nil)
	if step%12 == 0 { // 8 lines a step
		b = append(append(b, lines[step/12%len(lines)]...), '\n')
	}
	return b
}

func nearStep(b []byte, step int, lines []string) []byte {
	return append(append(append(appendStamp(b, step), " INFO "...), lines[step%len(lines)]...), '\n')
}

// ranksOfTraces is how many ranks print tracebacks.
const ranksOfTraces = 4096

func traceStep(b []byte, step int, _ []string) []byte {
	const together = 8 // ranks whose lines stand between one another
	first := step * together % ranksOfTraces
	for _, line := range []string{
		"Traceback (most recent call last):",
		`  File "/home/ma-user/code/train.py", line 214, in <module>`,
		"    main()",
		`  File "/home/ma-user/code/train.py", line 180, in main`,
		"    loss = model(batch)",
		"ValueError: the batch has no sample of class " + strconv.Itoa(step),
	} {
		for rank := first; rank < first+together; rank++ {
			b = strconv.AppendInt(append(b, "[rank"...), int64(rank), 10)
			b = append(append(append(b, "]: "...), line...), '\n')
		}
	}
	return b
}

func eventStep(b []byte, step int, _ []string) []byte {
	before := ", "
	if step == 0 {
		before = `{"events": [`
	}
	b = append(append(b, before...), `{"time": "`...)
	b = time.UnixMilli(1780362000000+int64(step)*700).UTC().AppendFormat(b, time.RFC3339)
	b = strconv.AppendInt(append(b, `", "level": "Info", "source": "Task", "message": "[worker-`...), int64(step%64), 10)
	return append(strconv.AppendInt(append(b, `] pulled layer `...), int64(step), 10), ` of the image."}`...)
}
