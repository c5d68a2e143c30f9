package source

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// ignore is a handler that keeps nothing.
type ignore struct{}

func (ignore) Begin(*Document) {}
func (ignore) End(*Document)   {}
func (ignore) Line(*Line)      {}
func (ignore) JSON(*JSON)      {}
func (ignore) Note(Note)       {}

// repeat gives n bytes of the same lines over and over.
func repeat(n int, lines ...string) []byte {
	var b bytes.Buffer
	for b.Len() < n {
		for _, l := range lines {
			b.WriteString(l)
		}
	}
	return b.Bytes()
}

const benchSize = 8 << 20

func BenchmarkRead(b *testing.B) {
	inputs := []struct {
		name string
		data []byte
	}{
		{"plain", repeat(benchSize, "Epoch: [3][120/5000]  Time 0.131s (0.130s)  Speed 981 samples/s  Loss 2.1300  Accuracy 0.513\n")},
		{"dated", repeat(benchSize, "2026-06-04 00:21:21,734 - trainer - INFO - step 10 loss 1.8837 tok/s 8037 mem 41.2 GiB\n")},
		{"ranks", repeat(benchSize, "[rank3]:2026-06-04 00:21:21,734 INFO llama step 10 loss 1.8837 tok/s 8037\n", "[rank4]:   File \"/home/ma-user/train.py\", line 12, in main\n")},
		{"records", repeat(benchSize, "{\"loss\": 1.25, \"step\": 100, \"grad_norm\": 0.85, \"learning_rate\": 1.2e-05, \"epoch\": 0.5}\n")},
		{"docker", repeat(benchSize, "{\"log\":\"step 0 rank 4 loss 0.9099\\n\",\"stream\":\"stdout\",\"time\":\"2026-06-16T03:02:20.127979722Z\"}\n")},
		{"progress", repeat(benchSize, "\x1b[32mSteps:  12%|█▏        | 120/1000 [00:10<01:10, 12.1it/s, loss=0.5]\x1b[0m\r", "done\n")},
		{"chinese", repeat(benchSize, "[信息] 第 12 批 特征提取完成 用时 0.5 秒 共 2048 条\n")},
		{"answer", []byte(`{"content": "` + strings.Repeat(`step 1 loss 0.5\n`, benchSize/17) + fmt.Sprintf(`", "current_size": %d}`, benchSize))},
	}
	for _, in := range inputs {
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read([]Root{{Name: "-", Reader: bytes.NewReader(in.data)}}, Limits{}, ignore{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
