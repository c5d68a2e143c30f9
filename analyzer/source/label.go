package source

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/ascii"
)

// What a part of a label tells.
type partKind uint8

const (
	noPart     partKind = iota
	rankPart            // "rank 3", "global_rank=3"
	localPart           // "local_rank 3": the rank within a node
	devicePart          // "GPU 3"
	memberPart          // "Process 3", "node 1": one of several, of which no more is known
	placePart           // "worker-1", "node-3", "10.0.0.1", "bert-worker-2/pytorch"
	numberPart          // "3", "R3": a rank where all labels are alike and nothing else tells it
)

// labelPart is a part of a label.
type labelPart struct {
	kind partKind
	name string
	n    int
}

// labelKeys are the words that stand before a number in labels.
var labelKeys = map[string]partKind{
	"rank": rankPart, "global_rank": rankPart, "globalrank": rankPart, "grank": rankPart, "world_rank": rankPart, "mpirank": rankPart, "procid": rankPart,
	"local_rank": localPart, "localrank": localPart, "lrank": localPart, "default": localPart, // torchelastic's role by default
	"gpu": devicePart, "npu": devicePart, "cuda": devicePart, "device": devicePart, "card": devicePart,
	"node": memberPart, "node_rank": memberPart, "noderank": memberPart, "host": memberPart, "server": memberPart, "worker": memberPart,
	"proc": memberPart, "process": memberPart, "trainer": memberPart, "actor": memberPart, "replica": memberPart, "task": memberPart,
	"r": numberPart,
}

const betweenParts = "[](){}<>:|,;@= "

// cutWord gives the first word of a label, and what stands behind it.
func cutWord(label string) (word, rest string) {
	from := 0
	for from < len(label) && strings.IndexByte(betweenParts, label[from]) >= 0 {
		from++
	}
	to := from
	for to < len(label) && strings.IndexByte(betweenParts, label[to]) < 0 {
		to++
	}
	return label[from:to], label[to:]
}

// partsOf reads the parts of a label: "(worker-0, rank 3)", "[node-1:2]",
// "[rank 2/4]"; nil when one of its words is of none of the known kinds.
func partsOf(label string) []labelPart {
	var all []labelPart
	for word, rest := cutWord(label); word != ""; word, rest = cutWord(rest) {
		p := partOfWord(word)
		if p.kind == noPart {
			if p, rest = partOfTwo(word, rest); p.kind == noPart {
				return nil
			}
		}
		if len(all) > 0 {
			rest = behindTotal(rest)
		}
		all = append(all, p)
	}
	return all
}

// behindTotal gives what stands behind the "of 8" that may follow the number of
// a rank.
func behindTotal(rest string) string {
	if of, behind := cutWord(rest); of == "of" {
		if total, behind := cutWord(behind); countOf(total) >= 0 {
			return behind
		}
	}
	return rest
}

// partOfTwo reads "rank 3", of which the number stands in the rest of the label,
// and gives what stands behind it.
func partOfTwo(word, rest string) (labelPart, string) {
	count, behind := cutWord(rest)
	n := countOf(count)
	if n < 0 {
		return labelPart{}, rest
	}
	key := strings.ToLower(word)
	kind := labelKeys[key]
	if kind == noPart || kind == numberPart {
		return labelPart{}, rest
	}
	return labelPart{kind, key + strconv.Itoa(n), n}, behind
}

// processDigits is how many digits Open MPI writes a process with, "[node-1:00412]":
// that is no rank.
const processDigits = 5

// partOfWord reads "rank3", "rank_3", "gpu0", "R3", "3", "node-3".
func partOfWord(w string) labelPart {
	if n := countOf(w); n >= 0 {
		if len(w) == processDigits {
			return labelPart{memberPart, w, n}
		}
		return labelPart{numberPart, strconv.Itoa(n), n}
	}
	word := strings.TrimRight(w, "0123456789/")
	if n := countOf(w[len(word):]); n >= 0 {
		switch kind := labelKeys[strings.ToLower(strings.TrimRight(word, "-_"))]; {
		case kind == noPart, kind == memberPart, kind == numberPart && len(word) > 1:
		case kind == rankPart:
			return labelPart{kind, rankName(n), n}
		default:
			return labelPart{kind, w, n}
		}
	}
	if namesSource(w) {
		return labelPart{placePart, w, -1}
	}
	return labelPart{}
}

