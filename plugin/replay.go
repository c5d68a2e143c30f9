package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/standin"
)

type replayHcloudCmd struct {
	HcloudLang string   `enum:"cn,en" default:"cn" placeholder:"cn|en" help:"${hcloud_lang}"`
	Fault      string   `placeholder:"KIND[@OPERATION][:TIMES]" help:"${fault}"`
	State      string   `placeholder:"FILE" help:"${state}"`
	As         string   `placeholder:"FILE" help:"${as}"`
	Case       string   `arg:"" help:"${replay_case}"`
	Args       []string `arg:"" optional:"" passthrough:"" name:"arg" help:"${replay_args}"`
	storage
}

// Run answers one command line as hcloud does, or writes a script that does.
func (r *replayHcloudCmd) Run(c *console) error {
	fault, err := standin.ParseFault(r.Fault)
	if err != nil {
		return &usageError{c.describe(err)}
	}
	p, err := r.find(c, r.Case)
	if e, ok := errors.AsType[*corpus.Error](err); ok && e.Code == "missing" {
		p, err = r.Case, nil
	}
	if err != nil {
		return err
	}
	cases, err := openAll(p)
	if err != nil {
		return err
	}
	if r.As != "" {
		return r.writeScript(c, p)
	}
	s := standin.New(r.HcloudLang, cases...)
	s.Fault = fault
	if err := r.load(c, s); err != nil {
		return err
	}
	out, err := s.Run(c.ctx, r.Args)
	if c.ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	if err := r.save(c, s); err != nil {
		return err
	}
	c.code = out.Exit
	if _, err := c.stderr.Write(out.Stderr); err != nil {
		return err
	}
	return c.deliver("", out.Stdout)
}

// state is what a stand-in keeps from one command line to the next.
type state struct {
	Asked  map[string]int `json:"asked"`
	Faults int            `json:"faults"`
}

func (r *replayHcloudCmd) load(c *console, s *standin.Standin) error {
	if r.State == "" {
		return nil
	}
	data, err := os.ReadFile(r.State)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var st state
	if err == nil {
		err = json.Unmarshal(data, &st)
	}
	if err != nil {
		return &wrapped{c.say(msgReadState, r.State), plainError(err)}
	}
	s.Fault.Shown = st.Faults
	if st.Asked != nil {
		s.Replayer.Asked = st.Asked
	}
	return nil
}

func (r *replayHcloudCmd) save(c *console, s *standin.Standin) error {
	if r.State == "" {
		return nil
	}
	data, err := json.Marshal(state{s.Replayer.Asked, s.Fault.Shown})
	if err != nil {
		return err
	}
	if err := writeFile(r.State, whole(data)); err != nil {
		return &wrapped{c.say(msgWriteFile, r.State), plainError(err)}
	}
	return nil
}

// writeProgram writes a file that whoever may read it may run.
func writeProgram(file string, data []byte) error {
	if err := writeFileAs(file, 0o777, whole(data)); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	mode := info.Mode().Perm()
	return os.Chmod(file, mode|mode&0o444>>2)
}

// writeScript writes a program that stands in for hcloud, for --hcloud or PATH.
func (r *replayHcloudCmd) writeScript(c *console, replayed string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if replayed, err = filepath.Abs(replayed); err != nil {
		return err
	}
	args := []string{"replay-hcloud", "--hcloud-lang=" + r.HcloudLang}
	if r.Fault != "" {
		args = append(args, "--fault="+r.Fault)
	}
	if r.State != "" {
		file, err := filepath.Abs(r.State)
		if err != nil {
			return err
		}
		args = append(args, "--state="+file)
	}
	line := shellLine(self, append(args, replayed))
	script := "#!/bin/sh\nexec " + line + ` "$@"` + "\n"
	if err := writeProgram(r.As, []byte(script)); err != nil {
		return &wrapped{c.say(msgWriteFile, r.As), plainError(err)}
	}
	if !strings.ContainsRune(r.As, filepath.Separator) {
		r.As = "." + string(filepath.Separator) + r.As
	}
	return c.deliver("", []byte(r.As+"\n"))
}
