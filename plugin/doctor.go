package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"time"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/plugin/hcloud"
)

type doctorCmd struct {
	Format string `enum:"text,json" default:"text" placeholder:"text|json" help:"${doctor_format}"`
	remote
}

// check is one line of the checklist.
type check struct {
	Name   string `json:"check"`
	State  string `json:"state"` // "ok", "failed", "warning", "skipped"
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
	code   int
}

// Run checks what a diagnosis needs, level by level: a level that needs a
// failed one is skipped.
func (d *doctorCmd) Run(c *console) error {
	l, err := d.connect(c)
	if err != nil {
		return err
	}
	checks := d.checks(c, l)
	if c.ctx.Err() != nil {
		return errInterrupted
	}
	for _, x := range checks {
		if x.State == "failed" && c.code != exitDenied {
			c.code = max(x.code, exitFailed)
		}
	}
	if d.Format == "json" {
		return c.deliverJSON(checks)
	}
	marks := map[string]string{"ok": "✓", "failed": "✗", "warning": "!", "skipped": "-"}
	var b bytes.Buffer
	for _, x := range checks {
		fmt.Fprintf(&b, "%s %s%s%s\n", marks[x.State], c.say(checkNames[x.Name]), c.colon(), report.Plain(x.Detail))
		if x.Remedy != "" {
			fmt.Fprintf(&b, "  → %s\n", report.Plain(x.Remedy))
		}
	}
	return c.deliver("", b.Bytes())
}

func (d *doctorCmd) checks(c *console, l *link) []check {
	program := d.checkProgram(c, l)
	credentials, profile := d.checkCredentials(c, l, program.State)
	call, newest := d.checkCall(c, l, credentials.State)
	return []check{
		program, credentials, call,
		d.checkRegion(c, profile), d.checkProject(c, profile), checkClock(c, newest), d.checkCorpus(c),
	}
}

// failedCheck makes the check of an answer: what is wrong and what to do, as the
// other commands say it.
func (c *console) failedCheck(name string, l *link, a hcloud.Answer) check {
	x := check{Name: name, State: "failed", Detail: c.describeCall(&callError{a, l.program}), code: exitFailed}
	if a.Denied() {
		x.code = exitDenied
	}
	return x
}

func (d *doctorCmd) checkProgram(c *console, l *link) check {
	if d.Via == "sdk" && l.replay == nil {
		return check{Name: "hcloud", State: "ok", Detail: c.say(msgNotNeeded)}
	}
	v, a := hcloud.ProbeVersion(c.ctx, l.Program)
	switch {
	case a.Class != hcloud.OK:
		return c.failedCheck("hcloud", l, a)
	case v.Compare(hcloud.Oldest) < 0:
		return check{Name: "hcloud", State: "failed", Detail: c.say(msgOldHcloud, v, hcloud.Oldest), Remedy: c.say(msgUpdateHcloud, l.program), code: exitFailed}
	}
	return check{Name: "hcloud", State: "ok", Detail: "KooCLI " + v.String()}
}

func (c *console) skipped(name string) check {
	return check{Name: name, State: "skipped", Detail: c.say(msgSkipped)}
}

func (d *doctorCmd) checkCredentials(c *console, l *link, program string) (check, hcloud.Profile) {
	const name = "credentials"
	if program == "failed" {
		return c.skipped(name), hcloud.Profile{}
	}
	config, a := hcloud.ProbeConfig(c.ctx, l.Program)
	if a.Class != hcloud.OK {
		return c.failedCheck(name, l, a), hcloud.Profile{}
	}
	p, ok := config.Profile(d.Profile)
	switch {
	case !ok && d.Profile == "":
		return check{Name: name, State: "failed", Detail: c.say(msgNoProfiles), Remedy: c.say(msgConfigure, l.program), code: exitDenied}, p
	case !ok:
		return check{Name: name, State: "failed", Detail: c.say(msgNoProfile, d.Profile), Remedy: c.say(msgOtherProfile, l.program), code: exitDenied}, p
	case !p.Keys:
		return check{Name: name, State: "failed", Detail: c.say(msgNoKeys, p.Name), Remedy: c.say(msgConfigure, l.program), code: exitDenied}, p
	}
	return check{Name: name, State: "ok", Detail: c.say(msgKeys, p.Name, p.Mode)}, p
}

// checkCall makes one call that reads. It gives the time of the newest job, by
// the service's clock.
func (d *doctorCmd) checkCall(c *console, l *link, credentials string) (check, time.Time) {
	const name = "call"
	if credentials != "ok" {
		return c.skipped(name), time.Time{}
	}
	a := l.Do(c.ctx, newestOf())
	if !a.Good() {
		return c.failedCheck(name, l, a), time.Time{}
	}
	var newest time.Time
	for _, j := range jobsIn(a.Body) {
		newest = j.Created
	}
	return check{Name: name, State: "ok", Detail: c.say(msgCallWorks, a.Duration.Round(time.Millisecond))}, newest
}

func (d *doctorCmd) checkRegion(c *console, p hcloud.Profile) check {
	switch {
	case d.Region != "":
		return check{Name: "region", State: "ok", Detail: d.Region}
	case p.Region != "":
		return check{Name: "region", State: "ok", Detail: c.say(msgFromProfile, p.Region, p.Name)}
	case p.Name == "":
		return c.skipped("region")
	}
	return check{Name: "region", State: "failed", Detail: c.say(msgNoRegion), Remedy: c.say(msgSetRegion), code: exitFailed}
}

func (d *doctorCmd) checkProject(c *console, p hcloud.Profile) check {
	switch {
	case d.ProjectID != "" || p.Project:
		return check{Name: "project", State: "ok", Detail: c.say(msgProjectSet)}
	case p.Name == "":
		return c.skipped("project")
	}
	return check{Name: "project", State: "warning", Detail: c.say(msgNoProject), Remedy: c.say(msgSetProject)}
}

// allowedSkew is how far a clock may be off before signatures are refused.
const allowedSkew = 5 * time.Minute

// checkClock compares the clock with the newest job: none can be created in the
// future.
func checkClock(c *console, newest time.Time) check {
	now := c.now().UTC()
	detail := now.Format(time.RFC3339)
	if ahead := newest.Sub(now); !newest.IsZero() && ahead > allowedSkew {
		return check{Name: "clock", State: "failed", Detail: c.say(msgClockBehind, detail, ahead.Round(time.Minute)), Remedy: c.say(msgSetClock), code: exitFailed}
	}
	return check{Name: "clock", State: "ok", Detail: detail}
}

func (d *doctorCmd) checkCorpus(c *console) check {
	dir, err := d.dir(c)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, ".tmp-*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return check{Name: "corpus", State: "failed", Detail: c.say(msgWriteFile, dir) + c.colon() + c.system(plainError(err)), Remedy: c.say(msgChooseCorpus), code: exitFailed}
	}
	return check{Name: "corpus", State: "ok", Detail: dir}
}
