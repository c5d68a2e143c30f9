package verdict

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// informs reports whether a line is marked for debugging, or as information by a
// library that marks its errors otherwise: one that tries one plug-in after
// another, tries again, or lacks what it does not need. What programs log as
// information may be anything.
func (c *candidate) informs() bool {
	q := c.event.Quote
	if c.trace != nil || c.tier == echo || q.Platform || q.Kind != source.Log && q.Kind != source.Device {
		return false
	}
	marked := q.Kind == source.Device && strings.Contains(q.Raw, "[INFO]") || strings.Contains(q.Text, "NCCL INFO ")
	return q.Level == "DEBUG" || q.Level == "TRACE" || q.Level == "INFO" && marked
}

// prepared puts out what a boot script and the tools that it calls printed, where
// the program started all the same and nothing that it met follows from that; and
// what anything but a rank printed before a rank ended of something else.
func (j *judge) prepared() {
	for _, c := range slices.Backward(j.all) {
		if c.fate != nil || !c.outside() {
			continue
		}
		start := j.started(c)
		switch {
		case start == 0 || slices.ContainsFunc(j.all, func(e *candidate) bool { return j.raisedAfter(c, e) && c.mayCause(e) || c.bars(e) }):
		case c.ofTool():
			c.out("prepared", map[string]string{"line": strconv.Itoa(start)})
		default:
			for _, e := range j.all {
				if j.raisedAfter(c, e) && c.givesWayTo(e) {
					c.out("survived", map[string]string{"line": strconv.Itoa(e.event.Quote.Number)})
					c.by = e
				}
			}
		}
	}
}

// givesWayTo reports whether an exception that the program ended of says more than
// a line before it: it stands in a stream of its own, the line says itself that it
// does not matter, or no machine and no tool sets off what the program met.
func (c *candidate) givesWayTo(e *candidate) bool {
	if e.tier != proven || !e.uncaught() && !e.bare() || e.vague() || waitCauses[e.cause] {
		return false
	}
	return e.event.Stream != c.event.Stream || c.overcame() || own[e.cause] && (c.ofTool() || c.ofMachine())
}

// outside reports whether a candidate is a line of the job's log that no rank and
// no logger of a process signs.
func (c *candidate) outside() bool {
	q := c.event.Quote
	return c.trace == nil && c.tier <= weak && q.Kind == source.Log && !q.Platform && q.Rank < 0 && c.event.Stream.Rank < 0 && c.event.Stream.Key == "" &&
		(!waitCauses[c.cause] || c.ofTool()) && !stopCauses[c.cause] && !rules.TellsEnd(c.cause)
}

// tools are the programs that boot scripts call besides the one that trains.
const tools = `sysctl|modprobe|mount|umount|df|du|ls|cp|mv|rm|ln|cat|cd|mkdir|rmdir|touch|chmod|chown|sed|awk|grep|head|tail|tee|tar|unzip|gzip|` +
	`ps|kill|which|ulimit|env|export|source|sudo|su|ssh|ssh-keygen|ssh-keyscan|scp|rsync|ping|nc|netstat|ip|ifconfig|ethtool|ibstat|ibdev2netdev|` +
	`curl|wget|git|apt|apt-get|dpkg|yum|dnf|pip3?|conda|jq|crontab|numactl|taskset|ldconfig|lscpu|lspci|nvidia-smi|npu-smi|hccn_tool|wandb`

// tool reads how lines begin that shells, those programs, compilers, or an
// interpreter that finds no script print.
var tool = lazy.Regexp(`^(?:[-/\w.~+]*\.(?:sh|bash): |-?(?:/\S*/)?(?:ba|z|da|k|c)?sh: |(?:/\S*/)?(?:` + tools + `)(?:: |\[\d+\]: | info: )|` +
	`E: |Err:\d+ |Failed to initialize NVML|(?:/\S*/)?(?:ld|collect2): |\S+\.(?:c|cc|cpp|cu|h)(?::\d+)+: (?:fatal )?error: |python3?: can't open file |\S*/python[\d.]*: No module named )`)

// ofTool reports whether a shell or a tool printed a candidate, not the program
// that trains.
func (c *candidate) ofTool() bool {
	return c.event.Rule.Family == "shell" || c.event.Rule.Family == "pip" || tool().MatchString(c.event.Quote.Text)
}

// overcame reports whether a line says itself that its failure was overcome.
func (c *candidate) overcame() bool { return scan.Overcomes(c.event.Quote.Text) }

// started gives the line by which a log shows that the program had started after
// a candidate: a traceback of its own or output of its ranks; 0 when there is none.
func (j *judge) started(c *candidate) int {
	for _, e := range j.all {
		if e.trace == nil || !oneLog(c.event, e.event) || e.event.Attempt != c.event.Attempt || e.trace.Traceback.Start <= c.event.Seq {
			continue
		}
		if ofInstaller(e) || e.tier == echo && launchers[e.event.Rule.Family] || e.trace.Traceback.Ignored != "" {
			continue
		}
		return e.event.Quote.Number
	}
	for _, s := range j.c.Found.Streams {
		ranked := s.Rank >= 0 || s.Key != ""
		if ranked && scan.Series(s.Doc) == scan.Series(c.event.Quote.Doc) && s.Field == c.event.Quote.Field && s.FirstSeq > c.event.Seq {
			return s.First.Number
		}
	}
	return 0
}

