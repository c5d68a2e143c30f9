package modelarts

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/traceback"
)

// The flight recorder of PyTorch keeps the last collectives of each rank and dumps
// them when one does not end (torch/csrc/distributed/c10d/FlightRecorder.hpp; of
// torch_npu ProcessGroupHCCL). A file holds one rank, which its name tells.

// flight is what a dump tells of the process groups of its rank. A dump is read in
// pages when it is long, its members are sorted in what dump_json writes, and only
// entries and pg_config say which groups there are: texts wait until the dump ends.
type flight struct {
	dump    string                 // its path
	ranks   map[string]string      // of groups, by name
	groups  map[string]flightGroup // by pg_id, as entries tell them
	waiting map[string]bool        // groups that the rank was seen waiting in
	texts   []flightText
	size    int // bytes of all these
}

// flightGroup is how an entry calls its process group.
type flightGroup struct {
	name  string // the same on all its ranks, "" where the entry has none
	words string // the member that tells it
}

// flightText is a text but for what it tells of a group.
type flightText struct {
	at             Text
	owner          *Job
	group          flightGroup // of an entry
	id             string      // of a member of pg_status, which tells no group
	before, behind string
}

func newFlight(dump string) flight {
	return flight{dump: dump, ranks: map[string]string{}, groups: map[string]flightGroup{}, waiting: map[string]bool{}}
}

const (
	// mostRanks bounds what texts tell of the ranks of a group, in bytes. The first ones
	// tell the parts of a group that was split apart, which share a name.
	mostRanks = 64

	// mostOfFlight bounds what is held of a dump, in bytes.
	mostOfFlight = 1 << 20
)

// flightOf gives what is known of the dump that holds a member of one of its members.
func (r *reader) flightOf(n node) *flight {
	var dump *path
	if n.path != nil && n.path.parent != nil {
		dump = n.path.parent.parent
	}
	if at := dump.String(); at != r.flight.dump {
		r.endFlight()
		r.flight = newFlight(at)
	}
	return &r.flight
}

// holds reports whether there is room for more, in bytes, and takes it.
func (f *flight) holds(more int) bool {
	if f.size+more > mostOfFlight {
		return false
	}
	f.size += more
	return true
}

// isFlightGroup recognises the members of pg_config in a dump.
func isFlightGroup(n node, _ scope) bool {
	return n.has("ranks") && n.path != nil && n.path.parent != nil && n.path.parent.name == "pg_config"
}

// readFlightGroup notes who is in a group.
func (r *reader) readFlightGroup(n node, _ scope) {
	r.seen++
	f, name, ranks := r.flightOf(n), n.path.name, n.get("ranks").str()
	if len(ranks) > mostRanks {
		ranks = ranks[:strings.LastIndexByte(ranks[:mostRanks], ',')+1] + " …]"
	}
	if ranks != "" && f.holds(len(name)+len(ranks)) {
		f.ranks[name] = ranks
	}
}

// group gives the group of an entry, and notes how it is called.
func (f *flight) group(entry node) flightGroup {
	id, group := entry.get("pg_id").str(), entry.get("process_group")
	names := group.list() // its name and a description
	if len(names) == 0 {
		return flightGroup{}
	}
	name := names[0].str()
	g, known := f.groups[id]
	if known && g.name == name {
		return g
	}
	g = flightGroup{name, `"process_group": ` + group.compact()}
	if !known && f.holds(len(id)+len(g.name)+len(g.words)) {
		f.groups[id] = g
	}
	return g
}

// isFlightEntry recognises entries[] of a dump.
func isFlightEntry(n node, _ scope) bool {
	return n.has("profiling_name") && n.has("state") && n.has("input_sizes", "record_id")
}

