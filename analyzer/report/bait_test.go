package report

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// bait are pieces of which a line is made that would take minutes if it were
// looked through again at each of them.
var bait = map[string]string{
	"colons": ":", "pairs of colons": "::", "signs behind blanks": " =", "full-width colons": "：", "brackets": "]:", "quotes": `"':`,
	"keys": "key: ", "members": `"token": "`, "escaped members": `\"token\": \"`, "lists": `"key": ["a", `, "names and values": `{"name": "key", `,
	"mails in a path": "/a@b.io", "addresses": "1.2.3.4 ", "numbers": "+86 13812345678 ", "tokens": "hf_", "keys of blocks": "-----BEGIN PRIVATE KEY-----",
	"backslashes": `\`, "URLs": "a://b:", "flags": "--token ", "sentences": "password is ", "blanks": "token ",
}

// TestMaskReadsOnce: the time that masking takes grows with the text, not with
// its square.
func TestMaskReadsOnce(t *testing.T) {
	const size = 384 << 10
	for _, name := range slices.Sorted(maps.Keys(bait)) {
		done := make(chan bool)
		go func() {
			Mask(strings.Repeat(bait[name], size/len(bait[name])))
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(40 * time.Second): // a second, where nothing else runs
			t.Fatalf("masking %d KiB of %s does not come to an end", size>>10, name)
		}
	}
}
