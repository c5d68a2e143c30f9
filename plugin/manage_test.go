package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hcloud-modelarts/plugin/hcloud"
	"hcloud-modelarts/plugin/operations"
	"hcloud-modelarts/plugin/operations/optest"
)

// service answers calls in hcloud's place and keeps them.
type service struct {
	t       *testing.T
	answers map[string]string // by operation; a missing one is an empty object
	fail    map[string]error
	calls   []operations.Request
	args    [][]string
}

// Run reads a command as hcloud does, and checks that it is one that hcloud
// takes.
func (s *service) Run(_ context.Context, args []string) (hcloud.Output, error) {
	if args[0] == "configure" {
		return hcloud.Output{Stdout: []byte(`{"current": "default", "profiles": [{"name": "default", "region": "cn-north-4", "accessKeyId": "*", "secretAccessKey": "*"}, {"name": "prod", "region": "cn-east-3", "projectId": "p-prod", "accessKeyId": "*", "secretAccessKey": "*"}]}`)}, nil
	}
	req := recorded(s.t, args, nil)
	s.calls, s.args = append(s.calls, *req), append(s.args, args)
	if err := s.fail[req.Operation.Name]; err != nil {
		return hcloud.Output{}, err
	}
	answer, ok := s.answers[req.Operation.Name]
	if !ok {
		answer = "{}"
	}
	return hcloud.Output{Stdout: []byte(answer)}, nil
}

// names are the operations that were called.
func (s *service) names() []string {
	var names []string
	for _, c := range s.calls {
		names = append(names, c.Operation.Name)
	}
	return names
}

// recorded reads the arguments of a call; input is the content of the file that
// they name, when it is gone by now.
func recorded(t *testing.T, args []string, input []byte) *operations.Request {
	t.Helper()
	op := operations.Default().Find(args[1])
	if op == nil || op.Service != args[0] {
		t.Fatalf("hcloud was called with %q", args)
	}
	var list []operations.Argument
	for _, a := range args[2:] {
		name, value, ok := strings.Cut(strings.TrimPrefix(a, "--"), "=")
		if !ok || !strings.HasPrefix(a, "--") {
			t.Fatalf("hcloud does not take %q", a)
		}
		switch {
		case name == "cli-jsonInput" && input == nil:
			var err error
			if input, err = os.ReadFile(value); err != nil {
				t.Fatal(err)
			}
		case !strings.HasPrefix(name, "cli-"):
			list = append(list, operations.Argument{Name: name, Value: value})
		}
	}
	req, problems := op.Build(list, input)
	if operations.Fatal(problems) {
		t.Fatalf("hcloud was called with %q: %+v", args, problems)
	}
	return req
}

// manage runs the program with a service in hcloud's place and a person who
// gives answers, or nobody when there are none.
func manage(t *testing.T, s *service, answers []string, args ...string) outcome {
	t.Helper()
	return manageWith(t, s, answers, "", args...)
}

func manageWith(t *testing.T, s *service, answers []string, stdin string, args ...string) outcome {
	t.Helper()
	s.t = t
	var out, errs bytes.Buffer
	now := time.Date(2026, 6, 2, 9, 0, 0, 0, time.UTC)
	c := &console{
		ctx: t.Context(), env: map[string]string{"USER": "tester", "XDG_DATA_HOME": journalHome(t)}, stdin: strings.NewReader(stdin), stdout: &out, stderr: &errs,
		zone: time.UTC, calls: s, world: realWorld(),
	}
	c.now = func() time.Time { now = now.Add(time.Second); return now }
	c.sleep = func(context.Context, time.Duration) error { return nil }
	if answers != nil {
		c.ask = func(prompt string) (string, error) {
			errs.WriteString(prompt + "\n")
			if len(answers) == 0 {
				t.Fatalf("an answer too few: %q", prompt)
			}
			answer := answers[0]
			answers = answers[1:]
			return answer, nil
		}
	}
	code := c.run(args)
	return outcome{code, out.String(), errs.String()}
}

var homes = map[string]string{}

func journalHome(t *testing.T) string {
	if homes[t.Name()] == "" {
		homes[t.Name()] = t.TempDir()
	}
	return homes[t.Name()]
}

// running is a job in the state that every write on a job takes.
const running = `{"metadata": {"id": "3faf5c03-aaa1-4cbe-879d-24b05d997347", "name": "bert-sst2"}, "status": {"phase": "Running", "secondary_phase": "Running"}}`

