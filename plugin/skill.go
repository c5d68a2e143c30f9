package main

import "hcloud-modelarts/plugin/skill"

type skillCmd struct{}

// Run prints the file that tells an assistant how to use this program.
func (skillCmd) Run(c *console) error { return c.deliver("", []byte(skill.Text(c.lang))) }
