package source

import (
	"bytes"
	"strconv"
	"strings"
)

var rankNames = func() (names [1024]string) {
	for i := range names {
		names[i] = "rank" + strconv.Itoa(i)
	}
	return names
}()

func rankName(n int) string {
	if n < len(rankNames) {
		return rankNames[n]
	}
	return "rank" + strconv.Itoa(n)
}

// elasticRoles are the names that torchelastic's log prefix ([role][local
// rank]) usually begins with.
var elasticRoles = []string{"default", "worker", "trainer"}

// rankLabel reads the inside of [rank3]: or [default0]:.
func (p *parser) rankLabel(l *Line, inner string) bool {
	if n := digitsAfter(inner, "rank"); n >= 0 {
		p.ofRank(l, n)
		return true
	}
	for _, role := range elasticRoles {
		if n := digitsAfter(inner, role); n >= 0 {
			p.localRank(l, n)
			p.stream(l, inner)
			return true
		}
	}
	return false
}

// localRank sets the rank from the rank within a node; they are the same on
// the first node only.
func (p *parser) localRank(l *Line, n int) {
	if l.Rank < 0 && (l.Task == "" || strings.HasSuffix(l.Task, "-0")) {
		l.Rank, l.Own = n, n
	}
}

// ofRank takes a label that tells the rank.
func (p *parser) ofRank(l *Line, n int) {
	l.Rank, l.Own = n, n
	p.stream(l, rankName(n))
}

// digitsAfter gives the number behind word when s is nothing else, else -1.
func digitsAfter(s, word string) int {
	if len(s) <= len(word) || len(s) > len(word)+6 || !strings.EqualFold(s[:len(word)], word) {
		return -1
	}
	return number(s, len(word), len(s)-len(word))
}

// mpi reads mpirun's [job,rank]<stderr>: and Horovod's [rank]<stderr>:.
func (p *parser) mpi(l *Line, s, inner string, i int) int {
	end := strings.IndexByte(s[i:], ':')
	if end < 1 || end > 10 || s[i+end-1] != '>' {
		return 0
	}
	digits := inner[strings.LastIndexByte(inner, ',')+1:]
	n := number(digits, 0, len(digits))
	if n < 0 || digits == "" || len(digits) > 6 {
		return 0
	}
	p.ofRank(l, n)
	return afterLabel(s, i+end+1)
}

// pod reads kubectl's pod/<name>/<container>.
func (p *parser) pod(l *Line, inner string) {
	name, _, _ := strings.Cut(strings.TrimPrefix(inner, "pod/"), "/")
	l.ofPod(name)
	p.stream(l, inner)
}

// ofPod takes what a pod's name tells.
func (l *Line) ofPod(name string) {
	if task := taskIn(name); task != "" {
		l.Task = task
	}
	if l.Doc.Job == "" {
		l.Doc.Job = strings.Clone(jobID(name))
	}
}

// podName reads "<pod> <container> ", as stern writes it, for pods of ModelArts.
func (p *parser) podName(l *Line, s string) int {
	if !strings.HasPrefix(s, "modelarts-job-") {
		return 0
	}
	pod, rest, ok := strings.Cut(s, " ")
	container, _, ok2 := strings.Cut(rest, " ")
	if !ok || !ok2 || container == "" || jobID(pod) == "" || taskIn(pod) == "" {
		return 0
	}
	l.ofPod(pod)
	n := len(pod) + 1 + len(container)
	p.stream(l, s[:n])
	return n + 1
}

// ray reads (RayTrainWorker pid=123, ip=172.16.0.71).
func (p *parser) ray(l *Line, s string) int {
	end := strings.IndexByte(s, ')')
	if end < 0 || end > 120 {
		return 0
	}
	if inner := strings.IndexByte(s[1:end], '('); inner >= 0 {
		next := strings.IndexByte(s[end+1:], ')')
		if next < 0 || end+1+next > 160 {
			return 0
		}
		end += 1 + next
	}
	i := strings.Index(s[:end], "pid=")
	if i < 1 || s[i-1] != ' ' && s[i-1] != '(' {
		return 0
	}
	if l.PID == 0 {
		l.PID = leadingNumber(s[i+len("pid=") : end])
	}
	if j := strings.Index(s[:end], "ip="); j >= 0 && l.Node == "" {
		l.Node = strings.TrimRight(s[j+len("ip="):end], " ,")
	}
	p.stream(l, s[1:end])
	return oneSpace(s, end+1)
}