// willing answers every read so that no trap stops a write.
func willing() *service {
	return &service{answers: map[string]string{
		"ShowTrainingJobDetails":        running,
		"ShowAlgorithmByUuid":           `{"metadata": {"name": "bert-finetune"}}`,
		"ShowTrainingExperimentDetails": `{"metadata": {"name": "sst2"}, "statistic": {"job_count": 0}}`,
		"ShowModel":                     `{"model_name": "sentiment"}`,
		"ListScheduledEvents":           `{"events": [{"id": "event-7f3a", "state": "inquiring", "type": "node_reboot", "nodeName": "n1"}]}`,
		"ShowTrainingJobFlavors":        `{"flavors": [{"flavor_id": "modelarts.kat1.xlarge", "flavor_type": "Ascend", "billing": {"code": "modelarts.kat1.code"}, "flavor_info": {"max_num": 8}}]}`,
		"KeystoneListAuthProjects":      `{"projects": [{"id": "p1", "name": "cn-east-3"}, {"id": "p2", "name": "cn-north-4"}]}`,
		"ListOnDemandResourceRatings":   `{"amount": 21.3, "currency": "CNY", "product_rating_results": [{"id": "1", "amount": 21.3, "official_website_amount": 25.06}]}`,
		"ShowTrainJobTags":              `{"tags": [{"key": "team", "value": "nlp"}]}`,
		"CreateTrainingJob":             `{"metadata": {"id": "b6f1c2de-7a34-4c1e-9d52-0f8e3a9c7d41", "name": "bert-sst2"}, "status": {"phase": "Creating"}}`,
	}}
}

func flags(args []operations.Argument) []string {
	var list []string
	for _, a := range args {
		list = append(list, "--"+a.Name+"="+a.Value)
	}
	return list
}

func times(names []string, name string) int {
	n := 0
	for _, x := range names {
		if x == name {
			n++
		}
	}
	return n
}

// TestEveryWriteAsks: no operation that changes anything is sent before someone
// agreed, and it is sent once.
func TestEveryWriteAsks(t *testing.T) {
	writes := 0
	for _, op := range operations.Default().Training() {
		if !op.Writes() {
			continue
		}
		writes++
		t.Run(op.Name, func(t *testing.T) {
			args := append([]string{"api", op.Name}, flags(optest.Example(op))...)
			s := willing()
			got := manage(t, s, nil, args...)
			if got.code != exitFailed || len(s.calls) > 0 || !strings.Contains(got.stderr, "--yes") {
				t.Errorf("without a terminal and --yes: %+v, %v", got, s.names())
			}
			got = manage(t, s, []string{"no"}, args...)
			if got.code != exitFailed || times(s.names(), op.Name) > 0 || !strings.Contains(got.stderr, "已取消") {
				t.Errorf("refused: %+v, %v", got, s.names())
			}
			for _, want := range []string{op.Says.ZH, op.Undo.ZH, "hcloud ModelArts " + op.Name} {
				if !strings.Contains(got.stderr, want) {
					t.Errorf("the question lacks %q: %s", want, got.stderr)
				}
			}
			agreed := "yes"
			if op.Irreversible {
				s = willing()
				if got := manage(t, s, []string{"yes"}, args...); got.code != exitFailed || times(s.names(), op.Name) > 0 {
					t.Errorf("yes is enough for what cannot be taken back: %+v", got)
				}
				var doc map[string]any
				if err := json.Unmarshal([]byte(s.answers[op.Asks.Read]), &doc); err != nil {
					t.Fatal(err)
				}
				agreed, _ = operations.Search(op.Asks.Name, doc).(string)
			}
			s = willing()
			if got := manage(t, s, []string{agreed}, args...); got.code != exitOK || times(s.names(), op.Name) != 1 {
				t.Errorf("agreed: %+v, %v", got, s.names())
			}
			s = willing()
			if got := manage(t, s, nil, append(args, "--yes")...); got.code != exitOK || times(s.names(), op.Name) != 1 {
				t.Errorf("--yes: %+v, %v", got, s.names())
			}
			s = willing()
			if got := manage(t, s, nil, append(args, "--dry-run")...); got.code != exitOK || len(s.calls) > 0 || !strings.Contains(got.stdout, op.Name) {
				t.Errorf("--dry-run: %+v, %v", got, s.names())
			}
		})
	}
	if writes != 20 {
		t.Errorf("%d operations write", writes)
	}
}

