// Command bench measures the built program: bytes a second and peak memory on
// a long log, and the time from start to exit on a short one. Machines differ,
// so it also gives each figure as a ratio: to reading the log without looking
// at it, and to a program that does nothing.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

var (
	megabytes = flag.Int64("size", 256, "size of the long log in MiB")
	runs      = flag.Int("runs", 20, "how often the short log is analysed")
	keep      = flag.String("log", "", "write the long log to this file and keep it")
	program   = flag.String("program", "", "the built hcloud-modelarts")
)

func main() {
	flag.Parse()
	if err := bench(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench() error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	long, short := filepath.Join(dir, "long.log"), filepath.Join(dir, "short.log")
	if *keep != "" {
		long = *keep
	}
	if err := writeLog(long, *megabytes<<20); err != nil {
		return err
	}
	if err := writeLog(short, 64<<10); err != nil {
		return err
	}
	if *program == "" {
		return nil
	}
	if err := throughput(long); err != nil {
		return err
	}
	return startup(short)
}

func throughput(log string) error {
	start := time.Now()
	if err := drain(log); err != nil {
		return err
	}
	read := time.Since(start)
	took, peak, err := run(*program, "analyze", log)
	if err != nil {
		return err
	}
	fmt.Printf("long log: %d MiB in %.2f s, %.0f MB/s, %.1f times reading it, peak memory %d MiB\n",
		*megabytes, took.Seconds(), float64(*megabytes<<20)/1e6/took.Seconds(), took.Seconds()/read.Seconds(), peak>>20)
	return nil
}

func startup(log string) error {
	short, err := median(*runs, *program, "analyze", log)
	if err != nil {
		return err
	}
	nothing, err := median(*runs, "true")
	if err != nil {
		return err
	}
	fmt.Printf("short log: %.1f ms from start to exit, %.1f times doing nothing\n",
		float64(short.Microseconds())/1000, short.Seconds()/nothing.Seconds())
	return nil
}

func median(n int, command string, args ...string) (time.Duration, error) {
	times := make([]time.Duration, n)
	for i := range times {
		took, _, err := run(command, args...)
		if err != nil {
			return 0, err
		}
		times[i] = took
	}
	slices.Sort(times)
	return times[n/2], nil
}

// run gives the time and the peak memory in bytes of one process.
func run(command string, args ...string) (time.Duration, int64, error) {
	cmd := exec.Command(command, args...)
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, 0, fmt.Errorf("running %q: %w", command, err)
	}
	return time.Since(start), peakMemory(cmd.ProcessState), nil
}

func drain(log string) error {
	f, err := os.Open(log)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{f}, make([]byte, 1<<20))
	return err
}

// failing is the rank that fails.
const failing = 3

// writeLog writes a training log of about so many bytes: eight ranks that make
// progress and warn now and then. In the middle one of them fails, and the
// others wait for it to the end.
func writeLog(file string, size int64) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	clock := time.Date(2026, 6, 2, 1, 0, 0, 0, time.UTC)
	failed := false
	for step, written := 0, int64(0); written < size; step++ {
		clock = clock.Add(700 * time.Millisecond)
		if !failed && written >= size/2 {
			failed = true
			if _, err := io.WriteString(w, failure); err != nil {
				return err
			}
		}
		n, err := writeStep(w, step, failed, clock)
		if err != nil {
			return err
		}
		written += int64(n)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func writeStep(w io.Writer, step int, failed bool, clock time.Time) (int, error) {
	stamp := clock.Format("2006-01-02 15:04:05,000")
	total := 0
	for rank := range 8 {
		var n int
		var err error
		switch {
		case failed && rank == failing:
		case failed:
			n, err = fmt.Fprintf(w, "[rank%d]: %s INFO trainer.py:388 no answer yet from rank %d, asked %d times, queue 0, mem 41.2GiB\n", rank, stamp, failing, step)
		default:
			n, err = fmt.Fprintf(w, "[rank%d]: %s INFO trainer.py:412 step %d/900000 loss %.4f lr 1.2e-05 grad_norm %.3f tokens/s %d mem 41.2GiB\n",
				rank, stamp, step, 2.0+float64(step%97)/100, 0.5+float64((step+rank)%31)/50, 21000+(step*7+rank)%900)
		}
		if err != nil {
			return total, err
		}
		total += n
	}
	if step%50 == 0 {
		n, err := fmt.Fprintf(w, "%s WARNING: retrying request to the metrics service, attempt %d, error rate 0.0\n", stamp, step%3)
		return total + n, err
	}
	return total, nil
}

const failure = `[rank3]: Traceback (most recent call last):
[rank3]:   File "/home/ma-user/modelarts/user-job-dir/code/train.py", line 214, in <module>
[rank3]:     main()
[rank3]:   File "/home/ma-user/modelarts/user-job-dir/code/train.py", line 180, in main
[rank3]:     loss = model(batch)
[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.15 GiB of which 1.66 GiB is free.
`