// countOf reads "3", and "3/8" as 3; -1 for anything else.
func countOf(w string) int {
	first, total, ok := strings.Cut(w, "/")
	if ok && (total == "" || ascii.Number(total, 0, len(total)) < 0) {
		return -1
	}
	if first == "" || len(first) > 5 {
		return -1
	}
	return ascii.Number(first, 0, len(first))
}

// tells reports whether a part names a process or a task for certain.
func (p labelPart) tells() bool {
	return p.kind == rankPart || p.kind == localPart || p.kind == placePart && taskIn(p.name) == p.name
}

// bare reports whether a label is no more than a number.
func bare(parts []labelPart) bool { return len(parts) == 1 && parts[0].kind == numberPart }

// originOfLabel reads a label with its marks.
func originOfLabel(label string) origin {
	label = strings.TrimRight(label, " -|")
	inner := strings.Trim(label, "[](){}<>:|- ")
	parts := partsOf(label)
	if namesSource(inner) && !(len(parts) == 1 && parts[0].kind != placePart) {
		o := originOf(inner)
		if o.rank < 0 && strings.HasPrefix(label, "[") && strings.HasSuffix(label, "]:") && o.task == "" { // torchelastic's [role0]:
			o.node, o.local = "", endNumber(inner)
		}
		return o
	}
	if parts == nil {
		return originOfPod(inner)
	}
	o := origin{rank: -1, local: -1}
	var names []string
	file := false
	for i, p := range parts {
		switch p.kind {
		case rankPart:
			o.rank = p.n
			p.name = rankName(p.n)
		case localPart:
			o.local = p.n
		case numberPart:
			switch {
			case len(parts) == 1:
				o.rank, p.name = p.n, rankName(p.n)
			case file:
				continue // the number of a line
			case i > 0:
				o.local = p.n
			}
		case placePart:
			part := originOf(p.name)
			file = isFileName(p.name)
			o.task, o.job, o.node = cmp.Or(o.task, part.task), cmp.Or(o.job, part.job), cmp.Or(o.node, part.node)
			o.kind, o.rank, p.name = max(o.kind, part.kind), max(o.rank, part.rank), part.name
		}
		names = append(names, p.name)
	}
	o.name = strings.Join(names, "/")
	return o
}

// endNumber is the number at the end of a word.
func endNumber(w string) int {
	return countOf(w[len(strings.TrimRight(w, "0123456789")):])
}

const longestLabel = 120

// cutLabel gives the label that a line begins with, up to and with its mark:
// "node-3:", "[rank_3]", "worker-1  |", "rank 3>"; "" when it begins with none.
func cutLabel(s string) string {
	if strings.IndexByte("[(<{", s[0]) >= 0 {
		return bracketLabel(s)
	}
	head := s[:min(len(s), longestLabel)]
	if n := keyedLabel(head); n > 0 {
		return s[:n]
	}
	i := firstMark(head)
	if i < 1 {
		return ""
	}
	name := strings.TrimRight(head[:i], " ")
	if !hasDigit(name) { // every label has one
		return ""
	}
	switch head[i] {
	case ':':
		if len(name) < i || !namesSource(name) && !keyed(name) || isNCCL(s[i+1:]) {
			return ""
		}
	case '|':
		if !(len(name) < i && namesSource(name)) && !keyed(name) {
			return ""
		}
	default:
		if parts := partsOf(name); i+1 < len(s) && s[i+1] != ' ' || len(parts) != 1 || !parts[0].tells() && parts[0].kind != numberPart || ascii.IsDigit(s[0]) {
			return ""
		}
	}
	return s[:i+1]
}

// firstMark gives where the first mark stands that ends labels without brackets,
// -1 when there is none.
func firstMark(s string) int {
	at := -1
	for _, mark := range []byte(":|>") {
		if i := strings.IndexByte(s, mark); i >= 0 {
			at, s = i, s[:i]
		}
	}
	return at
}

func hasDigit(s string) bool {
	for i := range len(s) {
		if ascii.IsDigit(s[i]) {
			return true
		}
	}
	return false
}

