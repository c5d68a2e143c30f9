package verdict

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// wait is what one rank reports of a collective that did not end.
type wait struct {
	rank      int
	group     string // process group or communicator, "" when not told
	members   string // its ranks, "" when not told: parts of a group that was split apart share its name
	place     string // of the rank among them, "" when not told
	seq       int64  // number of the collective within the group, -1 when not told
	op, count string // operation and number of elements, "" when not told
	enqueued  int64  // the last collective that the rank had issued, -1 when not told
	remote    int    // the rank that it waited for, -1 when not told
	event     *scan.Event
}

// waits gathers the reports of the ranks, several lines of one rank about one
// collective as one, in reading order.
func (j *judge) waits() []*wait {
	var all []*wait
	for _, c := range j.all {
		r := rankOfEvent(c)
		if r < 0 || !waitCauses[c.cause] || c.tier == echo {
			continue
		}
		n := newWait(c.event, r)
		same := slices.IndexFunc(all, func(w *wait) bool {
			return w.rank == n.rank && (w.seq == n.seq || w.seq < 0 || n.seq < 0) && !w.apart(n)
		})
		if same < 0 {
			all = append(all, n)
			continue
		}
		all[same].join(n)
	}
	tellApart(all)
	return j.recorded(all)
}

// tellApart keeps waits from being compared whose groups have one name and are
// several: two ranks of a group never have one place in it.
func tellApart(all []*wait) {
	type place struct{ group, place string }
	first, several := map[place]int{}, map[string]bool{}
	for _, w := range all {
		if w.place == "" || w.members != "" {
			continue
		}
		at := place{w.group, w.place}
		if r, taken := first[at]; taken && r != w.rank {
			several[w.group] = true
		}
		first[at] = w.rank
	}
	for _, w := range all {
		if several[w.group] && w.members == "" {
			w.members = "those of rank " + strconv.Itoa(w.rank)
		}
	}
}

// recorded adds to the waits how many collectives each rank had issued by the
// dumps of the flight recorder: a rank that lags may wait in none.
func (j *judge) recorded(all []*wait) []*wait {
	if len(all) == 0 {
		return nil
	}
	for _, e := range j.told[rules.Recorder] {
		r := rankOfEvent(&candidate{event: e})
		if r < 0 {
			continue
		}
		n := newWait(e, r)
		if same := slices.IndexFunc(all, func(w *wait) bool { return w.rank == r && w.group == n.group }); same >= 0 {
			all[same].join(n)
		} else {
			all = append(all, n)
		}
	}
	return all
}

func newWait(e *scan.Event, rank int) *wait {
	v := e.Values
	w := &wait{rank: rank, group: groupOf(v, rank), members: v.Get("members"), place: placeIn(e.Quote.Text), seq: number(v.Get("seq")), op: operation(v.Get("op")), count: cmp.Or(v.Get("count"), elements(v.Get("sizes"))),
		enqueued: number(v.Get("enqueued")), remote: int(number(v.Get("remote"))), event: e}
	if w.remote == rank {
		w.remote = -1
	}
	return w
}

// groupOf gives what ranks call a group that values tell of. Where that is pg alone,
// which counts the groups of one process from 0, that of all ranks, others are those
// of the rank.
func groupOf(v rules.Values, rank int) string {
	group, pg := cmp.Or(v.Get("group"), v.Get("tag")), v.Get("pg")
	if group == "" && pg != "" && pg != "0" {
		return pg + " of rank " + strconv.Itoa(rank)
	}
	return cmp.Or(group, pg)
}

var labelled = lazy.Regexp(`\[PG [^\]]*\bRank (\d+)\]`)