// ofInstaller reports whether a traceback is pip's own.
func ofInstaller(c *candidate) bool {
	return slices.ContainsFunc(c.trace.Traceback.Exceptions[0].Frames, func(f traceback.Frame) bool { return strings.Contains(f.File, "/pip/_internal/") })
}

// raisedAfter reports whether e is an exception that the program met after a
// candidate.
func (j *judge) raisedAfter(c, e *candidate) bool {
	if e.fate != nil || e.tier > weak || !oneLog(c.event, e.event) || e.event.Attempt != c.event.Attempt {
		return false
	}
	if e.trace == nil {
		return e.bare() && e.event.Seq > c.event.Seq
	}
	return e.trace.Traceback.Start > c.event.Seq && !ofInstaller(e)
}

// bars reports whether a tool failed to bring what the next one misses, which
// matters itself.
func (c *candidate) bars(e *candidate) bool {
	gap := e.event.Seq - c.event.Seq
	return e.fate == nil && c.ofTool() && e.ofTool() && e.outside() && e.event.Stream == c.event.Stream && 0 < gap && gap <= nearLines && mayLeadTo(c.cause, e.cause)
}

// bare reports whether a candidate is the exception of a rank whose stack was
// left out.
func (c *candidate) bare() bool {
	return c.trace == nil && c.event.Quote.Level == "" && rankOfEvent(c) >= 0 && rules.IsException(c.event.Quote.Text)
}

// own are the causes that lie in the words of a program, whatever the machine and
// the boot script do.
var own = map[string]bool{
	"syntax-error": true, "argument-error": true, "config-invalid": true, "shape-mismatch": true, "dtype-mismatch": true, "device-mismatch": true, "autograd-error": true,
	"key-error": true, "index-error": true, "name-error": true, "type-error": true, "value-error": true, "assertion-failed": true, "attribute-error": true,
}

// mayCause reports whether a traceback may follow from a line before it: both
// name the same thing, or the one leads to the other.
func (c *candidate) mayCause(e *candidate) bool {
	if c.names(e.event.Quote.Text) || e.calls(c) {
		return true
	}
	if waitCauses[c.cause] && waitCauses[e.cause] {
		return true
	}
	if slices.Contains(machine, e.cause) && !c.ofTool() { // which shows itself late, after lines that say more
		return true
	}
	if c.ofMachine() {
		return e.cause != "device-oom" && (!own[e.cause] || e.ofDevice())
	}
	if c.event.Rule.Family != "shell" {
		return e.cause == c.cause || mayLeadTo(c.cause, e.cause)
	}
	switch c.cause {
	case "startup-command-failed":
		return environment().MatchString(c.event.Quote.Text) && slices.Contains(ofEnvironment, e.cause)
	case "file-missing", "permission-denied", "syntax-error", "io-error":
		return strings.Contains(c.event.Quote.Text, "*") && e.cause == "file-missing"
	}
	return e.cause == c.cause || mayLeadTo(c.cause, e.cause) || c.withheld(e)
}

// calledLines is how many lines before the exception that tells of its failure a
// command may have printed.
const calledLines = 20

// calls reports whether an exception only tells that a command failed, and a line
// before it may be what that command printed.
func (e *candidate) calls(c *candidate) bool {
	return e.event.Rule.Tells(rules.CommandFailed) && e.event.Stream == c.event.Stream && e.trace != nil && e.trace.Traceback.Start-c.event.Seq <= calledLines
}

// ofMachine reports whether a candidate tells of what lies below the program.
func (c *candidate) ofMachine() bool {
	return slices.Contains(machine, c.cause) || c.event.Rule.Family == "nvidia-driver"
}

// device reads the words of exceptions that speak of a device.
var device = lazy.Regexp(`(?i)\b(?:gpus?|npus?|cuda|nvidia|nvml|ascend|acl|devices?)\b|加速卡|显卡`)

// ofDevice reports whether an exception speaks of a device: in its words, or, where it
// has none, in the code that raised it.
func (e *candidate) ofDevice() bool {
	if device().MatchString(e.event.Quote.Text) {
		return true
	}
	x := e.exception()
	return x != nil && x.Message == "" && len(x.Frames) > 0 && device().MatchString(x.Frames[len(x.Frames)-1].Code)
}

// environment reads the names of what sets up the environment of programs;
// ofEnvironment are the causes that come of its lack.
var (
	environment   = lazy.Regexp(`(?i)\b(?:module|conda|activate|source|spack|profile|bashrc)\b|env`)
	ofEnvironment = []string{"module-missing", "shared-library-missing", "device-unavailable", "version-conflict", "import-incompatible"}
)

// word reads what a line may name: paths, modules, commands.
var word = lazy.Regexp(`[\w./+-]*[\w*]`)

// names reports whether a text holds the last part of a path that a candidate
// names, or another of its values, as a part of a path or a word.
func (c *candidate) names(text string) bool {
	there := map[string]bool{}
	for _, w := range word().FindAllString(text, -1) {
		for _, part := range strings.Split(w, "/") {
			there[part], there[stem(part)] = true, true
		}
	}
	for _, v := range c.event.Values {
		if name := stem(path.Base(strings.TrimSpace(v.Text))); len(name) > 1 && there[name] {
			return true
		}
	}
	return false
}

func stem(name string) string {
	if i := strings.IndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}