// readFlightEntry gives the first collective of each process group that did not
// end as a text: the one that the rank waits in.
func (r *reader) readFlightEntry(n node, s scope) {
	r.seen++
	f := r.flightOf(n)
	group := f.group(n)
	name := cmp.Or(group.name, n.get("pg_id").str())
	if state := n.get("state").str(); state == "completed" || state == "" || f.waiting[name] || !f.holds(len(name)) {
		return
	}
	f.waiting[name] = true
	before := "{"
	for _, part := range n.those("profiling_name", "pg_id") {
		before += part + ", "
	}
	parts := n.those("seq_id", "collective_seq_id", "p2p_seq_id", "state", "input_sizes", "output_sizes", "input_dtypes", "timeout_ms")
	for _, f := range n.get("frames").list() {
		if traceback.IsUser(f.get("filename").str()) {
			parts = append(parts, f.those("name", "filename", "line")...)
			break
		}
	}
	r.sayFlight(n, s, flightText{group: group, before: before, behind: strings.Join(parts, ", ") + "}"})
}

// isFlightStatus recognises the members of pg_status in a dump.
func isFlightStatus(n node, _ scope) bool {
	return n.has("last_enqueued_collective") && n.has("last_completed_collective")
}

// readFlightStatus gives how far the rank had come in a process group as a text.
func (r *reader) readFlightStatus(n node, s scope) {
	r.seen++
	r.flightOf(n)
	id := n.path.key()
	if id == "" {
		return
	}
	var parts []string
	for _, member := range []string{"last_enqueued_collective", "last_started_collective", "last_completed_collective"} {
		if number, ok := n.get(member).int(); ok { // a text in what dump_json writes
			parts = append(parts, quoted(member)+": "+strconv.FormatInt(number, 10))
		}
	}
	r.sayFlight(n, s, flightText{id: id, before: quoted(id) + ": {", behind: strings.Join(parts, ", ") + "}"})
}

// sayFlight has a text of an object of a dump given when the dump ends.
func (r *reader) sayFlight(n node, s scope, t flightText) {
	at := r.place(n)
	t.at, t.owner = Text{Field: at.Field, Line: at.Line, Task: s.task}, s.job
	if r.flight.holds(weight(t.at) + len(t.group.words) + len(t.id) + len(t.before) + len(t.behind)) {
		r.flight.texts = append(r.flight.texts, t)
	}
}

// endFlight gives the texts of a dump. In pg_status groups have a pg_id alone, which
// counts those of one process: on another rank it is that of another group. So a
// status is given only when it is known which group that is: 0 is the first one of a
// process, that of all ranks.
func (r *reader) endFlight() {
	f := &r.flight
	for _, t := range f.texts {
		group := t.group
		if t.id != "" {
			group = f.groups[t.id]
		}
		if group.words == "" && t.id != "" && t.id != "0" {
			continue
		}
		words := t.before
		if group.words != "" {
			words += group.words + ", "
		}
		if ranks := f.ranks[group.name]; ranks != "" && group.words != "" {
			words += `"ranks": ` + quoted(ranks) + ", "
		}
		t.at.Text = words + t.behind
		r.texts = append(r.texts, t.at)
		r.owners = append(r.owners, t.owner)
	}
	f.texts = nil
}

// quoted writes a string as JSON does, but for signs that only HTML minds.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // fails for no string
	return strings.TrimSuffix(b.String(), "\n")
}

// those writes the members of an object that are there, in the order of the names.
func (n node) those(names ...string) (parts []string) {
	for _, name := range names {
		if v := n.get(name); v.some() {
			parts = append(parts, quoted(name)+": "+v.compact())
		}
	}
	return parts
}

// compact writes a value on one line, with a blank behind each comma and colon.
func (n node) compact() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n node) write(b *strings.Builder) {
	switch n.kind {
	case text:
		b.WriteString(quoted(n.text))
	case list, object:
		open, shut := byte('['), byte(']')
		if n.kind == object {
			open, shut = '{', '}'
		}
		b.WriteByte(open)
		for i := range n.members {
			if i > 0 {
				b.WriteString(", ")
			}
			if n.kind == object {
				b.WriteString(quoted(n.members[i].name) + ": ")
			}
			n.child(i).write(b)
		}
		b.WriteByte(shut)
	case null, missing:
		b.WriteString("null")
	default:
		b.WriteString(n.text)
	}
}