// isNCCL says whether what follows a host's name is the rest of what NCCL writes
// before each of its lines, "4127:4419 [2] ", and no label of a launcher.
func isNCCL(s string) bool {
	n := digitsIn(s)
	m := digitsIn(strings.TrimPrefix(s[n:], ":"))
	return n > 0 && m > 0 && strings.HasPrefix(s[n:], ":") && strings.HasPrefix(s[n+1+m:], " [")
}

// keyed says whether a name is a key with its number: "rank 3", "Process 2".
func keyed(name string) bool {
	if name == "" || ascii.IsDigit(name[0]) {
		return false
	}
	parts := partsOf(name)
	return len(parts) == 1 && parts[0].kind != placePart
}

// keyedLabel is the length of "rank=3 ", "rank 3 step", "rank2 - ": a rank with no
// mark of its own behind it, or a dash.
func keyedLabel(s string) int {
	end := 0
	for end < len(s) && (ascii.IsWord(s[end]) || s[end] == '_') && !ascii.IsDigit(s[end]) {
		end++
	}
	i := end
	if i < len(s) && strings.IndexByte(" =:-", s[i]) >= 0 {
		i++
	}
	from := i
	for i < len(s) && ascii.IsDigit(s[i]) && i < from+6 {
		i++
	}
	if i == from || i >= len(s) || s[i] != ' ' {
		return 0
	}
	kind := labelKeys[strings.ToLower(strings.TrimRight(s[:end], "_"))]
	if kind != rankPart && kind != localPart {
		return 0
	}
	return i
}

// dashes are what some write between a label and the text.
var dashes = []string{" - ", " | ", " || ", " > "}

// dashOf gives the one that a text behind a label begins with, "" for another.
func dashOf(rest string) string {
	for _, dash := range dashes {
		if strings.HasPrefix(rest, dash) {
			return dash
		}
	}
	return ""
}

// bracketLabel reads a label in brackets.
func bracketLabel(s string) string {
	shut := strings.IndexByte(s, "])>}"[strings.IndexByte("[(<{", s[0])])
	if shut < 2 || shut > longestLabel || shut+1 >= len(s) {
		return ""
	}
	end := shut + 1
	colon := s[end] == ':'
	if colon {
		end++
	} else if strings.IndexByte(" [", s[end]) < 0 {
		return ""
	}
	if !namesPlaces(s[1:shut], s[0], colon) {
		return ""
	}
	return s[:end]
}

// cutLabels gives the labels that a line begins with, one behind the other:
// "[worker-1][rank_3]", "worker-1 | rank 3 |", "worker-1 rank3".
func cutLabels(s string) string {
	label := cutLabel(s)
	for n := len(label); n > 0; n = len(label) {
		at := oneSpace(s, n)
		if at >= len(s) {
			break
		}
		next := cutLabel(s[at:])
		if next == "" && at == n {
			next = cutNumber(s[at:])
		} else if next != "" && !tellsPlace(next) {
			break
		}
		if next == "" {
			break
		}
		label = s[:at+len(next)]
	}
	if label != "" {
		return label
	}
	first, rest, _ := strings.Cut(s[:min(len(s), longestLabel)], " ")
	second, _, more := strings.Cut(rest, " ")
	if more && taskIn(first) == first && first != "" && rankWord(second) >= 0 {
		return s[:len(first)+1+len(second)]
	}
	return podLabel(s)
}

// cutNumber gives the "12:" that stands right behind a name's colon: grep -Hn.
func cutNumber(s string) string {
	i := 0
	for i < len(s) && ascii.IsDigit(s[i]) && i < 9 {
		i++
	}
	if i == 0 || i >= len(s) || s[i] != ':' {
		return ""
	}
	return s[:i+1]
}

// tellsPlace says whether a label behind another names a rank or a task: a word
// with a number may as well be an error's code or a program's own prefix there.
func tellsPlace(label string) bool {
	parts := partsOf(label)
	return parts != nil && !slices.ContainsFunc(parts, func(p labelPart) bool { return !p.tells() && p.kind != devicePart })
}