// TestTrapsAreShown: a trap that stops keeps a write from being sent, one that
// warns does not, and both say what is wrong.
func TestTrapsAreShown(t *testing.T) {
	for _, op := range operations.Default().Training() {
		for _, trap := range op.Traps {
			for i, sample := range trap.Met {
				t.Run(fmt.Sprintf("%s/%s/%d", op.Name, trap.ID, i), func(t *testing.T) {
					showTrap(t, op, trap, sample)
				})
			}
		}
	}
}

func showTrap(t *testing.T, op *operations.Operation, trap operations.Trap, sample operations.Sample) {
	s := willing()
	answers(t, s, op, sample)
	args := []string{"api", op.Name}
	body := map[string]any{}
	for name, v := range op.Example { // what the sample does not say
		top, _, _ := strings.Cut(name, ".")
		_, given := sample.Args[name]
		_, inBody := sample.Body[top]
		if p := parameter(op, top); !given && !inBody && (p == nil || p.Required || len(sample.Body) > 0 && p.In == "path") {
			args = append(args, "--"+name+"="+v)
		}
	}
	for name, v := range sample.Args {
		args = append(args, "--"+name+"="+v)
	}
	for name, v := range sample.Body {
		body[name] = v
	}
	complete(op, body)
	stdin := ""
	if len(body) > 0 {
		data, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		stdin, args = string(data), append(args, "--json=-")
	}
	got := manageWith(t, s, nil, stdin, append(args, "--yes", "--no-price", "--region=cn-north-4")...)
	if !strings.Contains(got.stderr, sample.Says) {
		t.Errorf("%v %s: stderr lacks %q: %s", args, stdin, sample.Says, got.stderr)
	}
	if sent := times(s.names(), op.Name) > 0; trap.Level == "stop" && (sent || got.code != exitFailed) {
		t.Errorf("%v %s: sent: %v, exit code %d", args, stdin, sent, got.code)
	}
}

func parameter(op *operations.Operation, name string) *operations.Parameter {
	for i := range op.Parameters {
		if op.Parameters[i].Name == name {
			return &op.Parameters[i]
		}
	}
	return nil
}

// complete adds to a sample's body what the operation requires.
func complete(op *operations.Operation, body map[string]any) {
	for range 3 {
		data, _ := json.Marshal(body)
		_, problems := op.Build(nil, data)
		for _, p := range problems {
			if p.Code != operations.Missing || op.Parameters[0].Name == p.Name {
				continue
			}
			if q := parameter(op, strings.Split(p.Name, ".")[0]); q == nil || q.In != "body" {
				continue
			}
			fill(body, strings.Split(p.Name, "."), p.Want)
		}
	}
}

func fill(v any, path []string, typ string) {
	switch at := v.(type) {
	case []any:
		var i int
		fmt.Sscan(path[0], &i)
		fill(at[i-1], path[1:], typ)
	case map[string]any:
		if len(path) > 1 {
			fill(at[path[0]], path[1:], typ)
			return
		}
		switch {
		case typ == "object":
			at[path[0]] = map[string]any{}
		case strings.HasPrefix(typ, "array"):
			at[path[0]] = []any{map[string]any{}}
		case typ == "integer":
			at[path[0]] = 1
		default:
			at[path[0]] = "x"
		}
	}
}