// placeIn gives the place in its group that the watchdog of PyTorch puts before its
// lines, "" where it is not told. It is no value of the rule, for the line with more
// values is taken to say more.
func placeIn(text string) string {
	if m := labelled().FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// apart reports whether two waits are known to be in different groups.
func (w *wait) apart(o *wait) bool {
	return w.group != o.group && w.group != "" && o.group != "" || w.members != o.members && w.members != "" && o.members != ""
}

// operation writes the name of a collective as NCCL's watchdog does, whatever the
// source: "all_reduce" is ALLREDUCE.
func operation(name string) string { return strings.ToUpper(strings.ReplaceAll(name, "_", "")) }

// elements counts the elements of tensors of the given sizes, "[[4, 5], [2]]" is
// 22; "" when they cannot be read.
func elements(sizes string) string {
	total := int64(0)
	for tensor := range strings.SplitSeq(strings.Trim(sizes, "[]"), "], [") {
		n := int64(1)
		for size := range strings.SplitSeq(tensor, ",") {
			d := number(strings.TrimSpace(size))
			if d < 0 || d > 1<<40 || n > 1<<40 {
				return ""
			}
			n *= d
		}
		total += n
	}
	return strconv.FormatInt(total, 10)
}

// number reads a number, -1 for anything else.
func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// join adds what another line of the same rank tells.
func (w *wait) join(o *wait) {
	w.group, w.members, w.place = cmp.Or(w.group, o.group), cmp.Or(w.members, o.members), cmp.Or(w.place, o.place)
	w.op, w.count = cmp.Or(w.op, o.op), cmp.Or(w.count, o.count)
	w.seq, w.enqueued, w.remote = max(w.seq, o.seq), max(w.enqueued, o.enqueued), max(w.remote, o.remote)
}

// awaited is whom the ranks waited for, and what shows it.
type awaited struct {
	ranks []int
	tasks []string // for logs that tell no ranks
	basis string   // code of the finding
	args  map[string]string
	shown []*wait // by which it shows how far the ranks had come
}

// holds reports whether a candidate is of one of those whom the others waited for.
func (a *awaited) holds(c *candidate) bool {
	return slices.Contains(a.ranks, rankOfEvent(c)) || slices.Contains(a.tasks, taskOf(c.event))
}

// awaited asks the reports, the surest first: heartbeats that name a device,
// waits that name a rank and end at one that waits for nobody, a rank that had
// issued fewer collectives than the others, ranks that report no wait.
func (j *judge) awaited(waits []*wait) *awaited {
	if a := j.located(); a != nil {
		return a
	}
	for _, ask := range []func([]*wait) *awaited{endOfWaits, lagging, j.silent} {
		if a := ask(waits); a != nil {
			return a
		}
	}
	return nil
}

// endOfWaits follows, from every rank that names the one that it waits for, the
// chain of waits to its end. The answer is the end that all chains share; none
// when they go round in a circle or part.
func endOfWaits(waits []*wait) *awaited {
	next, waiting := map[int]int{}, map[int]bool{}
	for _, w := range waits {
		waiting[w.rank] = true
		if w.remote >= 0 {
			next[w.rank] = w.remote
		}
	}
	end, chains := -1, 0
	for r := range next {
		at := r
		for range next {
			to, ok := next[at]
			if !ok {
				break
			}
			at = to
		}
		if _, circle := next[at]; circle || waiting[at] || end >= 0 && end != at {
			return nil
		}
		end = at
		chains++
	}
	if chains == 0 {
		return nil
	}
	return &awaited{ranks: []int{end}, basis: "awaited-rank", args: map[string]string{"ranks": strconv.Itoa(end), "count": strconv.Itoa(chains)}}
}

// lagging finds the ranks that had issued fewer collectives of a group than the
// others: they did not come.
func lagging(waits []*wait) *awaited {
	groups := map[string][]*wait{}
	for _, w := range waits {
		if w.enqueued >= 0 {
			group := w.group + " " + w.members
			groups[group] = append(groups[group], w)
		}
	}
	for _, g := range slices.Sorted(maps.Keys(groups)) {
		ws := groups[g]
		low := slices.MinFunc(ws, func(a, b *wait) int { return cmp.Compare(a.enqueued, b.enqueued) }).enqueued
		var behind []int
		var shown []*wait
		others := int64(-1)
		for _, w := range ws {
			if w.enqueued == low {
				behind, shown = append(behind, w.rank), append(shown, w)
			} else if others < 0 || w.enqueued < others {
				others = w.enqueued
			}
		}
		if others < 0 || 2*len(behind) >= len(ws) {
			continue
		}
		slices.Sort(behind)
		behind = slices.Compact(behind)
		return &awaited{ranks: behind, basis: "lagging-ranks", args: map[string]string{"ranks": joinInts(behind), "low": strconv.FormatInt(low, 10), "others": strconv.FormatInt(others, 10)}, shown: shown[:min(len(shown), shownWords)]}
	}
	return nil
}

// silent finds the ranks that report no wait while others do: at first those
// that say nothing at all of the failure, else those that only tell how others
// ended it.
func (j *judge) silent(waits []*wait) *awaited {
	if j.c.Found.Dropped+j.c.Found.LeftOut > 0 { // then a rank without a report may have given one
		return nil
	}
	waited, complained, known := map[int]bool{}, map[int]bool{}, map[int]bool{}
	for _, w := range waits {
		waited[w.rank] = true
	}
	for _, c := range j.all {
		if c.tier == echo {
			complained[rankOfEvent(c)] = true
		}
	}
	for _, s := range j.c.Found.Streams {
		if s.Rank >= 0 && j.alive(s) {
			known[s.Rank] = true
		}
	}
	var quiet, mild []int
	for _, r := range slices.Sorted(maps.Keys(known)) {
		switch {
		case waited[r]:
		case complained[r]:
			mild = append(mild, r)
		default:
			quiet = append(quiet, r)
		}
	}
	for _, ranks := range [][]int{quiet, mild} {
		if len(waited) > 0 && len(ranks) > 0 && len(ranks) <= max(1, len(known)/2) {
			return &awaited{ranks: ranks, basis: "silent-ranks", args: map[string]string{"ranks": joinInts(ranks)}}
		}
	}
	return j.silentTasks()
}

// alive reports whether a stream still printed in the last attempt of its log.
func (j *judge) alive(s *scan.Stream) bool { return s.LastSeq >= j.begins[s.Doc.Log()] }

// lastAttempts finds where the last attempt of each log begins.
func (j *judge) lastAttempts() map[*source.Document]int {
	begins, last := map[*source.Document]int{}, map[*source.Document]int{}
	for _, c := range j.all {
		if log := c.event.Quote.Doc.Log(); c.event.Attempt > last[log] {
			last[log], begins[log] = c.event.Attempt, c.event.Seq
		}
	}
	for _, s := range j.c.Found.Streams {
		log := s.Doc.Log()
		for _, m := range s.Progress {
			if m.Attempt == last[log] {
				begins[log] = min(begins[log], m.Seq)
			}
		}
	}
	return begins
}

// silentTasks finds the tasks whose logs hold no wait while those of others do,
// for logs that tell no ranks.
func (j *judge) silentTasks() *awaited {
	if j.c.Found.LeftOut > 0 {
		return nil
	}
	waited, known := map[string]bool{}, map[string]bool{}
	for _, c := range j.all {
		if waitCauses[c.cause] && taskOf(c.event) != "" && (c.fate == nil || c.fate.Code != "passed") {
			waited[taskOf(c.event)] = true
		}
	}
	for _, s := range j.c.Found.Streams {
		if s.Task != "" && s.Field == "" {
			known[s.Task] = true
		}
	}
	var quiet, told []string
	for _, t := range slices.Sorted(maps.Keys(known)) {
		switch {
		case waited[t]:
		case allTerminated(j.end.codes[t]):
			told = append(told, t)
		default:
			quiet = append(quiet, t)
		}
	}
	if len(quiet) == 0 { // the others may have been told to end beside them
		quiet = told
	}
	if len(waited) == 0 || len(quiet) == 0 || len(quiet) > max(1, len(known)/2) {
		return nil
	}
	return &awaited{tasks: quiet, basis: "silent-tasks", args: map[string]string{"tasks": strings.Join(quiet, ", ")}}
}

// findAwaited says with a root that only waited for whom it waited, and quotes
// the last line of the one, or of the first few.
func (j *judge) findAwaited(v *Verdict) {
	waits := j.waits()
	if d := differing(waits); d != nil {
		d.tell(v)
		return
	}
	if end := commonEnd(j.links()); end != nil {
		v.Findings = append(v.Findings, *end)
	}
	a := j.awaited(waits)
	if a == nil {
		return
	}
	v.Findings = append(v.Findings, Reason{a.basis, a.args})
	for _, r := range a.ranks {
		v.Silent = append(v.Silent, strconv.Itoa(r))
	}
	v.SilentTasks = a.tasks
	var words []scan.Quote
	for _, s := range j.c.Found.Streams {
		if len(words) == shownWords {
			break
		}
		ofRank := s.Rank >= 0 && slices.Contains(a.ranks, s.Rank)
		ofTask := s.Task != "" && s.Field == "" && slices.Contains(a.tasks, s.Task)
		if (ofRank || ofTask) && s.Lines > 1 {
			words = append(words, j.lastWords(s))
		}
	}
	for _, w := range a.shown {
		words = append(words, w.event.Quote)
	}
	first, others := v.Evidence[:1], v.Evidence[1:]
	v.Evidence = addQuotes(addQuotes(slices.Clone(first), words...), others...)
}

// shownWords is how many last lines of awaited ranks a report quotes.
const shownWords = 2

// lastWords is the last line of a stream before trouble came, else its last. A
// rank whose stream holds nothing but trouble may have printed more before
// without a prefix, in the same file.
func (j *judge) lastWords(s *scan.Stream) scan.Quote {
	if s.Calm != nil {
		return *s.Calm
	}
	for _, o := range j.c.Found.Streams {
		if o.Doc == s.Doc && o.Calm != nil && namesRank(o.Calm.Text, s.Rank) {
			return *o.Calm
		}
	}
	return s.Last
}

var rankWord = lazy.Regexp(`\brank[ =:]?(\d+)\b`)

// namesRank reports whether a line says of itself that a rank printed it.
func namesRank(text string, rank int) bool {
	m := rankWord().FindStringSubmatch(text)
	return m != nil && m[1] == strconv.Itoa(rank)
}

func joinInts(ns []int) string {
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ", ")
}
