package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestIAMPolicy(t *testing.T) {
	for _, v := range []string{"1.1", "5.0"} {
		for _, purpose := range []string{"diagnose", "manage"} {
			got := beside(t, "", t.TempDir(), "iam-policy", "--policy", "--version", v, "--for", purpose)
			var policy struct {
				Version   string
				Statement []struct {
					Effect string
					Action []string
				}
			}
			if err := json.Unmarshal([]byte(got.stdout), &policy); err != nil || policy.Version != v {
				t.Fatalf("%v: %+v", err, got)
			}
			actions := policy.Statement[0].Action
			if !slices.Contains(actions, "modelarts:trainJob:get") || slices.Contains(actions, "modelarts:trainJob:delete") != (purpose == "manage") || slices.Contains(actions, "modelarts:trainJob:listEvents") != (v == "5.0") {
				t.Errorf("version %s for %s allows %q", v, purpose, actions)
			}
		}
	}
	state := filepath.Join(t.TempDir(), "state")
	program := stand(t, scene(t, oom(t)...), "--fault=forbidden:2", "--state="+state)
	got := beside(t, program, t.TempDir(), "iam-policy", "--wait", "--lang=en")
	if got.code != exitOK || strings.Count(got.stderr, "not there yet") != 2 || !strings.Contains(got.stderr, "the right is there") {
		t.Errorf("waiting: %+v", got)
	}
	if got := beside(t, "/nonexistent", t.TempDir(), "iam-policy", "--wait"); got.code != exitFailed {
		t.Errorf("waiting without hcloud: %+v", got)
	}
}

// TestOperationsNeedActions: every right that a message may name is one that
// the policies hold.
func TestOperationsNeedActions(t *testing.T) {
	for operation, named := range operationActions {
		for _, m := range regexp.MustCompile(`[a-zA-Z]+:[a-zA-Z]+:[a-zA-Z]+`).FindAllString(named, -1) {
			if !slices.ContainsFunc(actions, func(a action) bool { return a.name == m }) {
				t.Errorf("%s needs %s, which no policy holds", operation, m)
			}
		}
	}
}