// answers makes the service answer the reads as the sample says.
func answers(t *testing.T, s *service, op *operations.Operation, sample operations.Sample) {
	t.Helper()
	for _, r := range op.Reads {
		v, ok := sample.Read[r.As]
		if !ok {
			continue
		}
		if r.Pick != nil {
			list := []any{}
			if v != nil {
				list = append(list, picked(op, r, v, sample))
			}
			v = map[string]any{r.Pick.From: list}
		} else if v == nil {
			code := "ModelArts.0000"
			if len(r.Absent) > 0 {
				code = r.Absent[0]
			}
			v = map[string]any{"error_code": code, "error_msg": "not found"}
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		s.answers[r.Operation] = string(data)
	}
	if v, ok := sample.Read["answer"]; ok {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if s.answers[op.Name] = string(data); v == nil {
			s.answers[op.Name] = ""
		}
	}
}

// picked completes an element so that the read picks it.
func picked(op *operations.Operation, r operations.Read, v any, sample operations.Sample) any {
	element, ok := v.(map[string]any)
	if !ok {
		return v
	}
	data, _ := json.Marshal(sample.Body)
	var args []operations.Argument
	for name, value := range sample.Args {
		args = append(args, operations.Argument{Name: name, Value: value})
	}
	req, _ := op.Build(args, data)
	wanted := operations.Search(r.Pick.Wanted, map[string]any(req.Facts()))
	if list, ok := wanted.([]any); ok && len(list) > 0 {
		wanted = list[0]
	}
	if operations.Search(r.Pick.Value, element) != nil && !strings.Contains(r.Pick.Value, "[]") {
		return element
	}
	switch r.Pick.Value {
	case "algorithm.outputs[].remote.obs.obs_url":
		element["algorithm"] = map[string]any{"outputs": []any{map[string]any{"remote": map[string]any{"obs": map[string]any{"obs_url": "obs://b/out"}}}}}
	default:
		element[r.Pick.Value] = wanted
	}
	return element
}

// answersFor are the answers that let a write through: those of willing, about
// what the arguments name.
func answersFor(args []operations.Argument) map[string]string {
	all := willing().answers
	all["ShowPool"] = `{"metadata": {"name": "pool"}, "spec": {"scope": ["Train"], "resources": [{"flavor": "modelarts.vm.gpu.v100"}]}, "status": {"phase": "Running"}}`
	all["ListTrainingJobs"] = `{"items": [], "total": 0}`
	all["ListAlgorithms"] = `{"items": [], "total": 0}`
	all["ListModels"] = `{"models": [], "total_count": 0}`
	all["CheckTrainingExperiment"] = `{"is_duplicate": false}`
	all["ShowSaveImageJob"] = `{"name": "env", "status": "ACTIVE"}`
	for _, a := range args {
		if a.Name == "event_id" {
			all["ListScheduledEvents"] = `{"count": 1, "events": [{"id": ` + quoted(a.Value) + `, "state": "inquiring", "type": "node_reboot", "nodeName": "n1"}]}`
		}
	}
	return all
}

// recordingFor records what a request and the checks before it are answered.
func recordingFor(t *testing.T, op *operations.Operation, args []operations.Argument, answer string) []exchange {
	t.Helper()
	req, problems := op.Build(args, nil)
	if operations.Fatal(problems) {
		t.Fatalf("%s: %+v", op.Name, problems)
	}
	answers := answersFor(args)
	var all []exchange
	add := func(r *operations.Request, answer string) {
		flags, _ := r.Flags()
		all = append(all, exchange{r.Operation.Name, flags, answer})
	}
	asks := func(_ context.Context, r *operations.Request) (any, error) {
		add(r, answers[r.Operation.Name])
		return operations.Decode([]byte(answers[r.Operation.Name]))
	}
	if op.Writes() {
		if _, _, _, err := req.Preflight(t.Context(), operations.Default(), asks); err != nil {
			t.Fatal(err)
		}
		if a := op.Asks; a.Read != "" {
			shown, _ := operations.Default().Find(a.Read).Build([]operations.Argument{{Name: a.ID, Value: req.Text(a.ID)}}, nil)
			add(shown, answers[a.Read])
		}
		all = append(all, exchange{"KeystoneListAuthProjects", nil, answers["KeystoneListAuthProjects"]})
	}
	add(req, answer)
	return append(all, exchange{op.Name, nil, answer}) // as it is sent in a file
}

// sent is a request as it reaches the service.
type sent struct {
	method, path, query string
	body                any
}

// mockService is the service behind the SDK: it answers as a recording does, and
// keeps the requests of one operation.
type mockService struct {
	t       *testing.T
	target  *operations.Operation
	answers map[string]string
	got     []sent
}

func (m *mockService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, _ := io.ReadAll(r.Body)
	body, err := operations.Decode(data)
	if err != nil {
		m.t.Error(err)
	}
	op := m.operation(r)
	if op != nil && op == m.target {
		m.got = append(m.got, sent{r.Method, r.URL.Path, r.URL.Query().Encode(), body})
		io.WriteString(w, `{"status": {}}`)
		return
	}
	if op == nil || op.Writes() {
		m.t.Errorf("%s asks for %s %s", m.target.Name, r.Method, r.URL.Path)
		return
	}
	io.WriteString(w, m.answers[op.Name])
}

// operation finds the one that a request is for: of several paths that fit, the
// one with the fewest parameters.
func (m *mockService) operation(r *http.Request) *operations.Operation {
	var found *operations.Operation
	for _, op := range operations.Default().Operations {
		form := regexp.MustCompile(`\\\{[^/]*\\\}`).ReplaceAllString(regexp.QuoteMeta(op.Path), "[^/]+")
		if op.Method == r.Method && regexp.MustCompile("^"+form+"$").MatchString(r.URL.EscapedPath()) &&
			(found == nil || strings.Count(op.Path, "{") < strings.Count(found.Path, "{")) {
			found = op
		}
	}
	return found
}

// TestBothWaysSendTheSame: each of the 52 operations, with all its parameters and
// all its checks, goes through a real hcloud child, which answers from a
// recording, and through the SDK to a server, as the same request.
func TestBothWaysSendTheSame(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "recording-hcloud")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, stub); err != nil {
		t.Skip(err)
	}
	service := &mockService{t: t}
	server := httptest.NewServer(service)
	defer server.Close()
	writes := 0
	for _, op := range operations.Default().Training() {
		t.Run(op.Name, func(t *testing.T) {
			full, record := optest.Full(op), filepath.Join(t.TempDir(), "calls")
			replayed := caseOf(t, recordingFor(t, op, full, `{"status": {}}`))
			service.t, service.target, service.answers, service.got = t, op, answersFor(full), nil
			env := []string{"HUAWEICLOUD_SDK_AK=a", "HUAWEICLOUD_SDK_SK=s", "HUAWEICLOUD_SDK_PROJECT_ID=p", "HCLOUD_MODELARTS_ENDPOINT=" + server.URL,
				"XDG_DATA_HOME=" + t.TempDir(), "RECORDING=" + record, "REPLAYED=" + replayed}
			args := append([]string{"api", op.Name}, flags(full)...)
			if op.Writes() {
				writes++
				args = append(args, "--yes", "--no-price")
			}
			for _, way := range [][]string{{"--hcloud", stub}, {"--via", "sdk", "--region", "cn-north-4"}} {
				if r := invoke(t, "", env, append(args, way...)...); r.code != exitOK || strings.Contains(r.stderr, "相关检查未进行") {
					t.Fatalf("%v: %+v", way, r)
				}
			}
			req := lastCall(t, record, op)
			want := sent{op.Method, strings.ReplaceAll(op.Path, "{project_id}", "p"), req.Query().Encode(), nil}
			for _, p := range op.Parameters {
				if p.In == "path" {
					want.path = strings.ReplaceAll(want.path, "{"+p.Name+"}", req.Text(p.Name))
				}
			}
			if req.Body != nil {
				want.body = req.Body
			}
			if len(service.got) != 1 {
				t.Fatalf("%d requests", len(service.got))
			}
			if diff := cmp.Diff(want, service.got[0], cmp.AllowUnexported(sent{})); diff != "" {
				t.Errorf("hcloud and the SDK send different requests (-hcloud +SDK):\n%s", diff)
			}
		})
	}
	if writes != 20 {
		t.Errorf("%d writes", writes)
	}
}

