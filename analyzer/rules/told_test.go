package rules

import "testing"

// TestTellsException: a label before the exception has to speak of a failure,
// unless the line is an error by its level.
func TestTellsException(t *testing.T) {
	for _, tt := range []struct {
		text          string
		isError, want bool
	}{
		{"run failed: KeyError: 'label'", false, true},
		{"Uncaught exception: app.errors.ShardError: no 7", false, true},
		{"main: KeyError: 'label'", true, true},
		{"main: KeyError: 'label'", false, false},
		{"loaded handler for ValueError: default", false, false},
		{"on_error=KeyError: retry", true, false},
		{"KeyError: 'label'", true, false},
	} {
		if got := TellsException(tt.text, tt.isError); got != tt.want {
			t.Errorf("%q (error %v): %v, want %v", tt.text, tt.isError, got, tt.want)
		}
	}
}
