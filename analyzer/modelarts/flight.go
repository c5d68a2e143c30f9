package modelarts

import (
	"cmp"
	"encoding/json"
	"strings"

	"hcloud-modelarts/analyzer/traceback"
)

// The flight recorder of PyTorch keeps the last collectives of each rank and dumps
// them when one does not end (torch/csrc/distributed/c10d/FlightRecorder.hpp; of
// torch_npu ProcessGroupHCCL). A file holds one rank, which its name tells.

// isFlightEntry recognises entries[] of a dump.
func isFlightEntry(n node, _ scope) bool {
	return n.has("profiling_name") && n.has("state") && n.has("input_sizes", "record_id")
}

// readFlightEntry gives the first collective of each process group that did not
// end as a text: the one that the rank waits in. A group goes by its name, which is
// the same on all ranks; pg_id counts the groups of the one process.
func (r *reader) readFlightEntry(n node, s scope) {
	group := n.get("pg_id").str()
	if names := n.get("process_group").list(); len(names) > 0 { // a name and a description
		group = cmp.Or(names[0].str(), group)
	}
	if state := n.get("state").str(); state == "completed" || state == "" || r.pending[group] {
		r.seen++
		return
	}
	if r.pending == nil {
		r.pending = map[string]bool{}
	}
	r.pending[group] = true
	var parts []string
	for _, member := range []string{"profiling_name", "pg_id", "process_group", "seq_id", "collective_seq_id", "p2p_seq_id", "state", "input_sizes", "output_sizes", "input_dtypes", "timeout_ms"} {
		if v := n.get(member); v.some() {
			parts = append(parts, quoted(member)+": "+v.compact())
		}
	}
	for _, f := range n.get("frames").list() {
		if !traceback.IsUser(f.get("filename").str()) {
			continue
		}
		for _, member := range []string{"name", "filename", "line"} {
			parts = append(parts, quoted(member)+": "+f.get(member).compact())
		}
		break
	}
	r.sayAs(n, s, "{"+strings.Join(parts, ", ")+"}")
}

// isFlightStatus recognises the members of pg_status in a dump.
func isFlightStatus(n node, _ scope) bool {
	return n.has("last_enqueued_collective") && n.has("last_completed_collective")
}

// readFlightStatus gives how far the rank had come in a process group as a text.
func (r *reader) readFlightStatus(n node, s scope) {
	r.sayAs(n, s, quoted(n.path.key())+": "+n.compact())
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
