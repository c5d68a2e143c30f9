// Command tickets writes a pile of small cases as support engineers get them:
// folders, single logs, archives, answers of the service; most of a job that
// failed, some of a healthy one, some that cannot be read. The same number
// gives the same bytes. It is what triage is tested and measured on.
//
//	go run ./scripts/tickets -n 10000 DIR
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var count = flag.Int("n", 100, "how many cases")

func main() {
	flag.Parse()
	if flag.NArg() != 1 || *count < 1 {
		fmt.Fprintln(os.Stderr, "usage: tickets [-n N] DIR")
		os.Exit(2)
	}
	for i := range *count {
		if err := writeTicket(flag.Arg(0), i); err != nil {
			fmt.Fprintln(os.Stderr, "tickets:", err)
			os.Exit(1)
		}
	}
}

// ticket is one job with what was saved of it.
type ticket struct {
	number int
	id     string
	name   string
	start  time.Time
	fault  fault
}

// fault is how a job ends on the rank where it fails.
type fault struct {
	lines    []string // what the rank prints; "" is a healthy end
	exitCode int
}

var faults = []fault{
	{[]string{`Traceback (most recent call last):`, `  File "/home/ma-user/code/train.py", line 88, in <module>`, `    loss = model(batch)`, `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.15 GiB of which 1.66 GiB is free.`}, 1},
	{[]string{`Traceback (most recent call last):`, `  File "/home/ma-user/code/data.py", line 31, in load`, `    with open(path) as f:`, `FileNotFoundError: [Errno 2] No such file or directory: '/cache/train.json'`}, 1},
	{[]string{`Traceback (most recent call last):`, `  File "/home/ma-user/code/train.py", line 3, in <module>`, `    import flash_attn`, `ModuleNotFoundError: No module named 'flash_attn'`}, 1},
	{[]string{`Traceback (most recent call last):`, `  File "/home/ma-user/code/save.py", line 12, in save`, `    torch.save(state, path)`, `OSError: [Errno 28] No space left on device`}, 1},
	{[]string{`Traceback (most recent call last):`, `  File "/home/ma-user/code/model.py", line 140, in forward`, `    return self.head(x)`, `RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x1024 and 768x1000)`}, 1},
	{[]string{`Traceback (most recent call last):`, `  File "/home/ma-user/code/train.py", line 61, in step`, `    opt.zero_grad(`, `KeyError: 'attention_mask'`}, 1},
	{[]string{`RuntimeError: NPU out of memory. Tried to allocate 1.45 GiB (NPU 2; 60.97 GiB total capacity; 58.11 GiB already allocated; 58.11 GiB current active; 812.00 MiB free; 59.02 GiB reserved in total by PyTorch)`}, 1},
	{[]string{`Killed`}, 137},
	{[]string{`Traceback (most recent call last):`, `  File "/home/ma-user/code/loader.py", line 9, in decode`, `    return text.decode()`, `UnicodeDecodeError: 'utf-8' codec can't decode byte 0xb5 in position 17: invalid start byte`}, 1},
	{nil, 0},
}

func newTicket(i int) ticket {
	h := sha256.Sum256(fmt.Append(nil, "ticket ", i))
	return ticket{
		number: i,
		id:     fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16]),
		name:   fmt.Sprintf("job-%c%c-%d", 'a'+h[16]%26, 'a'+h[17]%26, i),
		start:  time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * 7 * time.Minute),
		fault:  faults[int(h[18])%len(faults)],
	}
}

// writeTicket writes one case in one of the forms that tickets have.
func writeTicket(dir string, i int) error {
	t := newTicket(i)
	base := filepath.Join(dir, fmt.Sprintf("batch-%02d", i/500), fmt.Sprintf("ticket-%05d", i))
	files := map[string][]byte{
		"details.json": t.details(),
		"modelarts-job-" + t.id + "-worker-0.log": t.log(0),
		"modelarts-job-" + t.id + "-worker-1.log": t.log(1),
	}
	switch i % 10 {
	case 3:
		return write(filepath.Join(base, "train.log"), t.log(1))
	case 5:
		return write(filepath.Join(base, "details.json"), t.details())
	case 6:
		return writeMade(base+".zip", files, zipped)
	case 7:
		return writeMade(base+".tar.gz", files, tarred)
	case 9:
		if i%100 == 99 {
			return write(filepath.Join(base, "core.bin"), bytes.Repeat([]byte{0, 1, 2, 0xff}, 300))
		}
	}
	for name, data := range files {
		if err := write(filepath.Join(base, name), data); err != nil {
			return err
		}
	}
	return nil
}

func write(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// log is what one node prints; node 1 has the rank that fails.
func (t *ticket) log(node int) []byte {
	var b bytes.Buffer
	at := t.start
	for step := range 40 {
		at = at.Add(3 * time.Second)
		fmt.Fprintf(&b, "[rank%d]: %s INFO trainer.py:412 step %d/900 loss %.4f lr 1.2e-05\n", node, at.Format("2006-01-02 15:04:05,000"), step, 2.0+float64(step%17)/10)
	}
	if node == 1 {
		for _, l := range t.fault.lines {
			fmt.Fprintf(&b, "[rank1]: %s\n", l)
		}
	} else if t.fault.exitCode != 0 {
		fmt.Fprintf(&b, "[rank0]:[E%s ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=41, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600041 milliseconds before timing out.\n", at.Add(10*time.Minute).Format("0102 15:04:05.000000000"))
	}
	fmt.Fprintf(&b, "[Modelarts Service Log]%s - Training end with return code: %d\n", at.Add(10*time.Minute+5*time.Second).Format("2006-01-02 15:04:05"), t.fault.exitCode)
	return b.Bytes()
}

func (t *ticket) details() []byte {
	phase := "Failed"
	if t.fault.exitCode == 0 {
		phase = "Completed"
	}
	data, err := json.Marshal(map[string]any{
		"kind":     "job",
		"metadata": map[string]any{"id": t.id, "name": t.name, "create_time": t.start.UnixMilli()},
		"status": map[string]any{
			"phase": phase, "secondary_phase": phase, "start_time": t.start.UnixMilli(), "duration": 725000,
			"tasks": []string{"worker-0", "worker-1"},
			"task_statuses": []any{map[string]any{
				"task": "worker-1", "exit_code": t.fault.exitCode, "message": strings.Join(t.fault.lines, "\n"),
			}},
		},
		"spec": map[string]any{"resource": map[string]any{"flavor_id": "modelarts.p4.large.gpu", "node_count": 2}},
	})
	if err != nil {
		panic(err) // cannot be: only strings and numbers
	}
	return append(data, '\n')
}

// writeMade writes an archive of the files, in the order of their names.
func writeMade(file string, files map[string][]byte, pack func(map[string][]byte) ([]byte, error)) error {
	data, err := pack(files)
	if err != nil {
		return err
	}
	return write(file, data)
}

func zipped(files map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range sorted(files) {
		w, err := z.Create(name)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func sorted(files map[string][]byte) []string { return slices.Sorted(maps.Keys(files)) }

func tarred(files map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	a := tar.NewWriter(g)
	for _, name := range sorted(files) {
		if err := a.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name]))}); err != nil {
			return nil, err
		}
		if _, err := a.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(a.Close(), g.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
