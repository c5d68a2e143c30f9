package source

import (
	"strconv"
	"strings"
	"sync"

	"hcloud-modelarts/analyzer/ascii"
)

var rankNames = sync.OnceValue(func() []string {
	names := make([]string, 1024)
	for i := range names {
		names[i] = "rank" + strconv.Itoa(i)
	}
	return names
})

func rankName(n int) string {
	if names := rankNames(); n < len(names) {
		return names[n]
	}
	return "rank" + strconv.Itoa(n)
}

// elasticRoles are the names that torchelastic's log prefix ([role][local
// rank]) usually begins with.
var elasticRoles = []string{"default", "worker", "trainer"}

// rankLabel reads the inside of [rank3]: or [default0]:.
func (p *parser) rankLabel(l *Line, inner string) bool {
	if n := rankWord(inner); n >= 0 {
		p.ofRank(l, n)
		return true
	}
	if taskIn(inner) == inner {
		l.Task = inner
		p.stream(l, inner)
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
	return ascii.Number(s, len(word), len(s)-len(word))
}

// mpi reads mpirun's [job,rank]<stderr>:, PRRTE's [job,rank][host:pid]<stderr>:,
// Horovod's [rank]<stderr>: and SageMaker's [1,mpirank:3,algo-1]<stderr>:, whose
// rank ends before i.
func (p *parser) mpi(l *Line, s, inner string, i int) int {
	end := strings.IndexByte(s[i:], ':')
	if end < 1 || end > 10 || s[i+end-1] != '>' {
		return 0
	}
	digits := inner[strings.LastIndexByte(inner, ',')+1:]
	if _, rest, ok := strings.Cut(inner, "mpirank:"); ok {
		digits, _, _ = strings.Cut(rest, ",")
	}
	n := ascii.Number(digits, 0, len(digits))
	if n < 0 || digits == "" || len(digits) > 6 {
		return 0
	}
	p.ofRank(l, n)
	return afterLabel(s, i+end+1)
}

// withHost is the length of PRRTE's "[host:pid]" between a rank and its stream, 0
// when it does not stand there.
func withHost(rest string) int {
	end := strings.IndexByte(rest, ']')
	if end < 4 || rest[0] != '[' || strings.IndexByte(rest[:end], ':') < 0 || !strings.HasPrefix(rest[end+1:], "<std") {
		return 0
	}
	return end + 1
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

// bracketPod reads kubetail's [<pod> <container>] for pods of ModelArts.
func (p *parser) bracketPod(l *Line, s, inner string, n int) int {
	pod, _, _ := strings.Cut(inner, " ")
	if jobID(pod) == "" || taskIn(pod) == "" {
		return 0
	}
	l.ofPod(pod)
	p.stream(l, inner)
	return oneSpace(s, n)
}

// podName reads "<pod> <container> ", as stern writes it, for pods of ModelArts.
func (p *parser) podName(l *Line, s string) int {
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
	if j := strings.Index(s[:end], "rank="); j > 0 && !ascii.IsWord(s[j-1]) && s[j-1] != '_' {
		if n := countOf(s[j+len("rank=") : j+len("rank=")+digitsIn(s[j+len("rank="):end])]); n >= 0 {
			l.Rank, l.Own = n, n
		}
	}
	p.stream(l, s[1:end])
	return oneSpace(s, end+1)
}

// digitsIn is how many digits s begins with.
func digitsIn(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// selector reads {pod="bert-worker-1", container="train"}, as logcli writes the
// labels of a stream before each of its lines.
func (p *parser) selector(l *Line, s string) int {
	end := strings.Index(s, "\"} ")
	if end < 0 || end > 600 || strings.IndexByte(s, '=') < 0 {
		return 0
	}
	var names [3]string
	for pair := range strings.SplitSeq(s[1:end+1], ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(pair), "=\"")
		if !ok || !strings.HasSuffix(value, "\"") {
			return 0
		}
		value = strings.TrimSuffix(value, "\"")
		switch key {
		case "pod", "pod_name", "instance":
			names[0] = value
			l.ofPod(value)
		case "container", "container_name":
			names[1] = value
		case "node", "node_name", "host", "hostname":
			names[2], l.Node = value, value
		}
	}
	for _, name := range names {
		if name != "" {
			p.stream(l, name)
		}
	}
	return end + len("\"} ")
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
			for k < len(s) && ascii.IsDigit(s[k]) && k < j+6 {
				k++
			}
			if k > j && k < len(s) && s[k] == ']' && strings.LastIndexByte(s[:i], '[') > strings.LastIndexByte(s[:i], ']') {
				return ascii.Number(s, j, k-j)
			}
		}
		from = i + len("ank ")
	}
}
