package hcloud

import (
	"context"
	"encoding/json"
	"strings"
)

// Config is what KooCLI tells of its configuration. No value of a credential is
// kept, not even masked.
type Config struct {
	Current  string
	Language string // "cn" or "en"
	Profiles []Profile
}

// Profile is one set of settings.
type Profile struct {
	Name, Mode, Region string
	Keys               bool   // credentials are there, of whatever kind the mode needs
	Project            bool   // a project id is set
	ProjectID          string // "" when it is not shown
}

// Profile gives the named profile, the current one for "".
func (c *Config) Profile(name string) (Profile, bool) {
	if name == "" {
		name = c.Current
	}
	for _, p := range c.Profiles {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}

// ProbeConfig asks KooCLI for its configuration.
func ProbeConfig(ctx context.Context, p Program) (Config, Answer) {
	out, err := p.Run(ctx, []string{"configure", "list"})
	a := Classify(out, err)
	a.Args = []string{"configure", "list"}
	if a.Class != OK {
		return Config{}, a
	}
	var raw struct {
		Current, Language string
		Profiles          []struct {
			Name, Mode, Region, ProjectID, AccessKeyID, SecretAccessKey string
			SSOAuth, SSOParam                                           json.RawMessage
		}
	}
	if err := json.Unmarshal(a.Body, &raw); err != nil {
		a.Class, a.Message = NotJSON, err.Error()
		return Config{}, a
	}
	c := Config{Current: raw.Current, Language: raw.Language}
	for _, p := range raw.Profiles {
		keys := p.AccessKeyID != "" && p.SecretAccessKey != "" || p.Mode == "ecsAgency" || len(p.SSOAuth) > 0
		c.Profiles = append(c.Profiles, Profile{Name: p.Name, Mode: p.Mode, Region: p.Region, Keys: keys, Project: p.ProjectID != "", ProjectID: shown(p.ProjectID)})
	}
	a.Body, a.Stdout, a.Stderr = nil, nil, nil
	return c, a
}

// shown is a value that is not hidden behind stars.
func shown(s string) string {
	if strings.Contains(s, "*") {
		return ""
	}
	return s
}
