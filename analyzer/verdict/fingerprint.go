package verdict

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/scan"
)

// userFrames is how many of the innermost frames of the user's own code make a
// failure recognisable.
const userFrames = 3

// fingerprint is the same for the same failure in another job: the cause, and a
// hash over the rule, the exception's type, its message without what varies
// from run to run and without secrets, and the functions of the innermost user
// frames.
func fingerprint(c *candidate, normalize func(string) string) string {
	parts := []string{c.event.Rule.ID}
	if x := c.exception(); x != nil {
		parts = append(parts, x.Type, normalize(x.Message))
		frames := x.UserFrames()
		for _, f := range frames[max(0, len(frames)-userFrames):] {
			parts = append(parts, path.Base(f.File)+":"+f.Func)
		}
	} else {
		parts = append(parts, normalize(c.event.Quote.Text))
	}
	h := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return c.cause + ":" + hex.EncodeToString(h[:6])
}

// varying are the parts of a message that differ between two runs of one
// failure, in the order in which they are taken out.
var varying = []struct {
	re    func() *regexp.Regexp
	by    string
	marks string // of which each such part has one, "" for any
}{
	{lazy.Regexp(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`), "<id>", "-"},
	{lazy.Regexp(`\b0[xX][0-9a-fA-F]+\b`), "<hex>", "xX"},
	{lazy.Regexp(`(?:[a-zA-Z][a-zA-Z0-9+.-]*:/)?(?:/[^\s'"/:,;()\[\]{}<>]+)*/([^\s'"/:,;()\[\]{}<>]+)`), "<path>/$1", "/"},
	{lazy.Regexp(`\b[0-9a-fA-F]{12,}\b`), "<hex>", ""},
	{lazy.Regexp(`\d+`), "<n>", "0123456789"},
}

// normal takes out of a message what varies from run to run, and keeps of a
// long one the start.
func normal(message string) string {
	for _, v := range varying {
		if v.marks == "" || strings.ContainsAny(message, v.marks) {
			message = v.re().ReplaceAllString(message, v.by)
		}
	}
	message = strings.Join(strings.Fields(message), " ")
	return message[:min(len(message), 400)]
}

// mostCompared is how many bytes of a message a fingerprint is made of at most, before
// what varies is taken out.
const mostCompared = 64 << 10

// normalize takes secrets out of a message as well.
func (c *Case) normalize(message string) string {
	if len(message) > mostCompared {
		message = scan.Shorten(message) // no secret is cut in two
	}
	return normal(c.mask(message))
}
