package source

import (
	"strings"

	"hcloud-modelarts/analyzer/ascii"
)

// layout reads what a document's name tells: ModelArts and Ascend put the job,
// the task, the rank and the device into the names of files and folders, msrun
// the rank, and torchelastic the attempt and the rank within the node.
func layout(d *Document) {
	parts := strings.FieldsFunc(d.Name, func(r rune) bool { return r == '/' || r == '!' })
	for i, p := range parts {
		last := i == len(parts)-1
		partFacts(d, p, last)
		if last && i > 0 && strings.Contains(parts[i-1], "msrun") {
			if n := digitsAfter(strings.TrimSuffix(p, ".log"), "worker_"); n >= 0 {
				d.Rank = n
			}
		}
		if i > 0 && !last && d.Attempt >= 0 && folderNumber(parts[i-1], "attempt") >= 0 {
			if n := ascii.Number(p, 0, len(p)); n >= 0 && len(p) < 5 && (d.Task == "" || strings.HasSuffix(d.Task, "-0")) {
				d.Rank = n
			}
		}
	}
	if len(parts) > 0 {
		d.Kind = kindOf(strings.ToLower(d.Name), strings.ToLower(parts[len(parts)-1]))
	}
}

// partFacts reads one element of a path; an inner one overrules an outer one.
func partFacts(d *Document, p string, file bool) {
	if job := jobID(p); job != "" {
		d.Job = job
	}
	if task := taskIn(p); task != "" {
		d.Task = task
	}
	if node := nodeIn(p, file); node != "" {
		d.Node = node
	}
	if n := folderNumber(p, "rank"); n >= 0 {
		d.Rank = n
	} else if file && !strings.Contains(p, "lora") {
		if n := numberAfter(p, "rank"); n >= 0 {
			d.Rank = n
		}
	}
	if n := numberAfter(p, "device"); n >= 0 && !(strings.HasPrefix(p, "device-") && strings.Contains(p, "_")) {
		d.Device = n
	}
	if n := folderNumber(p, "attempt"); n >= 0 {
		d.Attempt = n
	}
}

// folderNumber gives N when p is wordN, word_N or word-N and nothing else.
func folderNumber(p, word string) int {
	rest, ok := strings.CutPrefix(p, word)
	rest = strings.TrimLeft(rest, "_-")
	if !ok || rest == "" || len(rest) > 6 {
		return -1
	}
	return ascii.Number(rest, 0, len(rest))
}

// nodeIn finds a node's name in an element of a path: an address, or a folder
// that is named like a node.
func nodeIn(p string, file bool) string {
	if !file && strings.HasPrefix(p, "node-") && len(p) > len("node-") {
		return p
	}
	for from := 0; from < len(p); {
		i := from
		for i < len(p) && (ascii.IsDigit(p[i]) || p[i] == '.') {
			i++
		}
		if i > from && isIPv4(strings.Trim(p[from:i], ".")) && (from == 0 || !ascii.IsWord(p[from-1])) {
			return strings.Trim(p[from:i], ".")
		}
		from = i + 1
	}
	return ""
}

func isIPv4(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return false
	}
	for _, p := range parts {
		if n := ascii.Number(p, 0, len(p)); p == "" || len(p) > 3 || n < 0 || n > 255 {
			return false
		}
	}
	return true
}

func kindOf(name, base string) Kind {
	for _, k := range kernelNames {
		if strings.Contains(base, k) {
			return Kernel
		}
	}
	for _, k := range deviceNames {
		if strings.Contains(base, k) {
			return Device
		}
	}
	if strings.HasPrefix(base, "device-") || strings.Contains(name, "/process_log/") ||
		strings.Contains(name, "/plog/") || strings.Contains(name, "/msnpureport/") {
		return Device
	}
	return Log
}

var (
	kernelNames = []string{"dmesg", "messages", "kern.log", "kernel.log", "syslog"}
	deviceNames = []string{"plog-", "npu-smi", "npu_smi", "nvidia-smi", "nvidia_smi", "npu_info"}
)

// uuidLen is the length of a job id as the v2 API gives it.
const uuidLen = 36

// jobID finds a job id in s: behind "modelarts-job-", or alone.
func jobID(s string) string {
	if i := strings.Index(s, "modelarts-job-"); i >= 0 {
		if rest := s[i+len("modelarts-job-"):]; isUUID(rest) {
			return rest[:uuidLen]
		}
	}
	if isUUID(s) && (len(s) == uuidLen || !ascii.IsWord(s[uuidLen])) {
		return s[:uuidLen]
	}
	return ""
}

func isUUID(s string) bool {
	if len(s) < uuidLen {
		return false
	}
	for i := range uuidLen {
		c := s[i]
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !ascii.IsDigit(c) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// taskRoles are the roles of which tasks are named.
var taskRoles = []string{"worker-", "ps-", "master-", "chief-"}

// taskIn finds a task name such as worker-3 in s.
func taskIn(s string) string {
	for _, role := range taskRoles {
		for from := 0; ; {
			i := strings.Index(s[from:], role)
			if i < 0 {
				break
			}
			i += from
			j := i + len(role)
			for j < len(s) && ascii.IsDigit(s[j]) && j-i < len(role)+5 {
				j++
			}
			if j > i+len(role) && (i == 0 || !ascii.IsWord(s[i-1])) && (j == len(s) || !ascii.IsWord(s[j])) {
				return s[i:j]
			}
			from = i + len(role)
		}
	}
	return ""
}

// numberAfter finds a number behind a word and one of "-", "_" or nothing, as
// in rank_3, rank-3 and rank3; -1 when there is none.
func numberAfter(s, word string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		j := i + len(word)
		if j < len(s) && (s[j] == '-' || s[j] == '_') {
			j++
		}
		k := j
		for k < len(s) && ascii.IsDigit(s[k]) && k < j+6 {
			k++
		}
		if k > j && (i == 0 || !ascii.IsWord(s[i-1])) && (k == len(s) || !ascii.IsWord(s[k])) {
			return ascii.Number(s, j, k-j)
		}
		from = i + len(word)
	}
}
