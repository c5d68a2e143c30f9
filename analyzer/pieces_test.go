package analyzer_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
)

// aLog is a rank's log: progress, a chain of exceptions, the platform's end.
const aLog = `[ModelArts Service Log]2026-08-01 04:00:03 - Run boot command: python moe.py
2026-08-01 04:01:05,118 INFO moe.py:70 step 0 loss 2.9
2026-08-01 04:01:42,118 INFO moe.py:70 step 50 loss 2.8
Traceback (most recent call last):
  File "/home/ma-user/modelarts/user-job-dir/moe/data.py", line 31, in read
    return open(path)
           ^^^^^^^^^^
FileNotFoundError: [Errno 2] No such file or directory: '/cache/a.bin'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/home/ma-user/modelarts/user-job-dir/moe/moe.py", line 120, in <module>
    main()
  File "/home/ma-user/modelarts/user-job-dir/moe/moe.py", line 97, in main
    batch = loader.read(path)
RuntimeError: reading a batch failed
[ModelArts Service Log]2026-08-01 04:01:50 - Training end with return code: 1
`

// peer is the log of a rank that only loses its connection.
const peer = `[rank0]: 2026-08-01 04:01:42,118 INFO moe.py:70 step 50 loss 2.8
[rank0]: RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [127.0.0.1]:50211
`

func diagnosed(t *testing.T, files fstest.MapFS) report.Report {
	t.Helper()
	rs, err := analyzer.Diagnose([]source.Root{{Name: "case", FS: files, Path: "."}}, analyzer.Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if len(rs) != 1 {
		t.Fatalf("%d reports", len(rs))
	}
	return rs[0]
}

// A log that is cut into files, wherever, is diagnosed like the whole.
func TestLogInPieces(t *testing.T) {
	const name = "modelarts-job-f60c2d94-18b7-4e5a-a3c9-7d0e41b852f6-worker-1"
	lines := strings.SplitAfter(strings.TrimSuffix(aLog, "\n"), "\n")
	labelled := make([]string, len(lines))
	for i, l := range lines {
		labelled[i] = "[rank1]: " + l
	}
	forms := []struct{ name, first, second string }{
		{"rotated", name + ".log.1", name + ".log"},
		{"parts", name + ".part1.log", name + ".part2.log"},
		{"numbers from nought", name + ".log.00", name + ".log.01"},
		{"letters", name + ".log.aa", name + ".log.ab"},
		{"beyond nine", name + ".log.part9", name + ".log.part10"},
	}
	for kind, log := range map[string][]string{"plain": lines, "labelled": labelled} {
		other := &fstest.MapFile{Data: []byte(peer)}
		whole := diagnosed(t, fstest.MapFS{name + ".log": {Data: []byte(strings.Join(log, ""))}, "worker-0.log": other})
		for _, form := range forms {
			for cut := 1; cut < len(log); cut++ {
				t.Run(fmt.Sprintf("%s %s at %d", kind, form.name, cut), func(t *testing.T) {
					got := diagnosed(t, fstest.MapFS{
						form.first:     {Data: []byte(strings.Join(log[:cut], ""))},
						form.second:    {Data: []byte(strings.Join(log[cut:], ""))},
						"worker-0.log": other,
					})
					if got.Cause != whole.Cause || got.Fingerprint != whole.Fingerprint || got.Confidence != whole.Confidence {
						t.Errorf("got %s %s %s, the whole gives %s %s %s", got.Cause, got.Confidence, got.Fingerprint, whole.Cause, whole.Confidence, whole.Fingerprint)
					}
					if e, w := got.Evidence[0], whole.Evidence[0]; e.Text != w.Text || e.Line != w.Line && e.Line != w.Line-cut {
						t.Errorf("line %d of %s: %s", e.Line, e.Source, e.Text)
					}
				})
			}
		}
	}
}
