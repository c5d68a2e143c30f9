package verdict

import (
	"fmt"
	"strings"
	"testing"
)

// caughtIn is a traceback that begins where an exception was caught.
func caughtIn(exception string) string {
	return `Traceback (most recent call last):
  File "/home/ma-user/modelarts/user-job-dir/app/data.py", line 40, in __getitem__
    return read(i)
` + exception
}

// stepLines are so many lines with a step, from one on.
func stepLines(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "2026-03-01 10:%02d:00,000 INFO step %d loss 1.%d\n", from+i, from+i, 70-from-i)
	}
	return b.String()
}

// TestHabits: what a program catches again and again, or says that it does without,
// is not why it ended, even where it stands last; what it met once may be.
func TestHabits(t *testing.T) {
	const (
		wrong = "\n[Modelarts Service Log]Training end with return code: 1"
		well  = "\n[Modelarts Service Log]Training end with return code: 0"
		told  = "2026-03-01 10:30:10,000 ERROR sample 7 is not readable, trying another one\n"
		plain = "2026-03-01 10:30:10,000 ERROR sample 7 is not readable\n"
	)
	damaged := caughtIn("zlib.error: Error -3 while decompressing data: incorrect header check")
	end := raised("KeyError: 'label'")
	for _, c := range []struct {
		name, log, cause string
		confidence       Confidence
	}{
		{"as before, then the end", stepLines(1, 5) + plain + damaged + "\n" + stepLines(6, 5) + plain + damaged + "\n" + end + wrong, "key-error", High},
		{"as before, printed without a record", stepLines(1, 5) + damaged + "\n" + stepLines(6, 5) + damaged + "\n" + end + wrong, "key-error", High},
		{"as before, and the job ended well", stepLines(1, 5) + plain + damaged + "\n" + stepLines(6, 5) + plain + damaged + well, "none", High},
		{"as before, and nothing else", stepLines(1, 5) + plain + damaged + "\n" + stepLines(6, 5) + plain + damaged + wrong, "data-corrupt", High},
		{"as before, but no longer caught", stepLines(1, 5) + plain + damaged + "\n" + stepLines(6, 5) + raised("zlib.error: Error -3 while decompressing data: incorrect header check") + wrong, "data-corrupt", High},
		{"for the first time, with words of what it does instead", stepLines(1, 5) + told + damaged + "\n" + end + wrong, "key-error", High},
		{"for the first time, without such words", stepLines(1, 5) + plain + damaged + "\n" + end + wrong, "data-corrupt", Medium},
		{"for the first time, with such words, and the job ended well", stepLines(1, 5) + told + damaged + well, "none", High},
		{"for the first time, without such words, and the job ended well", stepLines(1, 5) + plain + damaged + well, "data-corrupt", Medium},
		{"such words above what came up to the main module", stepLines(1, 5) + told + end + well, "key-error", Medium},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log + "\n"}}); v.Cause != c.cause || v.Confidence != c.confidence {
			t.Errorf("%s: %s/%s, want %s/%s", c.name, v.Cause, v.Confidence, c.cause, c.confidence)
		}
	}
}

// TestLastWord: few lines with a step behind a traceback of the main module are the
// last words of a program that failed; more of them, a death of another kind or an
// end without a failure are not.
func TestLastWord(t *testing.T) {
	const wrong = "[Modelarts Service Log]Training end with return code: 1\n"
	end := raised("KeyError: 'label'") + "\n"
	for _, c := range []struct{ name, log, cause string }{
		{"two lines", stepLines(1, 5) + end + "step 5: val loss 2.31\nstep 5: train loss 2.01\n" + wrong, "key-error"},
		{"many lines", stepLines(1, 5) + end + stepLines(6, 9) + wrong, "unknown"},
		{"killed", stepLines(1, 5) + end + stepLines(6, 2) + "run.sh: line 12:   211 Killed                  python a.py\n[Modelarts Service Log]Training end with return code: 137\n", "killed"},
		{"a crash", stepLines(1, 5) + end + stepLines(6, 2) + "[Modelarts Service Log]Training end with return code: 139\n", "segfault"},
		{"four lines", stepLines(1, 5) + end + stepLines(6, 4) + wrong, "key-error"},
		{"five lines", stepLines(1, 5) + end + stepLines(6, 5) + wrong, "unknown"},
		{"far from the end of the log", stepLines(1, 5) + end + stepLines(6, 2) + strings.Repeat("all is well\n", lastLines) + wrong, "unknown"},
		{"no end", stepLines(1, 5) + end + stepLines(6, 2), "none"},
		{"caught further down", stepLines(1, 5) + caughtIn("KeyError: 'label'") + "\n" + stepLines(6, 2) + wrong, "unknown"},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause {
			t.Errorf("%s: %s, want %s", c.name, v.Cause, c.cause)
		}
	}
}
