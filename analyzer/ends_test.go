package analyzer

import (
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// However a launcher, a shell, a scheduler or a runtime tells it, what ended a
// process is the same, and never more than likely when nothing else tells why.
func TestEndsOfProcesses(t *testing.T) {
	tests := []struct{ line, cause, confidence string }{
		{"Process finished with exit code 137 (interrupted by signal 9:SIGKILL)", "killed", "MEDIUM"},
		{"Process finished with exit code -1073741819 (0xC0000005)", "segfault", "MEDIUM"},
		{"trainer exited with code 139", "segfault", "MEDIUM"},
		{"[ModelArts Service Log]Training end with return code: -9", "killed", "MEDIUM"},
		{"[ModelArts Service Log]Training end with return code: -11", "segfault", "MEDIUM"},
		{"[ModelArts Service Log]Training end with return code: -15", "unknown", "LOW"},
		{"failed (exitcode: -9) local_rank: 3 (pid: 4127) of binary: /usr/bin/python", "killed", "MEDIUM"},
		{"failed (exitcode: -6) local_rank: 3 (pid: 4127) of binary: /usr/bin/python", "unknown", "LOW"},
		{"subprocess.CalledProcessError: Command '['python', 'train.py']' died with <Signals.SIGKILL: 9>.", "killed", "MEDIUM"},
		{`level=error msg="training failed: signal: killed"`, "killed", "MEDIUM"},
		{"child process 4127 was terminated by signal 9: Killed", "killed", "MEDIUM"},
		{"YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)", "killed", "MEDIUM"},
		{"srun: error: node-2: task 3: Bus error", "shm-exhausted", "MEDIUM"},
		{"4127               bert     FAILED      0:9 ", "killed", "MEDIUM"},
		{"Exited with signal termination: 9.", "killed", "MEDIUM"},
		{"    Exit_status = 265", "killed", "MEDIUM"},
		{"train.service: Main process exited, code=dumped, status=11/SEGV", "segfault", "MEDIUM"},
		{"Process 4127 (python) of user 1000 terminated abnormally with signal 11/SEGV, processing...", "segfault", "MEDIUM"},
		{"      Exit Code:    139", "segfault", "MEDIUM"},
		{"      exitCode: 127", "startup-command-failed", "MEDIUM"},
		{"train.service: Failed with result 'oom-kill'.", "host-oom", "HIGH"},
		{"=>> PBS: job killed: walltime 86408 exceeded limit 86400", "job-timeout", "HIGH"},
		{"trainer exited with code 1", "unknown", "LOW"},
		{"trainer exited with code 0", "none", "MEDIUM"},
	}
	tables := scan.Prepare(rules.Default())
	for _, tt := range tests {
		reports, err := Diagnose([]source.Root{{Name: "-", Reader: strings.NewReader("step 1 loss 2.1\nstep 2 loss 2.0\n" + tt.line + "\n")}}, Options{Lang: "en", Tables: tables})
		if err != nil {
			t.Errorf("%s: %v", tt.line, err)
			continue
		}
		if r := reports[0]; r.Cause != tt.cause || string(r.Confidence) != tt.confidence {
			t.Errorf("%s: %s (%s), want %s (%s): %s", tt.line, r.Cause, r.Confidence, tt.cause, tt.confidence, r.Summary)
		}
	}
}
