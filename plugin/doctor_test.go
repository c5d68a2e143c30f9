package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestDoctor(t *testing.T) {
	replayed := scene(t, oom(t)...)
	got := beside(t, stand(t, replayed), t.TempDir(), "doctor", "--project-id=p")
	if got.code != exitOK || strings.Count(got.stdout, "✓") != 7 || got.stderr != "" {
		t.Errorf("all is well: %+v", got)
	}
	for fault, want := range map[string]struct {
		code  int
		state string // of each check
		text  string
	}{
		"old":                        {exitFailed, "failed skipped skipped skipped skipped ok ok", "7.2.2"},
		"other-program":              {exitFailed, "failed skipped skipped skipped skipped ok ok", "KooCLI"},
		"privacy":                    {exitFailed, "failed skipped skipped skipped skipped ok ok", "--cli-agree-privacy-statement=true"},
		"unauthorized":               {exitDenied, "ok ok failed ok warning ok ok", "APIGW.0301"},
		"forbidden@ListTrainingJobs": {exitDenied, "ok ok failed ok warning ok ok", "modelarts:trainJob:list"},
		"network":                    {exitFailed, "ok ok failed ok warning ok ok", "https_proxy"},
	} {
		for _, lang := range []string{"zh", "en"} {
			got := beside(t, stand(t, replayed, "--fault="+fault, "--hcloud-lang="+map[string]string{"zh": "cn", "en": "en"}[lang]), t.TempDir(), "doctor", "--format=json", "--lang", lang)
			var checks []check
			if err := json.Unmarshal([]byte(got.stdout), &checks); err != nil {
				t.Fatalf("%v: %+v", err, got)
			}
			var states []string
			for _, x := range checks {
				states = append(states, x.State)
			}
			if got.code != want.code || strings.Join(states, " ") != want.state || !strings.Contains(got.stdout, want.text) {
				t.Errorf("%s: exit code %d, states %q: %s", fault, got.code, states, got.stdout)
			}
		}
	}
	file := writeTemp(t, "file", "")
	if got := beside(t, stand(t, replayed), file, "doctor"); got.code != exitFailed || !strings.Contains(got.stdout, "--corpus") {
		t.Errorf("a corpus that is a file: %+v", got)
	}
	c := &console{lang: "en", world: world{now: func() time.Time { return time.Unix(1780000000, 0) }}}
	if x := checkClock(c, time.Unix(1780003600, 0)); x.State != "failed" || !strings.Contains(x.Detail, "1h0m0s") {
		t.Errorf("a clock that is an hour late: %+v", x)
	}
}
