package sample

import "testing"

func TestGrade(t *testing.T) {
	for want, points := range map[string]int{"failed": 29, "passed": 30, "good": 99, "perfect": 120} {
		if got := Grade(points, false); got != want {
			t.Errorf("%d points are %s, want %s", points, got, want)
		}
	}
	if got := Grade(39, true); got != "failed" {
		t.Errorf("39 points too late are %s", got)
	}
}
