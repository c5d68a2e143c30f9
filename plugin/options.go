package main

import (
	"math/big"
	"slices"
	"strings"
	"time"

	"hcloud-modelarts/plugin/hcloud"
	"hcloud-modelarts/plugin/operations"
)

// callOptions are the flags of every command that calls an operation. They stand
// among the operation's own parameters, so kong does not parse them.
type callOptions struct {
	remote
	jsonFile    string
	query       string
	format      string
	hours       *big.Rat
	flavors     []string
	all         bool
	yes         bool
	dryRun      bool
	noPrice     bool
	showSecrets bool
	help        bool
}

// callFlag is one of them; a flag without a value's name takes none.
type callFlag struct {
	name, value string
	values      []string
	only        string // read, write or price: what it is for, "" for all
	set         func(o *callOptions, v string) bool
}

// callFlags are in the order of the help.
var callFlags = []callFlag{
	{"json", "FILE|-", nil, "", func(o *callOptions, v string) bool { o.jsonFile = v; return v != "" }},
	{"query", "JMESPATH", nil, "", func(o *callOptions, v string) bool { o.query = v; return v != "" }},
	{"all", "", nil, "read", func(o *callOptions, _ string) bool { o.all = true; return true }},
	{"format", "json|table|text", []string{"json", "table", "text"}, "", func(o *callOptions, v string) bool { o.format = v; return true }},
	{"yes", "", nil, "write", func(o *callOptions, _ string) bool { o.yes = true; return true }},
	{"dry-run", "", nil, "", func(o *callOptions, _ string) bool { o.dryRun = true; return true }},
	{"hours", "N", nil, "price", func(o *callOptions, v string) bool {
		h, ok := new(big.Rat).SetString(v)
		o.hours = h
		return ok && h.Sign() > 0 && operations.Plausible(h)
	}},
	{"flavor", "FLAVOR", nil, "price", func(o *callOptions, v string) bool { o.flavors = append(o.flavors, v); return v != "" }},
	{"no-price", "", nil, "price", func(o *callOptions, _ string) bool { o.noPrice = true; return true }},
	{"show-secrets", "", nil, "", func(o *callOptions, _ string) bool { o.showSecrets = true; return true }},
	{"region", "REGION", nil, "", func(o *callOptions, v string) bool { o.Region = v; return v != "" }},
	{"project-id", "ID", nil, "", func(o *callOptions, v string) bool { o.ProjectID = v; return v != "" }},
	{"profile", "NAME", nil, "", func(o *callOptions, v string) bool { o.Profile = v; return v != "" }},
	{"via", "hcloud|sdk", []string{"hcloud", "sdk"}, "", func(o *callOptions, v string) bool { o.Via = v; return true }},
	{"hcloud", "PATH", nil, "", func(o *callOptions, v string) bool { o.Hcloud = v; return v != "" }},
	{"timeout", "DURATION", nil, "", func(o *callOptions, v string) bool {
		d, err := time.ParseDuration(v)
		o.Timeout = d
		return err == nil && d > 0
	}},
	{"replay", "CASE", nil, "", func(o *callOptions, v string) bool { o.Replay = v; return v != "" }},
	{"corpus", "DIR", nil, "", func(o *callOptions, v string) bool { o.Corpus = v; return v != "" }},
	{"lang", "zh|en", []string{"zh", "en"}, "", func(*callOptions, string) bool { return true }},
	{"help", "", nil, "", func(o *callOptions, _ string) bool { o.help = true; return true }},
}

// kooCLIFlags are options of hcloud that people are used to.
var kooCLIFlags = map[string]string{"cli-region": "region", "cli-project-id": "project-id", "cli-profile": "profile", "cli-query": "query", "project_id": "project-id", "dryrun": "dry-run"}

// split takes the flags out of what stands behind a command, and gives the
// operation's parameters and what stands without a name. own lists parameters
// that win over a flag of the same name; booleans, those that may stand without
// a value.
func (c *console) split(tokens []string, own, booleans []string) (o callOptions, args []operations.Argument, rest []string, err error) {
	o.Timeout = hcloud.DefaultTimeout
	for len(tokens) > 0 {
		t := tokens[0]
		tokens = tokens[1:]
		name, isFlag := strings.CutPrefix(t, "--")
		switch {
		case t == "-h":
			o.help = true
			continue
		case t == "--":
			continue
		case !isFlag:
			rest = append(rest, t)
			continue
		}
		name, value, assigned := strings.Cut(name, "=")
		if k := kooCLIFlags[name]; k != "" && !slices.Contains(own, name) {
			name = k
		}
		at := slices.IndexFunc(callFlags, func(f callFlag) bool { return f.name == name && !slices.Contains(own, name) })
		if at < 0 && strings.HasPrefix(name, "cli-") {
			return o, nil, nil, &usageError{c.say(msgKooCLIFlag, "--"+name)}
		}
		switch {
		case assigned || at >= 0 && callFlags[at].value == "":
		case slices.Contains(booleans, name) && (len(tokens) == 0 || tokens[0] != "true" && tokens[0] != "false"):
			value = "true"
		case len(tokens) == 0 || strings.HasPrefix(tokens[0], "--"):
			return o, nil, nil, &usageError{c.say(msgNoValue, "--"+name)}
		default:
			value, tokens = tokens[0], tokens[1:]
		}
		if at < 0 {
			args = append(args, operations.Argument{Name: name, Value: value})
		} else if err := c.setFlag(&o, callFlags[at], value, assigned); err != nil {
			return o, nil, nil, err
		}
	}
	return o, args, rest, nil
}

func (c *console) setFlag(o *callOptions, f callFlag, value string, assigned bool) error {
	if f.values != nil && !slices.Contains(f.values, value) {
		return &usageError{c.say(msgFlagValues, "--"+f.name, strings.Join(f.values, ", "), value)}
	}
	if f.value == "" && assigned && value != "true" || !f.set(o, value) {
		form := flagForms[f.name]
		if f.value == "" {
			form = flagForms[""]
		}
		return &usageError{c.say(msgFlagValue, "--"+f.name, value, form.In(c.lang))}
	}
	return nil
}
