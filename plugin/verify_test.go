package main

import (
	"strings"
	"testing"
)

// TestVerifyWithoutQuotes: a report that quotes nothing, as of a job that is well,
// holds nothing that could be wrong.
func TestVerifyWithoutQuotes(t *testing.T) {
	log := writeTemp(t, "train.log", "2026-06-02 09:41:50 INFO step 1200 loss 1.73\n")
	report := invoke(t, "", nil, "analyze", "--format=json", log)
	got := invoke(t, report.stdout, nil, "verify", "--lang=en", "-", log)
	if got.code != exitOK || got.stderr != "" || !strings.Contains(got.stdout, "there is nothing to verify") {
		t.Errorf("%+v", got)
	}
}
