package rules

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
)

// FuzzLoad: whatever a file of rules holds, it is refused, or its rules can be
// matched.
func FuzzLoad(f *testing.F) {
	entries, err := fs.Glob(packFS, "pack/*/*.yaml")
	if err != nil || len(entries) == 0 {
		f.Fatal(err)
	}
	for _, name := range entries[:min(3, len(entries))] {
		data, err := fs.ReadFile(packFS, name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, s := range []string{
		"id: our-licence\ncause: config-invalid\nfamily: ours\nrole: root\nmatch:\n  - literals: [\"licence server says no\"]\nsay: {zh: a, en: b}\nretry: after-change\n",
		"match:\n  - regexp: '(((('", "a: &a [*a]", "- - - -", "\x00", "id: [\n", "a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n", "---\n---\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		pack, err := Load(fstest.MapFS{"x.yaml": {Data: data}})
		if (pack == nil) == (err == nil) {
			t.Fatalf("%q gives %v and %v", data, pack, err)
		}
		if pack != nil && slices.ContainsFunc(pack.Rules, func(r *Rule) bool { return r.ID == "" }) {
			t.Errorf("%q gives a rule without an id", data)
		}
	})
}
