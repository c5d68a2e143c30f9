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

// flight is what a dump tells of the process groups of its rank.
type flight struct {
	dump    string            // its path
	ranks   map[string]string // of groups, by name
	words   map[string]string // what entries say of their group, by pg_id
	waiting map[string]bool   // groups that the rank was seen waiting in
}

func newFlight(dump string) flight {
	return flight{dump, map[string]string{}, map[string]string{}, map[string]bool{}}
}

// mostRanks bounds what texts tell of the ranks of a group, in bytes. The first ones
// tell the parts of a group that was split apart, which share a name.
const mostRanks = 64

// isFlightDump recognises a dump.
func isFlightDump(n node, _ scope) bool { return n.has("entries") && n.has("pg_config", "pg_status") }

// readFlightDump notes how groups are called, and who is in them, before it reads
// what became of them. In pg_status they have a pg_id alone, which counts the groups
// of one process: on another rank it is that of another group.
func (r *reader) readFlightDump(n node, s scope) {
	if dump := n.path.String(); dump != r.flight.dump {
		r.flight = newFlight(dump)
	}
	f := &r.flight
	config := n.get("pg_config")
	for i := range config.members {
		if ranks := config.child(i).get("ranks").str(); ranks != "" {
			if len(ranks) > mostRanks {
				ranks = ranks[:strings.LastIndexByte(ranks[:mostRanks], ',')+1] + " …]"
			}
			f.ranks[config.members[i].name] = ranks
		}
	}
	for _, e := range n.get("entries").list() {
		if _, words := f.group(e); words != "" {
			f.words[e.get("pg_id").str()] = words
		}
	}
	r.others(n, s)
}

// group gives the name of the group of an entry, which is the same on all its
// ranks, and the members that tell the group; nothing where the entry has none.
func (f *flight) group(entry node) (name, words string) {
	group := entry.get("process_group")
	names := group.list() // its name and a description
	if len(names) == 0 {
		return "", ""
	}
	name = names[0].str()
	words = `"process_group": ` + group.compact()
	if ranks := f.ranks[name]; ranks != "" {
		words += `, "ranks": ` + quoted(ranks)
	}
	return name, words
}

// isFlightEntry recognises entries[] of a dump.
func isFlightEntry(n node, _ scope) bool {
	return n.has("profiling_name") && n.has("state") && n.has("input_sizes", "record_id")
}

// readFlightEntry gives the first collective of each process group that did not
// end as a text: the one that the rank waits in.
func (r *reader) readFlightEntry(n node, s scope) {
	name, group := r.flight.group(n)
	name = cmp.Or(name, n.get("pg_id").str())
	if state := n.get("state").str(); state == "completed" || state == "" || r.flight.waiting[name] {
		r.seen++
		return
	}
	r.flight.waiting[name] = true
	parts := n.those("profiling_name", "pg_id")
	if group != "" {
		parts = append(parts, group)
	}
	parts = append(parts, n.those("seq_id", "collective_seq_id", "p2p_seq_id", "state", "input_sizes", "output_sizes", "input_dtypes", "timeout_ms")...)
	for _, f := range n.get("frames").list() {
		if traceback.IsUser(f.get("filename").str()) {
			parts = append(parts, f.those("name", "filename", "line")...)
			break
		}
	}
	r.sayAs(n, s, "{"+strings.Join(parts, ", ")+"}")
}

// isFlightStatus recognises the members of pg_status in a dump.
func isFlightStatus(n node, _ scope) bool {
	return n.has("last_enqueued_collective") && n.has("last_completed_collective")
}

// readFlightStatus gives how far the rank had come in a process group as a text, when
// it is known which group that is: 0 is the first one of a process, that of all ranks.
func (r *reader) readFlightStatus(n node, s scope) {
	id := n.path.key()
	group := r.flight.words[id]
	if group == "" && id != "0" {
		r.seen++
		return
	}
	var parts []string
	if group != "" {
		parts = append(parts, group)
	}
	for _, member := range []string{"last_enqueued_collective", "last_started_collective", "last_completed_collective"} {
		if number, ok := n.get(member).int(); ok { // a text in what dump_json writes
			parts = append(parts, quoted(member)+": "+strconv.FormatInt(number, 10))
		}
	}
	r.sayAs(n, s, quoted(id)+": {"+strings.Join(parts, ", ")+"}")
}

// sayAs gives a text for an object, made of its members as they stand.
func (r *reader) sayAs(n node, s scope, words string) {
	at := r.place(n)
	r.texts = append(r.texts, Text{Field: at.Field, Line: at.Line, Text: words, Task: s.task})
	r.owners = append(r.owners, s.job)
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
