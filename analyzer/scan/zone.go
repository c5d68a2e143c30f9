package scan

import (
	"time"

	"hcloud-modelarts/analyzer/source"
)

// zoneTally compares the zoned and the plain times that stand beside one
// another in a document: platform lines carry a zone, most others do not.
type zoneTally struct {
	zoned, plain     time.Time
	zonedAt, plainAt int // Seq
	votes            map[time.Duration]int
}

// near is how many lines may lie between two times that are taken for one moment.
const near = 3

func (z *zoneTally) add(t time.Time, zoned bool, seq int) {
	if zoned {
		z.zoned, z.zonedAt = t, seq
	} else {
		z.plain, z.plainAt = t, seq
	}
	if z.zoned.IsZero() || z.plain.IsZero() || max(z.zonedAt-z.plainAt, z.plainAt-z.zonedAt) > near {
		return
	}
	// The zones of the world lie a multiple of a quarter of an hour apart; two
	// lines may lie a few minutes apart.
	d := z.plain.Sub(z.zoned)
	zone := d.Round(15 * time.Minute)
	if (d-zone).Abs() <= 5*time.Minute && zone.Abs() <= 14*time.Hour && inUse(zone) {
		z.votes[zone]++
	}
}

// inUse reports whether a zone of the world has the offset: whole hours, and the
// few halves and quarters of the tz database.
func inUse(zone time.Duration) bool {
	switch zone {
	case zone.Truncate(time.Hour),
		-9*time.Hour - 30*time.Minute, -3*time.Hour - 30*time.Minute, -2*time.Hour - 30*time.Minute,
		3*time.Hour + 30*time.Minute, 4*time.Hour + 30*time.Minute, 5*time.Hour + 30*time.Minute, 5*time.Hour + 45*time.Minute,
		6*time.Hour + 30*time.Minute, 8*time.Hour + 45*time.Minute, 9*time.Hour + 30*time.Minute, 10*time.Hour + 30*time.Minute,
		12*time.Hour + 45*time.Minute, 13*time.Hour + 45*time.Minute:
		return true
	}
	return false
}

// zone gives the offset from UTC that most pairs show.
func (z *zoneTally) zone() (time.Duration, bool) {
	best, n := time.Duration(0), 0
	for d, v := range z.votes {
		if v > n || v == n && d < best {
			best, n = d, v
		}
	}
	return best, n > 0
}

func (s *Scanner) tally(l *source.Line) {
	if l.Time.IsZero() || l.Kind == source.Event {
		return
	}
	z := s.zones[l.Doc]
	if z == nil {
		if z = s.zones[l.Doc.Log()]; z == nil {
			z = &zoneTally{votes: map[time.Duration]int{}}
			s.zones[l.Doc.Log()] = z
		}
		s.zones[l.Doc] = z
	}
	z.add(l.Time, l.Zoned, s.seq)
}

// endZone keeps of a document, and of the pieces before it, the zone that they
// tell.
func (s *Scanner) endZone(d *source.Document) {
	for ; d != nil; d = d.Before {
		if z := s.zones[d]; z != nil {
			s.keepZone(d, z)
			delete(s.zones, d)
		}
	}
}

func (s *Scanner) keepZone(d *source.Document, z *zoneTally) {
	if zone, ok := z.zone(); ok {
		s.ended.Zones[d] = zone
	}
}
