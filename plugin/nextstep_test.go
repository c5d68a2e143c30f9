package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/hcloud"
)

// TestErrorsNameTheNextStep: what hcloud or a case refuses comes with what to
// do, in both languages.
func TestErrorsNameTheNextStep(t *testing.T) {
	answer := func(class hcloud.Class, message string) error {
		return &callError{hcloud.Answer{Class: class, Message: message, Args: []string{"ModelArts", "ListTrainingJobs"}}, "hcloud"}
	}
	crash := hcloud.Classify(hcloud.Output{Stderr: []byte("panic: boom\n"), Exit: 2}, nil)
	killed := hcloud.Classify(hcloud.Output{Exit: -1, Signal: "killed"}, nil)
	begun := filepath.Join(t.TempDir(), "6f1b-1")
	if err := errors.Join(os.Mkdir(begun, 0o700), os.WriteFile(filepath.Join(begun, "case.json"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		err  error
		want []string
	}{
		{answer(hcloud.NotJSON, "<html>"), []string{"hcloud-modelarts doctor"}},
		{answer(hcloud.APIError, "no"), []string{"--region"}},
		{answer(hcloud.UseError, "cli-region的值不支持"), []string{"--region cn-north-4"}},
		{answer(hcloud.UseError, "Invalid parameter: x"), []string{"hcloud-modelarts doctor"}},
		{answer(hcloud.TooLarge, ""), []string{"record --full"}},
		{answer(hcloud.NotRecorded, ""), []string{"--replay", "record --resume"}},
		{&callError{crash, "hcloud"}, []string{" 2", "panic: boom"}},
		{&callError{killed, "hcloud"}, []string{"killed"}},
		{&corpus.Error{Path: "cases", Code: "io", Err: fs.ErrPermission}, []string{"--corpus", "--no-record"}},
		{&corpus.Error{Path: begun, Code: "io", Err: &fs.PathError{Err: syscall.ENOSPC}}, []string{"record --resume " + begun}},
		{&corpus.Error{Path: filepath.Dir(begun), Code: "io", Err: &fs.PathError{Err: syscall.ENOSPC}}, nil},
		{&corpus.Error{Path: "logs", Code: "not-a-case", Err: fs.ErrNotExist}, []string{"case.json", "corpus export"}},
		{&corpus.Error{Path: "x", Code: "damaged", Err: errors.New("y")}, []string{"corpus verify"}},
	} {
		for _, lang := range []string{"zh", "en"} {
			c := &console{lang: lang}
			said := c.describe(tt.err)
			for _, want := range tt.want {
				if !strings.Contains(said, want) || strings.Contains(said, "{") {
					t.Errorf("%v in %s lacks %q: %s", tt.err, lang, want, said)
				}
			}
			if tt.want == nil && (!strings.HasSuffix(said, msgDiskFull.In(lang)) || strings.Contains(said, "--resume")) {
				t.Errorf("%v in %s is %s", tt.err, lang, said)
			}
		}
	}
}
