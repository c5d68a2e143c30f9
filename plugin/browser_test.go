package main

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// chromium runs a headless browser on a page, and gives what it prints.
func chromium(t *testing.T, page string, args ...string) string {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed: pages are not looked at in a browser")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args = append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--hide-scrollbars", "--enable-logging=stderr", "--user-data-dir=" + t.TempDir(),
	}, append(args, "file://"+page)...)
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("chromium: %v\n%s", err, errs.String())
	}
	for line := range strings.Lines(errs.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("the page complains: %s", line)
		}
	}
	return out.String()
}

// pages writes a report and a triage of a few tickets as pages.
func pages(t *testing.T, lang string) (report, triage string) {
	t.Helper()
	dir := t.TempDir()
	report, triage = filepath.Join(dir, "report.html"), filepath.Join(dir, "triage.html")
	log := writeTemp(t, "train.log", failure)
	for _, args := range [][]string{
		{"analyze", "--lang", lang, "--format=html", "-o", report, log},
		{"triage", "--lang", lang, "--format=html", "-o", triage, tickets(t, 10)},
	} {
		if got := invoke(t, "", nil, args...); got != (outcome{}) {
			t.Fatalf("%v: %+v", args, got)
		}
	}
	return report, triage
}

// TestPagesInBrowser: both pages are light or dark as the reader's system is,
// on a wide screen and on a phone's.
func TestPagesInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	report, _ := pages(t, "zh")
	_, triage := pages(t, "en")
	for page, size := range map[string]string{report: "1200,900", triage: "500,900"} {
		light := brightness(t, page, "--window-size="+size)
		dark := brightness(t, page, "--window-size="+size, "--blink-settings=preferredColorScheme=0", "--force-dark-mode")
		if light < 200 || dark > 60 {
			t.Errorf("%s at %s: brightness %d in the light theme, %d in the dark one", filepath.Base(page), size, light, dark)
		}
	}
}

// brightness is the mean brightness of a picture of the page, 0 to 255.
func brightness(t *testing.T, page string, args ...string) int {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.png")
	chromium(t, page, append(args, "--screenshot="+file)...)
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	sum, n := 0, 0
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y += 3 {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x += 3 {
			r, g, b, _ := picture.At(x, y).RGBA()
			sum += int(r+g+b) / 3 >> 8
			n++
		}
	}
	return sum / n
}

// TestSearchAndSortInBrowser: a link that carries a search and an order opens
// the page so.
func TestSearchAndSortInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	_, triage := pages(t, "en")
	cases := func(dom string) string {
		_, body, _ := strings.Cut(dom, "<tbody>")
		body, _, _ = strings.Cut(body, "</tbody>")
		var shown []string
		for row := range strings.SplitSeq(body, "<tr") {
			if i := strings.Index(row, "ticket-"); i >= 0 && !strings.HasPrefix(row, ` hidden`) {
				shown = append(shown, row[i:i+len("ticket-000")])
			}
		}
		return strings.Join(shown, " ")
	}
	for hash, want := range map[string]string{
		"":                             "ticket-000 ticket-001 ticket-002 ticket-003 ticket-004 ticket-005 ticket-006 ticket-007 ticket-008 ticket-009",
		"#find=flash_attn&sort=0&down": "ticket-007 ticket-002",
		"#sort=3":                      "ticket-003 ticket-008 ticket-001 ticket-006 ticket-000 ticket-002 ticket-004 ticket-005 ticket-007 ticket-009",
	} {
		if got := cases(chromium(t, triage+hash, "--dump-dom")); got != want {
			t.Errorf("%q shows %s, want %s", hash, got, want)
		}
	}
}
