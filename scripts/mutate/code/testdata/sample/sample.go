// Package sample is changed by the test of the command.
package sample

// Grade names what points out of 100 are.
func Grade(points int, late bool) string {
	points = min(points, 100)
	if late {
		points -= 10
	}
	best := 0
	for i := range 4 {
		if best == 3 {
			break // nothing is better
		}
		if !reached(points, i) {
			continue
		}
		best = i
	}
	return []string{"failed", "passed", "good", "perfect"}[best]
}

func reached(points, grade int) bool {
	switch {
	case points < 0:
		return false
	case grade == 3:
		return points-10 >= 90 && points > 0
	}
	return points >= 10+grade*20
}