// lastCall reads the only call of an operation that hcloud was asked for.
func lastCall(t *testing.T, record string, op *operations.Operation) *operations.Request {
	t.Helper()
	data, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	var found []*operations.Request
	for line := range bytes.Lines(data) {
		var call struct {
			Args  []string
			Input []byte
		}
		if err := json.Unmarshal(line, &call); err != nil {
			t.Fatal(err)
		}
		if len(call.Args) > 1 && call.Args[1] == op.Name {
			found = append(found, recorded(t, call.Args, call.Input))
		}
	}
	if len(found) != 1 {
		t.Fatalf("hcloud was asked %d times", len(found))
	}
	return found[0]
}

// recordingHCloud keeps what it was called with, and answers from a recording.
func recordingHCloud() {
	var call struct {
		Args  []string
		Input []byte
	}
	call.Args = os.Args[1:]
	for _, a := range call.Args {
		if file, ok := strings.CutPrefix(a, "--cli-jsonInput="); ok {
			call.Input, _ = os.ReadFile(file)
		}
	}
	data, err := json.Marshal(call)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(os.Getenv("RECORDING"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			_, err = f.Write(append(data, '\n'))
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		fmt.Println("[CLI_ERROR]" + err.Error())
		return
	}
	os.Exit(run(context.Background(), append([]string{"replay-hcloud", os.Getenv("REPLAYED")}, os.Args[1:]...), os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
