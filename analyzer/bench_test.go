package analyzer

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/verdict"
)

// benchCase is a job of two nodes that ships with the product.
func benchCase() []source.Root {
	return []source.Root{{Name: "case", FS: os.DirFS("../corpus/cases/out-of-memory-on-one-rank/input"), Path: "."}}
}

func BenchmarkPrepare(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		scan.Prepare(rules.Default())
	}
}

func BenchmarkDiagnose(b *testing.B) {
	tables := scan.Prepare(rules.Default())
	b.Run("case", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Diagnose(benchCase(), Options{Lang: "en", Tables: tables}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("log", func(b *testing.B) {
		var log bytes.Buffer
		for i := 0; log.Len() < 8<<20; i++ {
			fmt.Fprintf(&log, "[rank%d]: 2026-06-02 01:%02d:%02d,%03d INFO trainer.py:412 step %d/900000 loss %.4f\n", i%8, i/60000%60, i/1000%60, i%1000, i/8, 2+float64(i%97)/100)
		}
		b.SetBytes(int64(log.Len()))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Diagnose([]source.Root{{Name: "-", Reader: bytes.NewReader(log.Bytes())}}, Options{Lang: "en", Tables: tables}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkVerdict(b *testing.B) {
	r := newReader(scan.Prepare(rules.Default()))
	if _, err := source.Read(benchCase(), source.Limits{}, r); err != nil {
		b.Fatal(err)
	}
	found := r.scanner.Close()
	b.ReportAllocs()
	for b.Loop() {
		for _, c := range r.cases("case", found) {
			c.Mask = report.Mask
			verdict.Decide(c, rules.Default())
		}
	}
}

func BenchmarkReport(b *testing.B) {
	reports, err := Diagnose(benchCase(), Options{Lang: "en"})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("markdown", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			report.Markdown(reports, "en", false)
		}
	})
	b.Run("json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := report.JSON(reports); err != nil {
				b.Fatal(err)
			}
		}
	})
}
