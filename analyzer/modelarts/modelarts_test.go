package modelarts

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPhaseOf(t *testing.T) {
	for word, want := range map[string]Phase{
		"Completed": PhaseCompleted, "Success": PhaseCompleted, "succeeded": PhaseCompleted, "SUCCESSFUL": PhaseCompleted,
		"Failed": PhaseFailed, "error": PhaseFailed, "Timeout": PhaseFailed, "运行失败": PhaseFailed,
		"Abnormal": PhaseAbnormal, "CreateFailed": PhaseAbnormal, "create_failed": PhaseAbnormal, "Lost": PhaseAbnormal,
		"TerminatedFailed": PhaseAbnormal, "JOBSTAT_LOST": PhaseAbnormal,
		"Terminated": PhaseTerminated, "Stopped": PhaseTerminated, "cancelled": PhaseTerminated, "已停止": PhaseTerminated,
		"Pending": PhasePending, "Queuing": PhasePending, "waiting": PhasePending, " Waiting ": PhasePending,
		"Creating": PhaseCreating, "Initializing": PhaseCreating, "init": PhaseCreating,
		"Running": PhaseRunning, "Terminating": PhaseTerminating,
		"": PhaseUnknown, "Unknown": PhaseUnknown, "Hibernating": PhaseUnknown, "Completedd": PhaseUnknown,
	} {
		if got := PhaseOf(word); got != want {
			t.Errorf("PhaseOf(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestNumericPhase(t *testing.T) {
	want := map[string]Phase{
		"0": PhaseUnknown, "1": PhaseCreating, "3": PhaseAbnormal, "5": PhaseAbnormal, "6": PhaseUnknown, "7": PhasePending,
		"8": PhaseRunning, "9": PhaseTerminating, "10": PhaseCompleted, "11": PhaseFailed, "12": PhaseTerminated,
		"13": PhaseTerminated, "14": PhaseAbnormal, "16": PhaseUnknown, "21": PhaseAbnormal, "22": PhaseAbnormal,
		"23": PhaseUnknown, "-1": PhaseUnknown,
	}
	for number, phase := range want {
		for _, form := range []string{number, `"` + number + `"`} {
			v, _, _ := parse([]byte(form), 1, false, false)
			if got := phaseOf(node{&v, nil}); got != phase {
				t.Errorf("status %s = %q, want %q", form, got, phase)
			}
		}
	}
}

func TestPhaseEnd(t *testing.T) {
	for _, p := range []Phase{PhaseUnknown, PhaseCreating, PhasePending, PhaseRunning, PhaseTerminating} {
		if p.Ended() || p.Failed() {
			t.Errorf("%q counts as ended", p)
		}
	}
	for _, p := range []Phase{PhaseCompleted, PhaseFailed, PhaseAbnormal, PhaseTerminated} {
		if !p.Ended() || p.Failed() != (p == PhaseFailed || p == PhaseAbnormal) {
			t.Errorf("%q: ended %t, failed %t", p, p.Ended(), p.Failed())
		}
	}
}

func TestTime(t *testing.T) {
	moment := time.Date(2026, 3, 11, 4, 3, 0, 0, time.UTC)
	for _, c := range []struct {
		json  string
		want  time.Time
		zoned bool
	}{
		{`1773201780`, moment, true}, {`1773201780000`, moment, true}, {`"1773201780000"`, moment, true},
		{`1773201780000000`, moment, true}, {`1773201780000000000`, moment, true}, {`1.77320178e9`, moment, true},
		{`"2026-03-11T12:03:00+08:00"`, moment, true}, {`"2026-03-11T04:03:00Z"`, moment, true},
		{`"2026-03-11T12:03:00.000+0800"`, moment, true}, {`"2026-03-11 12:03:00 +0800"`, moment, true},
		{`"2026-03-11 04:03:00"`, moment, false}, {`"2026/03/11 04:03:00"`, moment, false}, {`"2026-03-11-04:03:00"`, moment, false},
		{`"2026-03-11 04:03:00,250"`, moment.Add(250 * time.Millisecond), false},
		{`0`, time.Time{}, true}, {`-5`, time.Time{}, true}, {`""`, time.Time{}, false}, {`"soon"`, time.Time{}, false},
		{`null`, time.Time{}, false}, {`{}`, time.Time{}, false},
	} {
		v, _, _ := parse([]byte(c.json), 1, false, false)
		got, zoned := node{&v, nil}.time()
		if !got.Equal(c.want) || zoned != c.zoned {
			t.Errorf("time of %s = %v zoned %t, want %v zoned %t", c.json, got, zoned, c.want, c.zoned)
		}
	}
}

func TestJobIDIn(t *testing.T) {
	const id = "91e0a7c4-3d5b-4f62-8a19-0c7e5b2d4f60"
	for text, want := range map[string]string{
		"logs/modelarts-job-" + id + "-worker-0.log":                id,
		"[Pod: modelarts-job-" + strings.ToUpper(id) + "-worker-1]": id,
		id:                       "",
		"modelarts-job-91e0a7c4": "",
		"":                       "",
	} {
		if got := JobIDIn(text); got != want {
			t.Errorf("JobIDIn(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestNoSecrets checks that facts hold nothing that signs a request.
func TestNoSecrets(t *testing.T) {
	for path, fs := range answers(t) {
		for _, f := range fs {
			a, err := Read(f.name, f.data, false)
			if err != nil {
				continue
			}
			for _, fact := range a.Facts {
				if strings.Contains(fact.Value, "SECRET") || strings.Contains(fact.Value, "not-to-be-seen") {
					t.Errorf("%s/%s: fact %s = %s", path, f.name, fact.Key, fact.Value)
				}
			}
		}
	}
}

// TestFields follows the path of every text to the value that it names.
func TestFields(t *testing.T) {
	for path, fs := range answers(t) {
		for _, f := range fs {
			var root any
			if json.Unmarshal(f.data, &root) != nil {
				continue
			}
			a, err := Read(f.name, f.data, false)
			if err != nil {
				t.Fatalf("%s/%s: %v", path, f.name, err)
			}
			for _, x := range a.Texts {
				got := follow(root, x.Field)
				if got == "" && holds(root, x) {
					continue
				}
				if got != x.Text && unescape.Replace(got) != x.Text {
					t.Errorf("%s/%s: %s is %q, want %q", path, f.name, x.Field, got, x.Text)
				}
			}
		}
	}
}

// holds reports whether a text is made of members of the object at its path, or of
// one of that object's frames, as they stand.
func holds(root any, x Text) bool {
	words := x.Text
	if !strings.HasPrefix(words, "{") { // a member with its name
		_, words, _ = strings.Cut(words, ": ")
	}
	var told map[string]any
	if json.Unmarshal([]byte(words), &told) != nil || len(told) == 0 {
		return false
	}
	object, _ := at(root, x.Field).(map[string]any)
	frames, _ := object["frames"].([]any)
	for name, value := range told {
		there := reflect.DeepEqual(object[name], value)
		for _, f := range frames {
			frame, _ := f.(map[string]any)
			there = there || reflect.DeepEqual(frame[name], value)
		}
		if !there {
			return false
		}
	}
	return true
}

var step = regexp.MustCompile(`^(?:\.?([A-Za-z0-9_-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])`)

// follow returns the string at a path, or the lines of a list there; "" when
// something else stands there.
func follow(v any, field string) string {
	switch v := at(v, field).(type) {
	case string:
		return v
	case []any:
		var lines []string
		for _, line := range v {
			lines = append(lines, strings.TrimRight(fmt.Sprint(line), "\n"))
		}
		return strings.Join(lines, "\n")
	}
	return ""
}

// at returns the value at a path, going into JSON that strings hold.
func at(v any, field string) any {
	for field = strings.TrimPrefix(field, "$"); field != ""; {
		if s, ok := v.(string); ok {
			v = nil
			if at := strings.IndexAny(s, `{["`); at >= 0 {
				_ = json.NewDecoder(strings.NewReader(s[at:])).Decode(&v)
			}
			if v == nil {
				return nil
			}
			continue
		}
		m := step.FindStringSubmatch(field)
		if m == nil {
			return nil
		}
		field = field[len(m[0]):]
		switch {
		case m[2] != "":
			i, _ := strconv.Atoi(m[2])
			items, _ := v.([]any)
			if i >= len(items) {
				return nil
			}
			v = items[i]
		default:
			name := m[1]
			if m[3] != "" {
				name, _ = strconv.Unquote(m[3])
			}
			members, _ := v.(map[string]any)
			v = members[name]
		}
	}
	return v
}

// TestReadAt checks that every line moves with the value's own line.
func TestReadAt(t *testing.T) {
	const data = "{\n\"status\": {\n\"phase\": \"Failed\", \"task_statuses\": [\n{\"task\": \"worker-0\", \"exit_code\": 1, \"message\": \"m\"}]}}"
	a, err := ReadAt("d", 100, []byte(data), false)
	if err != nil {
		t.Fatal(err)
	}
	if a.Jobs[0].PhaseAt.Line != 102 || a.Jobs[0].Tasks[0].At.Line != 103 || a.Texts[0].Line != 103 || a.Facts[0].At.Line != 102 {
		t.Errorf("lines of %+v", a)
	}
}

// TestCutAnywhere cuts every answer at every byte: what is read from a part must
// not contradict what is read from the whole.
func TestCutAnywhere(t *testing.T) {
	_, fs := files(t, "testdata/job.txtar")
	_, events := files(t, "testdata/event.txtar")
	for _, f := range append(fs[:1:1], events[0]) {
		whole, err := Read(f.name, f.data, false)
		if err != nil {
			t.Fatal(err)
		}
		data := strings.TrimSpace(string(f.data))
		for end := 1; end < len(data); end++ {
			part, err := Read(f.name, []byte(data[:end]), true)
			if err != nil || !part.Damaged {
				t.Fatalf("%s cut at %d: error %v, damaged %t", f.name, end, err, part.Damaged)
			}
			checkPart(t, fmt.Sprintf("%s cut at %d", f.name, end), whole, part)
		}
	}
}

func checkPart(t *testing.T, name string, whole, part Answer) {
	t.Helper()
	for _, x := range part.Texts {
		if !slices.ContainsFunc(whole.Texts, func(w Text) bool { return w.Field == x.Field && w.Line == x.Line && strings.HasPrefix(w.Text, x.Text) }) {
			t.Errorf("%s: text %q at %s is not in the whole", name, x.Text, x.Field)
		}
	}
	for _, j := range part.Jobs {
		if j.Phase != PhaseUnknown && j.Phase != whole.Jobs[0].Phase {
			t.Errorf("%s: phase %q", name, j.Phase)
		}
		for _, task := range j.Tasks {
			if !slices.ContainsFunc(whole.Jobs[0].Tasks, func(w Task) bool {
				return w.Name == task.Name && (task.ExitCode == nil || w.ExitCode != nil)
			}) {
				t.Errorf("%s: task %+v", name, task)
			}
		}
	}
}

// FuzzRead reads anything: the same twice, texts of lines that are there, and
// jobs that are merged in any order to the same, which merging again leaves.
func FuzzRead(f *testing.F) {
	archives := answers(&testing.T{})
	for _, fs := range archives {
		for _, a := range fs {
			f.Add(a.data, false)
			f.Add(a.data[:len(a.data)/2], true)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, cut bool) {
		a, err := Read("d", data, cut)
		b, again := Read("d", data, cut)
		if (err == nil) != (again == nil) || !reflect.DeepEqual(a, b) {
			t.Errorf("two readings of %q differ", data)
		}
		lines := 1 + strings.Count(string(data), "\n")
		for _, x := range a.Texts {
			if x.Line < 1 || x.Line > lines || x.Field == "" || strings.TrimSpace(x.Text) == "" {
				t.Errorf("text %+v of %d lines", x, lines)
			}
		}
		merged := Merge(a.Jobs)
		slices.Reverse(b.Jobs)
		if back := Merge(b.Jobs); len(back) != len(merged) {
			t.Errorf("the jobs of %q become %d, in another order %d", data, len(merged), len(back))
		}
		if again := Merge(merged); len(again) != len(merged) {
			t.Errorf("the jobs of %q become %d, merged again %d", data, len(merged), len(again))
		}
	})
}

func TestMerge(t *testing.T) {
	const id, other = "91e0a7c4-3d5b-4f62-8a19-0c7e5b2d4f60", "91e0a7c4-3d5b-4f62-8a19-0c7e5b2d4f61"
	read := func(data string) []Job {
		a, err := Read(fmt.Sprintf("d%d", len(data)), []byte(data), false)
		if err != nil {
			t.Fatal(err)
		}
		return a.Jobs
	}
	running := read(`{"metadata": {"id": "` + id + `", "name": "m"}, "status": {"phase": "Running", "duration": 1000, "task_statuses": [{"task": "worker-0", "exit_code": 0}]}, "spec": {"resource": {"pool_id": "p"}}}`)
	failed := read(`{"metadata": {"id": "` + id + `"}, "status": {"phase": "Failed", "duration": 9000, "task_statuses": [{"task": "worker-0", "exit_code": 1}], "tasks": ["worker-0", "worker-10", "worker-2"]}}`)
	events := read(`{"events": [{"time": "2026-03-11T13:17:00+08:00", "level": "Info", "message": "[worker-0] Training finished. Exit code 1."}, {"time": "2026-03-11T13:17:00+08:00", "level": "Info", "message": "[worker-2] Training finished. Exit code 143."}]}`)
	stages := read(`{"stages": [{"job_id": "` + id + `", "name": "running", "start_time": 1773201780, "stage_order": 3}]}`)
	named := read(`{"name": "m", "phase": "Creating", "secondary_phase": "Creating"}`)
	stranger := read(`{"metadata": {"id": "` + other + `", "name": "n"}, "status": {"phase": "Completed"}}`)

	one := Merge(slices.Concat(running, failed, events, stages, named))
	if len(one) != 1 {
		t.Fatalf("%d jobs, want 1: %+v", len(one), one)
	}
	j := one[0]
	if j.ID != id || j.Name != "m" || j.Phase != PhaseFailed || j.Duration != 9*time.Second || j.Pool != "p" || len(j.Stages) != 1 {
		t.Errorf("merged job %+v", j)
	}
	var tasks []string
	for _, task := range j.Tasks {
		code := "?"
		if task.ExitCode != nil {
			code = strconv.Itoa(*task.ExitCode)
		}
		tasks = append(tasks, fmt.Sprintf("%s:%s:%t", task.Name, code, task.Ended.IsZero()))
	}
	if want := []string{"worker-0:1:false", "worker-2:143:false", "worker-10:?:true"}; !slices.Equal(tasks, want) {
		t.Errorf("tasks %v, want %v", tasks, want)
	}

	two := Merge(slices.Concat(stranger, running, events))
	if len(two) != 3 || two[0].ID != id || two[1].ID != other || two[2].ID != "" {
		t.Errorf("of two jobs and a page of events of either: %+v", two)
	}
	if got := Merge(nil); len(got) != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}

// TestMergeOrder checks that what is merged does not depend on the order of the
// answers.
func TestMergeOrder(t *testing.T) {
	var jobs []Job
	for _, archive := range []string{"testdata/job.txtar", "testdata/event.txtar", "testdata/stage.txtar", "testdata/query.txtar", "testdata/log.txtar"} {
		for _, f := range answers(t)[archive] {
			if a, err := Read(archive+f.name, f.data, false); err == nil {
				jobs = append(jobs, a.Jobs...)
			}
		}
	}
	want := Merge(jobs)
	shuffle := rand.New(rand.NewSource(1))
	for range 50 {
		shuffle.Shuffle(len(jobs), func(a, b int) { jobs[a], jobs[b] = jobs[b], jobs[a] })
		if diff := cmp.Diff(want, Merge(jobs)); diff != "" {
			t.Fatalf("another order gives another result:\n%s", diff)
		}
	}
	// The answers of a few of them as if all were of one job.
	one := slices.Clone(jobs)
	for i := range one {
		one[i].ID, one[i].Name = "x", "y"
	}
	want = Merge(one)
	for range 50 {
		shuffle.Shuffle(len(one), func(a, b int) { one[a], one[b] = one[b], one[a] })
		if diff := cmp.Diff(want, Merge(one)); diff != "" {
			t.Fatalf("another order gives another job:\n%s", diff)
		}
	}
	if diff := cmp.Diff(want, Merge(want)); diff != "" {
		t.Errorf("merging what is merged changes it:\n%s", diff)
	}
}

func TestQuestions(t *testing.T) {
	code := func(c int) *int { return &c }
	j := Job{
		Tasks: []Task{{Name: "worker-0", ExitCode: code(143)}, {Name: "worker-1", ExitCode: code(1)}, {Name: "worker-2", ExitCode: code(0)}, {Name: "worker-3"}},
		Records: []Record{
			{RelatedTask: "worker-2", Recoveries: []Recovery{{Scenario: "node_fault"}}},
			{RelatedTask: "", Recoveries: []Recovery{{RelatedTask: "worker-1", Scenario: "job_failed"}}},
		},
	}
	if got := j.Culprit(); got != "worker-1" {
		t.Errorf("culprit %q", got)
	}
	if got := names(j.FailedTasks()); got != "worker-0 worker-1" {
		t.Errorf("failed tasks %q", got)
	}
	if got := names(j.Innocents()); got != "worker-0" {
		t.Errorf("innocents %q", got)
	}
	only := Job{Tasks: []Task{{Name: "worker-0", ExitCode: code(143)}}}
	if got := only.Innocents(); len(got) != 0 {
		t.Errorf("a task that ended alone counts as innocent: %+v", got)
	}
}

func names(tasks []Task) string {
	var all []string
	for _, t := range tasks {
		all = append(all, t.Name)
	}
	return strings.Join(all, " ")
}

func BenchmarkRead(b *testing.B) {
	event := `{"time": "2026-03-11T13:17:00+08:00", "level": "Info", "message": "[worker-3] step \"x\" done", "source": "Task"}`
	log := strings.Repeat(`[ModelArts Service Log]step 1 of 100: \"loss\" 0.25\n`, 40_000)
	for name, data := range map[string]string{
		"events":  `{"events": [` + event + strings.Repeat(","+event, 9_999) + `]}`,
		"preview": `{"content": "` + log + `", "current_size": 1, "full_size": 1}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Read("d", []byte(data), false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestPhaseOfMinimalJob: a job that tells no more than its name and its phase is
// a job in every spelling of the phase.
func TestPhaseOfMinimalJob(t *testing.T) {
	const id = "91e0a7c4-3d5b-4f62-8a19-0c7e5b2d4f60"
	for word, want := range map[string]Phase{
		`"Failed"`: PhaseFailed, `"failed"`: PhaseFailed, `"SUCCEEDED"`: PhaseCompleted, `"Success"`: PhaseCompleted,
		`"running"`: PhaseRunning, `"Timeout"`: PhaseFailed, `"Stopped"`: PhaseTerminated, `"Lost"`: PhaseAbnormal,
		`11`: PhaseFailed, `"11"`: PhaseFailed, `"create_failed"`: PhaseAbnormal,
	} {
		for _, form := range []string{
			`{"kind":"job","metadata":{"id":"%s","name":"n"},"status":{"phase":%s}}`,
			`{"metadata":{"id":"%s","name":"n"},"status":{"phase":%s}}`,
		} {
			a, err := Read("job.json", fmt.Appendf(nil, form, id, word), false)
			if err != nil || len(a.Jobs) != 1 || a.Jobs[0].ID != id || a.Jobs[0].Phase != want {
				t.Errorf("%s: %+v, %v; want %q", word, a.Jobs, err, want)
			}
		}
	}
	for _, other := range []string{
		`{"metadata":{"id":"%s","name":"n"},"status":{"phase":"Hibernating"}}`,
		`{"kind":"Pod","apiVersion":"v1","metadata":{"id":"%s","name":"n"},"status":{"phase":"running"}}`,
		`{"metadata":{"name":"%s"},"status":{"phase":"running"}}`,
	} {
		if a, _ := Read("other.json", fmt.Appendf(nil, other, id), false); len(a.Jobs) != 0 {
			t.Errorf("%s is read as %+v", other, a.Jobs)
		}
	}
}

// TestFlightEntries: what waits in a dump of the flight recorder becomes one text
// for each process group, which is JSON and means what the dump says.
func TestFlightEntries(t *testing.T) {
	const op = "nccl:all_reduce <a&b> \a\v\u00a0\u2028\U000e0001\x7f\"\\"
	entry := func(id int, group, state string) string {
		return fmt.Sprintf(`{"record_id": 1, "profiling_name": %s, "pg_id": %d,%s "state": %q, "input_sizes": [[4, 5]], "frames": [{"name": "<module>", "filename": "/job/\u0001a.py", "line": 5}]}`, quoteJSON(op), id, group, state)
	}
	dump := `{"entries": [` + strings.Join([]string{
		entry(0, ` "process_group": ["0", "default_pg"],`, "completed"), entry(0, ` "process_group": ["0", "default_pg"],`, "started"),
		entry(0, ` "process_group": ["0", "default_pg"],`, "scheduled"),                                                  // behind the one that the rank waits in
		entry(1, ` "process_group": ["7", "tp"],`, "scheduled"), entry(2, ` "process_group": ["7", "tp"],`, "scheduled"), // the name is the group
		entry(3, ` "process_group": ["", "tp"],`, "scheduled"), entry(4, ``, "scheduled"), entry(4, ` "process_group": null,`, "started"),
	}, ", ") + `]}`
	a, err := Read("nccl_trace_rank_0.json", []byte(dump), false)
	if err != nil {
		t.Fatal(err)
	}
	var waits []string
	for _, text := range a.Texts {
		var e struct {
			Op    string `json:"profiling_name"`
			Group int    `json:"pg_id"`
			State string
			Name  string
			File  string `json:"filename"`
		}
		if err := json.Unmarshal([]byte(text.Text), &e); err != nil || e.Op != op || e.Name != "<module>" || e.File != "/job/\x01a.py" {
			t.Errorf("%s is %+v, %v", text.Text, e, err)
		}
		waits = append(waits, fmt.Sprint(e.Group, " ", e.State))
	}
	if want := []string{"0 started", "1 scheduled", "3 scheduled", "4 scheduled"}; !slices.Equal(waits, want) {
		t.Errorf("waits %q, want %q", waits, want)
	}
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s) // fails for no string
	return string(b)
}
