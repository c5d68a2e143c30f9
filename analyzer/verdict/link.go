package verdict

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
)

// link is a connection between two devices that a transfer was lost on, each end
// as server/device, or as the server alone. The local end is "" when the line
// tells only the peer.
type link struct{ local, remote string }

// rdmaEnd reads an end as HCCL prints it: "server 10.1.0.1, device ID 0",
// "server[10.1.0.1],deviceId[0]".
var rdmaEnd = lazy.Regexp(`server[ \[]([0-9A-Za-z.:-]+)\]?, ?device ?I[dD][ \[](\d+)`)

// links gathers the connections that the ranks report as broken.
func (j *judge) links() []link {
	var all []link
	add := func(l link) {
		if !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	for _, c := range j.all {
		if c.cause != "collective-error" {
			continue
		}
		if ends := rdmaEnd().FindAllStringSubmatch(c.event.Quote.Text, 2); len(ends) == 2 {
			add(link{ends[0][1] + "/" + ends[0][2], ends[1][1] + "/" + ends[1][2]})
		} else if peer, _, _ := strings.Cut(c.event.Values.Get("peer"), "<"); peer != "" {
			add(link{cmp.Or(c.event.Quote.Node, taskOf(c.event)), peer})
		}
	}
	return all
}

// commonEnd says at which device most of the broken links end: with several
// links that is where to look. Nothing with one link, whose line names both ends,
// nor when two devices are in equally many.
func commonEnd(links []link) *Reason {
	ends := map[string]int{}
	for _, l := range links {
		ends[l.remote]++
		if l.local != "" && l.local != l.remote {
			ends[l.local]++
		}
	}
	var best string
	var tie bool
	most := 1
	for _, e := range slices.Sorted(maps.Keys(ends)) {
		switch n := ends[e]; {
		case n > most:
			best, most, tie = e, n, false
		case n == most:
			tie = true
		}
	}
	if best == "" || tie {
		return nil
	}
	return &Reason{"common-end", map[string]string{"end": best, "count": strconv.Itoa(most), "links": strconv.Itoa(len(links))}}
}

// located is the device that all heartbeats name, with its rank where a log
// tells it.
func (j *judge) located() *awaited {
	location := ""
	for _, c := range j.all {
		at := c.event.Values.Get("location")
		if !c.event.Rule.Tells(rules.FailedDevice) || at == "" {
			continue
		}
		if location != "" && location != at {
			return nil
		}
		location = at
	}
	if location == "" {
		return nil
	}
	a := &awaited{basis: "named-device", args: map[string]string{"device": location}}
	_, id, _ := strings.Cut(location, "/")
	device, err := strconv.Atoi(id)
	if err != nil {
		return a
	}
	for _, s := range j.c.Found.Streams {
		if s.Rank >= 0 && s.Doc.Device == device && !slices.Contains(a.ranks, s.Rank) {
			a.ranks = append(a.ranks, s.Rank)
		}
	}
	if len(a.ranks) > 1 { // several nodes have a device of that number
		a.ranks = nil
	}
	if len(a.ranks) > 0 {
		a.args["ranks"] = joinInts(a.ranks)
	}
	return a
}