// worker reads DeepSpeed's "worker-1: " and the "worker-1  | " of compose.
func (p *parser) worker(l *Line, s string) int {
	head := s[:min(len(s), len("worker-")+6)]
	task := taskIn(head)
	if task == "" || !strings.HasPrefix(s, task) {
		return 0
	}
	n := len(task)
	switch bar := spaces(s, n); {
	case n < len(s) && s[n] == ':':
		n = oneSpace(s, n+1)
	case bar+1 < len(s) && s[bar] == '|' && s[bar+1] == ' ':
		n = bar + 2
	default:
		return 0
	}
	l.Task = task
	p.stream(l, task)
	return n
}

// rankInside reads [rank 5] and [Rank 5], as programs write into their lines.
func rankInside(s string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], "ank ")
		if i < 0 {
			return -1
		}
		i += from
		if i >= 2 && (s[i-2] == '[' || s[i-2] == ' ' && i > 10) && (s[i-1] == 'r' || s[i-1] == 'R') {
			j := i + len("ank ")
			k := j
			for k < len(s) && isDigit(s[k]) && k < j+6 {
				k++
			}
			if k > j && k < len(s) && s[k] == ']' && strings.LastIndexByte(s[:i], '[') > strings.LastIndexByte(s[:i], ']') {
				return number(s, j, k-j)
			}
		}
		from = i + len("ank ")
	}
}

// launch says which prefixes the lines of a document begin with, of those that
// cannot be told on a line by itself.
type launch struct {
	taskNumber bool            // srun --label
	hosts      map[string]bool // pdsh, DeepSpeed over ssh
}

func (n launch) any() bool { return n.taskNumber || n.hosts != nil }

// mostHosts bounds how many names before a colon are taken for hosts.
const mostHosts = 4096

// sniffLaunch looks at the beginning of a document: when nearly every line
// begins with "number: " or "host: ", that is a launcher's label.
func sniffLaunch(head []byte) launch {
	var lines, numbers int
	hosts := map[string]int{}
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		label, _, ok := bytes.Cut(line, []byte(":"))
		if len(line) == 0 {
			continue
		}
		lines++
		label = bytes.TrimLeft(label, " ")
		switch {
		case !ok || len(label) == 0 || len(label) > 64:
		case allDigits(label):
			numbers++
		case looksLikeHost(label) && len(hosts) < mostHosts:
			hosts[string(label)]++
		}
	}
	if lines < 5 {
		return launch{}
	}
	if numbers*10 >= lines*8 {
		return launch{taskNumber: true}
	}
	return launch{hosts: repeated(hosts, lines)}
}

// repeated keeps the names that nearly all lines begin with.
func repeated(hosts map[string]int, lines int) map[string]bool {
	out := map[string]bool{}
	sum := 0
	for h, n := range hosts {
		if n > 1 {
			out[h] = true
			sum += n
		}
	}
	if sum*10 < lines*8 {
		return nil
	}
	return out
}

func allDigits(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) {
			return false
		}
	}
	return len(b) > 0 && len(b) < 6
}

// looksLikeHost says whether a word may be a host's name or address: letters,
// digits, dots and dashes, with a digit among them.
func looksLikeHost(b []byte) bool {
	digit := false
	for _, c := range b {
		switch {
		case isDigit(c):
			digit = true
		case !isWord(c) && c != '-' && c != '.':
			return false
		}
	}
	return digit && !allDigits(b)
}

// launched reads the label that the document's lines begin with.
func (p *parser) launched(l *Line, s string) int {
	start := spaces(s, 0)
	if p.launch.taskNumber {
		i := start
		for i < len(s) && i < start+6 && isDigit(s[i]) {
			i++
		}
		if i == start || i >= len(s) || s[i] != ':' || i+1 < len(s) && s[i+1] != ' ' {
			return 0
		}
		p.ofRank(l, number(s, start, i-start))
		return oneSpace(s, i+1)
	}
	host, _, ok := strings.Cut(s, ":")
	if !ok || !p.launch.hosts[host] {
		return 0
	}
	l.Node = host
	if task := taskIn(host); task != "" {
		l.Task = task
	}
	p.stream(l, host)
	return oneSpace(s, len(host)+1)
}
