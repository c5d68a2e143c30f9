package hcloud

import (
	"strings"
	"testing"
)

// FuzzConfig: whatever "configure list" prints, no credential is kept, and a
// profile that is found is the one that was asked for.
func FuzzConfig(f *testing.F) {
	for _, s := range []string{
		`{"language": "cn", "current": "default", "profiles": [{"name": "default", "mode": "AKSK", "accessKeyId": "KEY0KEY0KEY0", "secretAccessKey": "KEY0KEY0KEY0", "region": "cn-north-4", "projectId": "****"}]}`,
		`notice {"profiles": [{"name": "", "mode": "SSO", "ssoAuth": {"token": "KEY0KEY0KEY0"}}, {"name": "a"}, {"name": "a", "mode": "ecsAgency"}]}`,
		`{"profiles": {}}`, `{"profiles": [null, 1]}`, "[USE_ERROR]配置文件中不存在配置项", "{}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, out string) {
		c, a := ProbeConfig(t.Context(), &script{outputs: []string{out}})
		if a.Class != OK {
			if len(c.Profiles) > 0 {
				t.Errorf("%q: profiles in spite of %q", out, a.Class)
			}
			return
		}
		if len(a.Body)+len(a.Stdout)+len(a.Stderr) > 0 {
			t.Errorf("%q is kept: %+v", out, a)
		}
		for _, name := range []string{"", "default", "a"} {
			if p, ok := c.Profile(name); ok && name != "" && p.Name != name || ok && strings.Contains(p.ProjectID, "*") {
				t.Errorf("%q: the profile %q is %+v", out, name, p)
			}
		}
	})
}
