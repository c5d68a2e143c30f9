package verdict

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

// userFrames is how many of the innermost frames of the user's own code make a
// failure recognisable.
const userFrames = 3

// fingerprint is the same for the same failure in another job: the cause, and a
// hash over the rule, the exception's type, its message without what varies
// from run to run and without secrets, and the functions of the innermost user
// frames.
func fingerprint(c *candidate, mask func(string) string) string {
	parts := []string{c.event.Rule.ID}
	if x := c.exception(); x != nil {
		parts = append(parts, x.Type, normal(mask(x.Message)))
		frames := x.UserFrames()
		for _, f := range frames[max(0, len(frames)-userFrames):] {
			parts = append(parts, path.Base(f.File)+":"+f.Func)
		}
	} else {
		parts = append(parts, normal(mask(c.event.Quote.Text)))
	}
	h := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return c.cause + ":" + hex.EncodeToString(h[:6])
}

// varying are the parts of a message that differ between two runs of one
// failure, in the order in which they are taken out.
var varying = []struct {
	re func() *regexp.Regexp
	by string
}{
	{lazy.Regexp(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`), "<id>"},
	{lazy.Regexp(`\b0[xX][0-9a-fA-F]+\b`), "<hex>"},
	{lazy.Regexp(`(?:[a-zA-Z][a-zA-Z0-9+.-]*:/)?(?:/[^\s'"/:,;()\[\]{}<>]+)*/([^\s'"/:,;()\[\]{}<>]+)`), "<path>/$1"},
	{lazy.Regexp(`\b[0-9a-fA-F]{12,}\b`), "<hex>"},
	{lazy.Regexp(`\d+`), "<n>"},
}

// normal takes out of a message what varies from run to run, and keeps of a
// long one the start.
func normal(message string) string {
	for _, v := range varying {
		message = v.re().ReplaceAllString(message, v.by)
	}
	message = strings.Join(strings.Fields(message), " ")
	return message[:min(len(message), 400)]
}
