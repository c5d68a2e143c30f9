package hcloud

import (
	"context"
	"slices"
	"testing"
	"time"
)

// script answers one output after another.
type script struct {
	outputs []string
	calls   [][]string
}

func (s *script) Run(_ context.Context, args []string) (Output, error) {
	s.calls = append(s.calls, args)
	out := s.outputs[min(len(s.calls), len(s.outputs))-1]
	return Output{Stdout: []byte(out)}, nil
}

const (
	throttled = `{"error_code": "APIGW.0308", "error_msg": "slow down"}`
	broken    = `[NETWORK_ERROR]Connection timed out`
	fine      = `{"a": 1}`
)

func TestRetries(t *testing.T) {
	var waits []int
	run := func(read bool, outputs ...string) (Answer, int) {
		s := &script{outputs: outputs}
		waits = nil
		r := Runner{Program: s, Options: []string{"--cli-region=cn-north-4"}, Retries: 2, Now: time.Now,
			Wait: func(_ context.Context, retry int) error { waits = append(waits, retry); return nil }}
		a := r.Do(t.Context(), Call{Operation: "Op", Params: []string{"--x=1"}, Read: read})
		if want := []string{"ModelArts", "Op", "--x=1", "--cli-region=cn-north-4"}; !slices.Equal(s.calls[0], want) {
			t.Errorf("arguments %q", s.calls[0])
		}
		return a, len(s.calls)
	}
	if a, n := run(true, throttled, broken, fine); a.Class != OK || n != 3 || a.Tries != 3 || !slices.Equal(waits, []int{0, 1}) {
		t.Errorf("a read after two faults: %q, %d calls, waits %v", a.Class, n, waits)
	}
	if a, n := run(true, broken); a.Class != NetworkError || n != 3 || a.Unknown {
		t.Errorf("a read that always fails: %q, %d calls", a.Class, n)
	}
	if a, n := run(true, `{"error_code": "ModelArts.2788", "error_msg": "bad"}`, fine); a.Class != APIError || n != 1 {
		t.Errorf("a refused read is repeated: %d calls", n)
	}
	if a, n := run(false, broken, fine); n != 1 || !a.Unknown {
		t.Errorf("a write after a network fault: %d calls, unknown %v", n, a.Unknown)
	}
	if a, n := run(false, throttled, fine); n != 1 || a.Unknown {
		t.Errorf("a throttled write: %d calls, unknown %v", n, a.Unknown)
	}
	if a, _ := run(false, fine); a.Unknown || a.Class != OK {
		t.Errorf("a write: %+v", a)
	}
}

func TestRetryEndsWithTheContext(t *testing.T) {
	s := &script{outputs: []string{throttled}}
	r := Runner{Program: s, Retries: 5, Now: time.Now, Wait: func(context.Context, int) error { return context.Canceled }}
	if a := r.Do(t.Context(), Call{Operation: "Op", Read: true}); a.Class != Interrupted || len(s.calls) != 1 {
		t.Errorf("%q after %d calls", a.Class, len(s.calls))
	}
}

func TestBackoff(t *testing.T) {
	var got []time.Duration
	sleep := func(_ context.Context, d time.Duration) error { got = append(got, d); return nil }
	for _, random := range []float64{0, 0.5} {
		wait := Backoff(time.Second, 5*time.Second, func() float64 { return random }, sleep)
		for retry := range 4 {
			if err := wait(t.Context(), retry); err != nil {
				t.Fatal(err)
			}
		}
	}
	ms := time.Millisecond
	want := []time.Duration{500 * ms, 1000 * ms, 2000 * ms, 2500 * ms, 750 * ms, 1500 * ms, 3000 * ms, 3750 * ms}
	if !slices.Equal(got, want) {
		t.Errorf("waits %v, want %v", got, want)
	}
}

func TestProbeVersion(t *testing.T) {
	for out, want := range map[string]struct {
		version Version
		class   Class
	}{
		"当前KooCLI版本:7.2.12\n":                {Version{7, 2, 12}, OK},
		"Current KooCLI version: 7.2.2\nx\n": {Version{7, 2, 2}, OK},
		"Current KooCLI version:6.2.9":       {Version{6, 2, 9}, OK},
		"hcloud 1.67.0\n":                    {Version{}, OtherProgram},
		"hcloud 1.67.0-dev\n":                {Version{}, OtherProgram},
		"something else\n":                   {Version{}, OtherProgram},
		"[USE_ERROR]The --version parameter format must be '--param=value'.": {Version{}, UseError},
		"同意并继续使用(y)/不同意并退出(N): [USE_ERROR]您输入的是无效字符":                         {Version{}, NoConsent},
	} {
		s := &script{outputs: []string{out}}
		v, a := ProbeVersion(t.Context(), s)
		if v != want.version || a.Class != want.class || !slices.Equal(s.calls[0], []string{"version"}) {
			t.Errorf("%q: %v %q", out, v, a.Class)
		}
	}
	if (Version{7, 2, 12}).Compare(Oldest) <= 0 || (Version{6, 9, 9}).Compare(Oldest) >= 0 || Oldest.Compare(Oldest) != 0 || Oldest.String() != "7.2.2" {
		t.Error("versions are not compared number by number")
	}
}

func TestProbeConfig(t *testing.T) {
	list := `{"language": "cn", "current": "test", "profiles": [
  {"name": "test", "mode": "AKSK", "accessKeyId": "8NV****IOV", "secretAccessKey": "****", "securityToken": "", "region": "cn-north-4", "projectId": "p", "readTimeout": 10},
  {"name": "bare", "mode": "AKSK", "accessKeyId": "", "secretAccessKey": "", "region": ""},
  {"name": "vm", "mode": "ecsAgency", "projectId": "****"}]}`
	c, a := ProbeConfig(t.Context(), &script{outputs: []string{list}})
	want := []Profile{{"test", "AKSK", "cn-north-4", true, true, "p"}, {"bare", "AKSK", "", false, false, ""}, {"vm", "ecsAgency", "", true, true, ""}}
	if a.Class != OK || !slices.Equal(c.Profiles, want) || c.Language != "cn" {
		t.Errorf("%q %+v", a.Class, c)
	}
	if p, ok := c.Profile(""); !ok || p.Name != "test" {
		t.Errorf("current profile %+v", p)
	}
	if _, ok := c.Profile("none"); ok {
		t.Error("there is a profile that is not there")
	}
	if len(a.Stdout)+len(a.Body) > 0 {
		t.Error("the answer keeps the configuration")
	}
}

// TestClockPutBack: no call takes less than no time.
func TestClockPutBack(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	r := Runner{Program: &script{outputs: []string{fine}}, Now: func() time.Time { now = now.AddDate(-1, 0, 0); return now }}
	if a := r.Do(t.Context(), Call{Operation: "Op", Read: true}); a.Class != OK || a.Duration != 0 {
		t.Errorf("%q after %v", a.Class, a.Duration)
	}
}
