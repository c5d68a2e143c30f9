package analyzer

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"hcloud-modelarts/analyzer/source"
)

// TestBarrenInput: JSON that can carry no evidence is no input; what may be a
// log, or still holds something that is known, is.
func TestBarrenInput(t *testing.T) {
	for text, want := range map[string]string{
		"{]": "bad-json", `{"a":`: "bad-json", "{\n  \"a\": 1,\n  \"b\": oops\n}\n": "bad-json", `{"metadata": {"name": "x", }`: "bad-json",
		"null": "empty-json", "{}": "empty-json", "[]\n": "empty-json", "42": "empty-json", `"x"`: "empty-json", "true": "empty-json",
		`{"a": oops}`: "bad-json", `{"a": 1}}`: "bad-json", "[1,\n2": "bad-json",
		`{"a":1}`: "", `{"code":0,"msg":"ok"}`: "", `{"devices":[{"rank_id":"0"}]}`: "",

		`{"status":{"phase":"Failed"}}`:         "",
		`{"status":{"phase":"Failed","nodes":[`: "",
		`{"total":0,"items":[]}`:                "",
		"step 1\n{\"a\":1}\n":                   "",
		"epoch 3 done\n":                        "",
		"x":                                     "",
		"{'loss': 0.5, 'epoch': 1.0}\n{'loss': 0.4, 'epoch': 2.0}\n": "",
		"{\"loss\": 0.5}\n{\"loss\": 0.4}\n":                         "",
		`"epoch 3 done"`:                                             "",
		`{"level":"error","msg":"the reader gave up"}`:               "",
		"{]\nModuleNotFoundError: No module named 'apex'\n":          "",
		"[rank0]: done\n":                                            "",
	} {
		for _, lang := range []string{"zh", "en"} {
			_, err := Diagnose([]source.Root{{Name: "in", Reader: strings.NewReader(text)}}, Options{Lang: lang})
			got := ""
			if e, ok := errors.AsType[*source.Error](err); ok {
				got = e.Code
			} else if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%q is refused as %q, want %q", text, got, want)
			}
		}
	}
}

// TestBarrenAmongOthers: beside evidence, JSON that tells nothing is a note, but
// settings are not; a folder without evidence says why each file tells nothing.
func TestBarrenAmongOthers(t *testing.T) {
	files := fstest.MapFS{
		"a.json": {Data: []byte("{]")}, "b.json": {Data: []byte("null")}, "d.json": {},
	}
	_, err := Diagnose([]source.Root{{Name: "case", FS: files, Path: "."}}, Options{})
	e, ok := errors.AsType[*source.Error](err)
	if !ok || e.Code != "nothing" || refusals(e.Refused) != "d.json empty, a.json bad-json, b.json empty-json" {
		t.Fatalf("the error is %#v", err)
	}
	files["c.json"] = &fstest.MapFile{Data: []byte(`{"rank_id":0}`)}
	files["train.log"] = &fstest.MapFile{Data: []byte("epoch 3 done\n")}
	reports, err := Diagnose([]source.Root{{Name: "case", FS: files, Path: "."}}, Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	var noted []string
	for _, n := range reports[0].Notes {
		noted = append(noted, n.Source)
	}
	if got := strings.Join(noted, " "); got != "a.json b.json d.json" {
		t.Errorf("notes on %q", got)
	}
}

func refusals(notes []source.Note) string {
	var list []string
	for _, n := range notes {
		list = append(list, n.Source+" "+n.Code)
	}
	return strings.Join(list, ", ")
}

// TestMendedJSON: what damaged JSON still tells is read.
func TestMendedJSON(t *testing.T) {
	const text = `{"metadata": {"name": "sft", "id": }, "status": {"phase": "Failed", "message": "all is lost"}}`
	reports, err := Diagnose([]source.Root{{Name: "in", Reader: strings.NewReader(text)}}, Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if r := reports[0]; r.Job.Name != "sft" || r.Job.Phase != "Failed" || len(r.Notes) != 1 || !strings.Contains(r.Notes[0].Text, "damaged") {
		t.Errorf("the job is %+v, the notes are %+v", r.Job, r.Notes)
	}
}

// TestListOfJobs: an undecided report of one job of a list shows what the list
// tells of that job and of no other; an empty list is told as such.
func TestListOfJobs(t *testing.T) {
	const text = `{"total":2,"items":[
{"kind":"job","metadata":{"id":"0a1b2c3d-0000-4000-8000-000000000001","name":"one"},"status":{"phase":"Failed","secondary_phase":"CreateFailed"}},
{"kind":"job","metadata":{"id":"0a1b2c3d-0000-4000-8000-000000000002","name":"two"},"status":{"phase":"Failed","duration":5000}}]}`
	reports, err := Diagnose([]source.Root{{Name: "in", Reader: strings.NewReader(text)}}, Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range reports {
		for _, c := range r.Collected {
			got = append(got, r.Job.Name+" "+c.Key+" "+c.Value)
		}
	}
	want := "one items[0].status.phase Failed|one items[0].status.secondary_phase CreateFailed|two items[1].status.phase Failed|two items[1].status.duration 5s"
	if strings.Join(got, "|") != want {
		t.Errorf("collected %q", got)
	}
	reports, err = Diagnose([]source.Root{{Name: "in", Reader: strings.NewReader(`{"total":0,"items":[]}`)}}, Options{Lang: "en"})
	if err != nil || len(reports[0].Notes) != 1 || !strings.Contains(reports[0].Notes[0].Text, "empty list, no training job fits") {
		t.Errorf("an empty list gives %+v, %v", reports, err)
	}
}

// TestAnswersAboutNoJob: what a folder holds beside its jobs, such as flavors and
// quotas, is no job; alone it is what the report is about.
func TestAnswersAboutNoJob(t *testing.T) {
	files := fstest.MapFS{
		"flavors.json": {Data: []byte(`{"total_count":1,"flavors":[{"flavor_id":"modelarts.vm.gpu.v100","flavor_type":"GPU","flavor_info":{"max_num":4}}]}`)},
		"quotas.json":  {Data: []byte(`{"quotas":[{"resource":"modelarts.vm.gpu.v100","quota":4,"used_quota":1}]}`)},
	}
	folder := []source.Root{{Name: "case", FS: files, Path: "."}}
	if alone, err := Diagnose(folder, Options{}); err != nil || len(alone) == 0 {
		t.Fatalf("alone: %d reports, %v", len(alone), err)
	}
	files["jobs.json"] = &fstest.MapFile{Data: []byte(`{"total":2,"items":[{"metadata":{"id":"4d30ee47-3534-4f09-9b91-7913ff3c0ae5","name":"one"},"status":{"phase":"Completed"}},` +
		`{"metadata":{"id":"4d30ee47-3534-4f09-9b91-7913ff3c0ae6","name":"two"},"status":{"phase":"Running"}}]}`)}
	reports, err := Diagnose(folder, Options{})
	if err != nil || len(reports) != 2 || reports[0].Job.Name != "one" || reports[1].Job.Name != "two" {
		t.Errorf("%v, %+v", err, reports)
	}
}
