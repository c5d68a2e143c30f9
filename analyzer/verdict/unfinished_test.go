package verdict

import "testing"

// TestUnfinished: what a command would have made is missing because it was killed;
// one that makes something else leaves a doubt, and none that came later counts.
func TestUnfinished(t *testing.T) {
	miss := raised("FileNotFoundError: [Errno 2] No such file or directory: '/cache/wiki/train_text.idx'")
	killed := "run.sh: line 9:   211 Killed                  python "
	for _, c := range []struct {
		name, log, cause string
		confidence       Confidence
		rivals           int
	}{
		{"the prefix of the file", lines(killed+"prep.py --in /data/wiki.jsonl --out-prefix /cache/wiki/train", miss), "killed", Medium, 0},
		{"the folder of the file", lines(killed+"prep.py --out /cache/wiki", miss), "killed", Medium, 0},
		{"a crash", lines("run.sh: line 9:   211 Segmentation fault      (core dumped) python prep.py --out /cache/wiki", miss), "segfault", Medium, 0},
		{"another folder", lines(killed+"monitor.py --log /cache/monitor", miss), "file-missing", Medium, 1},
		{"a mere root of folders", lines(killed+"monitor.py --log /cache", miss), "file-missing", Medium, 1},
		{"no command", lines("Killed", miss), "file-missing", Medium, 1},
		{"an end that misses nothing", lines(killed+"prep.py --out /cache/wiki", raised("KeyError: 'label'")), "key-error", High, 0},
		{"after the failure", lines(miss, killed+"prep.py --out /cache/wiki"), "file-missing", High, 0},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}})
		if v.Cause != c.cause || v.Confidence != c.confidence || len(v.Alternatives) != c.rivals {
			t.Errorf("%s: %s/%s with %d rivals, want %s/%s with %d", c.name, v.Cause, v.Confidence, len(v.Alternatives), c.cause, c.confidence, c.rivals)
		}
	}
}