// namesPlaces says whether the inside of brackets names where lines come from:
// one place, or several of which each is one. Other brackets than square ones
// must name a rank or a task, since programs put much else into them.
func namesPlaces(inner string, open byte, colon bool) bool {
	square := open == '['
	if square && rankWord(inner) >= 0 { // the commonest, without a list of parts
		return true
	}
	parts := partsOf(inner)
	switch alone := len(parts) == 1 && parts[0].kind != placePart; {
	case bare(parts) && !square:
		return open == '<' && colon
	case square && alone:
		return true
	case square && namesSource(inner):
		return isPlaced(inner) || colon && ascii.IsDigit(inner[len(inner)-1])
	}
	told := false
	for _, p := range parts {
		if p.kind == placePart && !isPlaced(p.name) {
			return false
		}
		told = told || p.tells() || square && p.kind == placePart
	}
	return told || square && parts == nil && podWords(inner) == len(inner)
}

// podLabel gives stern's "<pod> <container>", with the namespace before it where
// it was asked for all of them.
func podLabel(s string) string {
	n := podWords(s)
	if n == 0 {
		if first, rest, ok := strings.Cut(s[:min(len(s), longestLabel)], " "); ok && isName(first) && podWords(rest) > 0 {
			n = len(first) + 1 + podWords(rest)
		}
	}
	if n == 0 || n >= len(s) || s[n] != ' ' {
		return ""
	}
	return s[:n]
}

// podWords is the length of "<pod> <container>" at the start of s, 0 when they do
// not stand there. A pod's name has a number of a replica or letters of chance.
func podWords(s string) int {
	pod, rest, ok := strings.Cut(s[:min(len(s), longestLabel)], " ")
	container, _, _ := strings.Cut(rest, " ")
	if !ok || !isName(container) || !isName(pod) || strings.IndexByte(pod, '-') < 0 || !strings.ContainsAny(pod, "0123456789") || rankWord(pod) >= 0 {
		return 0
	}
	return len(pod) + 1 + len(container)
}

// isName says whether a word may be the name of a Kubernetes object.
func isName(w string) bool {
	if len(w) < 2 || len(w) > 64 || w[0] < 'a' || w[0] > 'z' {
		return false
	}
	for i := range len(w) {
		if c := w[i]; !ascii.IsSmall(c) && !ascii.IsDigit(c) && c != '-' && c != '.' || c == '.' && i == len(w)-1 {
			return false
		}
	}
	return true
}

// originOfPod reads a pod's name and what stands beside it.
func originOfPod(inner string) origin {
	o := origin{name: inner, rank: -1, local: -1}
	for word := range strings.FieldsSeq(inner) {
		if strings.IndexByte(word, '-') > 0 && strings.ContainsAny(word, "0123456789") {
			pod := originOf(word)
			o.task, o.job, o.node = pod.task, pod.job, pod.node
			break
		}
	}
	return o
}

// namesSource says whether a word may name where lines come from: a rank, a
// host, an address, a pod or a file. All of them have a digit, and only an
// address begins with one: anything else that does may be a time.
func namesSource(s string) bool {
	if rankWord(s) >= 0 || isIPv4(s) {
		return true
	}
	if s == "" || ascii.IsDigit(s[0]) {
		return false
	}
	digit, letter := false, false
	for i := range len(s) {
		switch c := s[i]; {
		case ascii.IsDigit(c):
			digit = true
		case ascii.IsWord(c):
			letter = true
		case strings.IndexByte("-._/", c) < 0:
			return false
		}
	}
	return digit && letter
}

// isPlaced says whether a word in brackets is the name of a place, and not one
// of the many words with a number that programs write there.
func isPlaced(s string) bool {
	if rankWord(s) >= 0 || strings.IndexAny(s, "-.") > 0 {
		return true
	}
	for _, word := range []string{"node", "host", "server", "worker", "trainer"} {
		if digitsAfter(s, word) >= 0 {
			return true
		}
	}
	return false
}

// rankWord gives the number of "rank3", "rank_3", "Rank 3", "rank-3" and
// "rank=3", -1 for another word.
func rankWord(s string) int {
	if len(s) < 5 || !strings.EqualFold(s[:4], "rank") {
		return -1
	}
	if strings.IndexByte(" _-=", s[4]) >= 0 {
		s = s[:4] + s[5:]
	}
	return digitsAfter(s, "rank")
}
