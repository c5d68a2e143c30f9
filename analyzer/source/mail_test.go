package source

import (
	"bufio"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/source/charset"
)

// TestMailHeaderIsBounded: of a header only the fields are kept that tell how to
// read the mail, and not all of a long one.
func TestMailHeaderIsBounded(t *testing.T) {
	var b strings.Builder
	long := strings.Repeat("x", 20_000)
	for i := range 100 {
		fmt.Fprintf(&b, "X-%d: %s\n %s\nContent-Type: text/plain; name=%s\n %s\n", i, long, long, long, long)
	}
	m := &mail{s: &session{lim: Limits{}.withDefaults()}, in: newLineReader(bufio.NewReader(strings.NewReader(b.String())), charset.UTF8)}
	kept := 0
	for name, value := range m.header(false) {
		kept += len(name) + len(value)
	}
	if kept == 0 || kept > len(headerFields)*mostFieldBytes {
		t.Errorf("of a header %d bytes are kept", kept)
	}
	endless := &mail{s: m.s, in: newLineReader(bufio.NewReader(strings.NewReader(strings.Repeat("X-Field: y\n", 3*mostHeaderLines))), charset.UTF8)}
	if endless.header(false); endless.in.number > mostHeaderLines+1 {
		t.Errorf("a header of %d lines is read", endless.in.number-1)
	}
}

// TestOpenTagIsReadOnce: the lines over which a tag goes on are not put together
// anew for each of them.
func TestOpenTagIsReadOnce(t *testing.T) {
	var before, after runtime.MemStats
	var texts []string
	h := &page{}
	runtime.ReadMemStats(&before)
	for _, line := range append(append([]string{"<b"}, make([]string, 4000)...), "x>bold", "next") {
		h.line(line, func(text string, _ bool) { texts = append(texts, text) })
	}
	runtime.ReadMemStats(&after)
	if got := strings.Join(texts, " "); got != "bold next" {
		t.Errorf("the text is %q", got)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("a tag over 4000 lines takes %d KiB", took>>10)
	}
	for _, lines := range [][]string{{"<b", strings.Repeat("x", longestTag), "next"}, {"<b " + strings.Repeat("x", longestTag), "next"}} {
		h, texts = &page{}, nil
		for _, line := range lines {
			h.line(line, func(text string, _ bool) { texts = append(texts, text) })
		}
		if got := strings.Join(texts, " "); got != "next" {
			t.Errorf("behind a tag that is longer than any the text is %.40q", got)
		}
	}
}
