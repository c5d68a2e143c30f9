package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestShrunkCaseIsACase: what shrink wrote is read like any case. The answer in
// its case.yaml is no evidence, to whichever command.
func TestShrunkCaseIsACase(t *testing.T) {
	log := writeTemp(t, "train.log", failure)
	dir := filepath.Join(t.TempDir(), "small")
	if got := invoke(t, "", nil, "shrink", log, "-o", dir); got.code != exitOK {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	of := func(args ...string) string {
		got := invoke(t, "", nil, append(args, "--lang=en")...)
		if got.code != exitOK || strings.Contains(got.stdout, "case.yaml") {
			t.Errorf("%v: exit code %d, %s%s", args, got.code, got.stdout, got.stderr)
		}
		return got.stdout
	}
	print := func(report string) string {
		_, rest, _ := strings.Cut(report, `"fingerprint": "`)
		return rest[:strings.IndexByte(rest, '"')]
	}
	want := print(of("analyze", "--format=json", log))
	if got := print(of("analyze", "--format=json", dir)); got != want {
		t.Errorf("the fingerprint is %q, of the whole case %q", got, want)
	}
	of("bundle", dir, "-o", filepath.Join(t.TempDir(), "b.zip"))
	if got := of("diff", log, dir); strings.Contains(got, "fingerprint") {
		t.Errorf("the shrunk case differs:\n%s", got)
	}
	if got := of("shrink", dir, "-o", dir+"-again"); !strings.Contains(got, want) {
		t.Errorf("shrunk again it is %s", got)
	}
}

// TestShrinkWithoutCause: a case whose cause nobody knows has no fingerprint to keep.
func TestShrinkWithoutCause(t *testing.T) {
	got := invoke(t, "", nil, "shrink", "--lang=en", writeTemp(t, "train.log", "hello\n"), "-o", filepath.Join(t.TempDir(), "small"))
	if got.code != exitOK || !strings.HasSuffix(got.stdout, "neither names a cause\n") {
		t.Errorf("%+v", got)
	}
}
