package verdict

import (
	"cmp"
	"slices"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// first picks the earliest of some candidates, and notes the rivals whose order
// to it nobody can tell. What it picks does not depend on the order in which
// they are given, as long as that order is the same for the same input.
func (j *judge) first(cs []*candidate) *candidate {
	if len(cs) == 0 {
		return nil
	}
	early := j.earliest(cs)
	best := early[0]
	for _, c := range early[1:] {
		n, _ := j.prefer(c, best)
		if n == 0 {
			n = j.clock.span(c.event).likely(j.clock.span(best.event))
		}
		if n < 0 {
			best = c
		}
	}
	j.rivals = nil
	for _, c := range early {
		if n, _ := j.prefer(c, best); n == 0 && c.cause != best.cause {
			j.rivals = append(j.rivals, c)
		}
	}
	return best
}

// earliest gives those candidates that no other clearly precedes.
func (j *judge) earliest(cs []*candidate) []*candidate {
	var early []*candidate
	for _, c := range cs {
		preceded := slices.ContainsFunc(cs, func(o *candidate) bool {
			n, _ := j.clock.compare(o.event, c.event)
			return n < 0 && !j.explains(c, o)
		})
		if !preceded {
			early = append(early, c)
		}
	}
	if len(early) == 0 { // the times of three contradict each other
		return cs
	}
	return early
}

// explains reports whether a line tells why the lines above it of the same library
// say that something was waited for or came broken: a library tells the reason last.
func (j *judge) explains(c, o *candidate) bool {
	return kindOf(o) == byWaiting && kindOf(c) == byLine && o.trace == nil && c.event.Stream == o.event.Stream && c.event.Rule.Family == o.event.Rule.Family && j.near(o, c)
}

// order says which of two candidates came first, and on what ground: clearly,
// or where that is open by what speaks for either.
func (j *judge) order(a, b *candidate) (int, string) {
	if n, how := j.clock.compare(a.event, b.event); n != 0 {
		return n, how
	}
	return j.prefer(a, b)
}

// prefer decides between two candidates of one moment, or of moments that
// cannot be compared: the kernel and the device speak before what they set off,
// and whoever waits speaks last; then, of one log, the line above; else the rank
// that had come less far, the one that others name, the kind of the line, and
// times that lie close together.
func (j *judge) prefer(a, b *candidate) (int, string) {
	ka, kb := kindOf(a), kindOf(b)
	if ka != kb && (min(ka, kb) <= byHardware || max(ka, kb) == byWaiting) {
		return cmp.Compare(ka, kb), byKind
	}
	if oneLog(a.event, b.event) {
		return j.clock.nearly(a.event, b.event)
	}
	if n := j.behind(a, b); n != 0 {
		return n, byStep
	}
	if n := j.named(a) - j.named(b); n != 0 {
		return -sign(n), byPointer
	}
	if ka != kb {
		return cmp.Compare(ka, kb), byKind
	}
	return j.clock.nearly(a.event, b.event)
}

// kind orders what failed at one moment.
type kind uint8

const (
	byRecord    kind = iota // records of the kernel and the driver
	byHardware              // lines that tell of hardware or memory
	byException             // exceptions
	byLine                  // other lines
	byWaiting               // what waits for others, or names nothing
)

func kindOf(c *candidate) kind {
	switch {
	case c.event.Quote.Kind == source.Kernel || c.event.Rule.Family == "nvidia-driver" || c.event.Rule.Only == rules.Kernel:
		return byRecord
	case c.cause == "device-fault" || c.cause == "host-oom":
		return byHardware
	case waitCauses[c.cause] && !c.ofTool() || c.vague():
		return byWaiting
	case c.trace != nil:
		return byException
	}
	return byLine
}

// behind compares how far two ranks had come when they printed two candidates.
// Ranks of one job do a step together, so the one that stopped at a lower step
// stopped first. 0 when the steps do not tell: a rank that logs every hundredth
// step is behind only when it missed one that it would have printed.
func (j *judge) behind(a, b *candidate) int {
	if a.event.Stream == b.event.Stream || !rankKnown(a) || !rankKnown(b) {
		return 0
	}
	la, sa := reached(a.event)
	lb, sb := reached(b.event)
	switch {
	case la <= 0 || lb <= 0 || a.event.Attempt != b.event.Attempt:
		return 0
	case la+sa <= lb:
		return -1
	case lb+sb <= la:
		return 1
	}
	return 0
}

// reached gives the last step that an event's stream printed before it, and how
// far apart the stream prints steps; 0 when it printed fewer than two.
func reached(e *scan.Event) (last, stride int64) {
	var steps []int64
	for _, m := range e.Stream.Progress {
		if m.Seq < e.Seq && m.Attempt == e.Attempt && m.Step > 0 {
			steps = append(steps, m.Step)
		}
	}
	if len(steps) < 2 {
		return 0, 0
	}
	for i := 1; i < len(steps); i++ {
		stride = max(stride, steps[i]-steps[i-1])
	}
	return steps[len(steps)-1], stride
}

// grounds lists what the order of the root before the other candidates rests
// on, the surest first. What is merely the same failure again counts where it
// decides on which rank that was first.
func (j *judge) grounds(root *candidate) []string {
	used := map[string]bool{}
	for _, c := range j.all {
		again := c.fate != nil && c.fate.Code == "same-failure" && rankOfEvent(c) != rankOfEvent(root)
		if c.tier == echo || c.fate != nil && !again {
			continue
		}
		n, how := j.order(root, c)
		if n < 0 && (how != byKind || c.tier == root.tier) { // the weaker lost by what it is
			used[how] = true
		}
	}
	var all []string
	for _, g := range []string{byPosition, byTime, bySkew, byStep, byPointer, byKind} {
		if used[g] {
			all = append(all, g)
		}
	}
	return all
}
