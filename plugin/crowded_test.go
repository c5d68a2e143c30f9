package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// manifestOnly packs a case that has a manifest alone.
func manifestOnly(t *testing.T, manifest string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "c.zip")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	w, err := z.Create("case.json")
	if err == nil {
		_, err = w.Write([]byte(manifest))
	}
	if err := errors.Join(err, z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSavedReportsAreBounded: a saved report, or a manifest, that has more items
// than any can have is refused; one that has many is read, and of countless
// quotes that do not match the first are told.
func TestSavedReportsAreBounded(t *testing.T) {
	log := writeTemp(t, "train.log", failure)
	with := func(n int) string {
		return `{"schema":"hcloud-modelarts/report/v1","evidence":[` + strings.Repeat("{},", n-1) + "{}]}"
	}
	nested := `{"schema":"hcloud-modelarts/report/v1","fixes":[` + strings.Repeat(`{"steps":[`+strings.Repeat(`"",`, 999)+`""]},`, 600) + "{}]}"
	for _, text := range []string{with(20_001), "[" + with(1) + "," + with(20_001) + "]", nested} {
		saved := writeTemp(t, "r.json", text)
		for _, args := range [][]string{{"verify", saved, log}, {"diff", saved, saved}, {"report", "render", saved}} {
			for lang, want := range map[string]string{"zh": "条目多于任何报告", "en": "more items than any report"} {
				got := invoke(t, "", nil, append(args, "--lang="+lang)...)
				if got.code != exitFailed || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, want) {
					t.Errorf("%s %s: %d %.300q", args[0], lang, got.code, got.stderr)
				}
			}
		}
	}
	got := invoke(t, "", nil, "verify", "--lang=en", writeTemp(t, "r.json", "["+with(19_999)+","+with(20_000)+"]\n"), log)
	if got.code != exitFailed || strings.Count(got.stderr, "\n") != 101 || !strings.HasSuffix(got.stderr, "39899 more do not match\n") {
		t.Errorf("%d, %d lines: …%.100q", got.code, strings.Count(got.stderr, "\n"), got.stderr[max(0, len(got.stderr)-100):])
	}
	for _, text := range []string{"[" + with(1) + "] x", "[" + with(1), "[" + with(1) + " " + with(1) + "]", "[{}]"} {
		if got := invoke(t, "", nil, "report", "render", writeTemp(t, "r.json", text)); got.code != exitFailed || got.stdout != "" {
			t.Errorf("%.20q…%q is rendered: %+v", text, text[len(text)-5:], got)
		}
	}
	crowd := manifestOnly(t, `{"schema":"hcloud-modelarts/case/v1","id":"x","exchanges":[`+strings.Repeat("{},", 100_000)+"{}]}")
	for _, args := range [][]string{{"corpus", "verify", crowd}, {"corpus", "show", crowd}, {"corpus", "import", crowd}, {"diagnose", "--replay", crowd}} {
		got := invoke(t, "", []string{"HCLOUD_MODELARTS_CORPUS=" + t.TempDir()}, append(args, "--lang=en")...)
		if got.code == exitOK || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, "more than a case may hold") {
			t.Errorf("%q: %d %.300q", args, got.code, got.stderr)
		}
	}
}

// TestErrorsAreShort: values of files that errors quote are cut, without what
// stands behind them, and a secret that begins in what is left is masked.
func TestErrorsAreShort(t *testing.T) {
	long := manifestOnly(t, fmt.Sprintf(`{"schema":"hcloud-modelarts/case/v1","id":"x","created":"%s"}`, strings.Repeat("9", 1<<20)))
	for _, args := range [][]string{{"corpus", "verify", long}, {"corpus", "import", long}, {"diagnose", "--replay", long}} {
		got := invoke(t, "", []string{"HCLOUD_MODELARTS_CORPUS=" + t.TempDir()}, append(args, "--lang=en")...)
		if got.code == exitOK || len(got.stderr) > 5000 || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%q: %d, %d bytes: %.300q", args, got.code, len(got.stderr), got.stderr)
		}
	}
	for in, want := range map[string]string{
		`no "x" here`: `no "x" here`,
		"":            "",
		`"` + strings.Repeat("错", 500) + `" is "bad"`: `"` + strings.Repeat("错", 333) + `…" is "bad"`,
		`"` + strings.Repeat(`\"`, 900) + `": why`:    `"` + strings.Repeat(`\"`, 500) + `…": why`,
		`"` + strings.Repeat(`a\"`, 900) + `": why`:   `"` + strings.Repeat(`a\"`, 333) + `a…": why`,
		`open "` + strings.Repeat("x", 2000):          `open "` + strings.Repeat("x", 1000) + "…",
		strings.Repeat("y", 2<<20):                    strings.Repeat("y", 1<<20) + "…",
		strings.Repeat(`"z" `, 1<<19):                 strings.Repeat(`"z" `, 1<<18) + `"z"…`,
		`ends with \` + strings.Repeat(`"\`, 3):       `ends with \` + strings.Repeat(`"\`, 3),
	} {
		if got := shortened(in); got != want {
			t.Errorf("%.40q… of %d bytes becomes %.40q… of %d, want %d", in, len(in), got, len(got), len(want))
		}
	}
}
