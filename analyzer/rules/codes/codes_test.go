package codes

import (
	"strings"
	"testing"
	"unicode"

	"hcloud-modelarts/analyzer/rules"
)

// TestTables: every row says what it means in both languages, points at a cause
// that exists, and names its source.
func TestTables(t *testing.T) {
	for _, table := range append([]Table{cannModule}, Tables...) {
		rows, err := read(table)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) < 15 {
			t.Errorf("%s holds only %d rows", table, len(rows))
		}
		seen := map[string]bool{}
		for _, e := range rows {
			checkRow(t, e)
			key := e.Code
			if table == ModelArts {
				key += e.Name // unique with the HTTP status only
			}
			if seen[key] {
				t.Errorf("%s: %s stands twice", table, e.Code)
			}
			seen[key] = true
		}
	}
}

func checkRow(t *testing.T, e Entry) {
	t.Helper()
	if e.Code == "" || e.Meaning.EN == "" || e.Source == "" {
		t.Errorf("%s: %q lacks a code, a meaning or a source", e.Table, e.Code)
	}
	if !han(e.Meaning.ZH) && e.Table != cannModule || han(e.Meaning.EN) || han(e.Fix.EN) {
		t.Errorf("%s %s: the languages are mixed: %+v", e.Table, e.Code, e.Meaning)
	}
	if (e.Fix.ZH == "") != (e.Fix.EN == "") {
		t.Errorf("%s %s: the fix is in one language only", e.Table, e.Code)
	}
	if _, ok := rules.CauseOf(e.Cause); e.Cause != "" && !ok {
		t.Errorf("%s %s: there is no cause %q", e.Table, e.Code, e.Cause)
	}
	for _, s := range []string{e.Code, e.Name, e.Meaning.ZH, e.Meaning.EN, e.Fix.ZH, e.Fix.EN} {
		if strings.TrimSpace(s) != s {
			t.Errorf("%s %s: blanks around %q", e.Table, e.Code, s)
		}
	}
}

func han(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// names gives the tables that have a reading.
func names(r Result) string {
	var list []string
	for _, e := range r.Readings {
		list = append(list, string(e.Table)+"/"+e.Cause)
	}
	return strings.Join(list, " ")
}

func TestLookup(t *testing.T) {
	for text, want := range map[string]string{
		"137":                "exit/killed errno/none xid/device-fault",
		"exit code 137":      "exit/killed",
		"return code: 139":   "exit/segfault",
		"Xid 79":             "xid/device-fault",
		"13":                 "signal/network-error errno/permission-denied xid/device-illegal-access hccl/collective-error",
		"-9":                 "exit/killed",
		"247":                "exit/killed",
		"245":                "exit/segfault",
		"249":                "exit/shm-exhausted",
		"153":                "exit/disk-full xid/none",
		"SIGKILL":            "signal/killed",
		"segv":               "signal/segfault",
		"ENOSPC":             "errno/disk-full",
		"errno 28":           "errno/disk-full",
		"EI0002":             "cann/collective-timeout",
		"ei0002":             "cann/collective-timeout",
		"507015":             "acl/device-execution-failed",
		"ERR00006":           "torchnpu/device-oom",
		"ERR02200":           "torchnpu/collective-error",
		"ModelArts.2785":     "modelarts/credential-failed",
		"2785":               "modelarts/credential-failed",
		"modelarts 0203":     "modelarts/credential-failed modelarts/credential-failed",
		"HCCL 9":             "hccl/collective-timeout",
		"ModelArts.50004000": "modelarts/config-invalid",
	} {
		got := names(Lookup(text))
		if text == "137" || text == "153" { // whatever else has the number, these readings come first
			want = strings.Fields(want)[0]
			got = strings.Fields(got)[0]
		}
		if got != want {
			t.Errorf("Lookup(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestUnknown: what no table has gets no meaning.
func TestUnknown(t *testing.T) {
	for _, text := range []string{"1.015", "ModelArts.1015", "1015", "EI0999", "ERR09999", "exit code 77", "Xid 999", "-99", "SIGFOO", "200", "999999"} {
		r := Lookup(text)
		if len(r.Readings) > 0 {
			t.Errorf("%q has a meaning: %+v", text, r.Readings)
		}
		if !r.Looks {
			t.Errorf("%q is not taken for a code", text)
		}
	}
	if p := Lookup("EI0999").Part; !strings.Contains(p.EN, "HCCL") {
		t.Errorf("the part of EI0999 is %q", p.EN)
	}
	for _, text := range []string{"", "device-oom", "RuntimeError: CUDA out of memory", "Errors were found", "error"} {
		if r := Lookup(text); r.Looks || len(r.Readings) > 0 {
			t.Errorf("%q is taken for a code", text)
		}
	}
}

func TestIn(t *testing.T) {
	for line, want := range map[string]string{
		"[Modelarts Service Log]Training end with return code: 137":                  "Exit 137",
		"OSError: [Errno 28] No space left on device":                                "28",
		"NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.":         "79",
		"NPU function error: aclrtSynchronizeStream, error code is 507015":           "507015",
		"Communication_Error_Timeout(EI0002): The wait execution of the Notify":      "EI0002",
		"[ERROR] 2025-01-02-03:04:05 (PID:1, Device:0, RankID:0) ERR02200 DIST call": "ERR02200",
		"ModelArts.2785: You cannot use ModelArts":                                   "ModelArts.2785",
		"step 137 loss 2.5": "",
	} {
		var got []string
		for _, e := range In(line) {
			got = append(got, e.Code)
		}
		want = strings.TrimPrefix(want, "Exit ")
		if strings.Join(got, " ") != want {
			t.Errorf("In(%q) = %q, want %q", line, got, want)
		}
	}
}
