package triage

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"hcloud-modelarts/analyzer/source"
)

// TestLongNames: the time that a name takes does not grow with the square of its
// length; archives hold names of any length.
func TestLongNames(t *testing.T) {
	done := make(chan string)
	go func() { done <- stem("ticket.7" + strings.Repeat(".log.1", 20_000)) }()
	select {
	case got := <-done:
		if got != "ticket" {
			t.Errorf("the stem is %q", got)
		}
	case <-time.After(60 * time.Second): // a tenth of a second, where nothing else runs
		t.Fatal("it does not come to an end")
	}
}

// TestDeepArchives: what no folder can hold is read as a whole, and walking down
// what one can takes no time to speak of.
func TestDeepArchives(t *testing.T) {
	pack := func(depth int) []source.Root {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := range 4 {
			if _, err := z.Create(fmt.Sprint(i) + "/" + strings.Repeat("a/", depth) + "x.log"); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return []source.Root{{Name: "p/x.zip", FS: fstest.MapFS{"x.zip": {Data: b.Bytes()}}, Path: "x.zip"}}
	}
	done := make(chan [2]int)
	go func() { done <- [2]int{len(Find(pack(20))), len(Find(pack(30_000)))} }()
	select {
	case got := <-done:
		if got != [2]int{4, 1} {
			t.Errorf("%v cases", got)
		}
	case <-time.After(60 * time.Second): // a hundredth of a second, where nothing else runs
		t.Fatal("it does not come to an end")
	}
}
