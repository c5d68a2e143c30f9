package corpus

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func testRedactor(t *testing.T, buckets bool) *redactor {
	t.Helper()
	o := options(testMask)
	o.Buckets = buckets
	return must[*redactor](t)(newRedactor(filepath.Join(t.TempDir(), "private.json"), nil, o))
}

func TestRedactOutput(t *testing.T) {
	for name, tt := range map[string]struct{ in, want string }{
		"string":              {`{"a": "x SECRET1 y", "b":"SECRET1"}`, `{"a": "x <secret-1> y", "b":"<secret-1>"}`},
		"untouched bytes":     {"{\n \"a\" : \"\\u4e2d \\/\",\t\"n\": 1.50, \"b\": null}\n", "{\n \"a\" : \"\\u4e2d \\/\",\t\"n\": 1.50, \"b\": null}\n"},
		"behind an escape":    {`{"content": "one\nSECRET1\t\"SECRET2\""}`, `{"content": "one\n<secret-1>\t\"<secret-2>\""}`},
		"no HTML escapes":     {`{"a": "<b> & SECRET1"}`, `{"a": "<b> & <secret-1>"}`},
		"key":                 {`{"SECRET1": {"SECRET2": 1}}`, `{"<secret-1>": {"<secret-2>": 1}}`},
		"by its key":          {`{"password": "hunter2", "other": "hunter2"}`, `{"password": "<secret-1>", "other": "hunter2"}`},
		"number by its key":   {`{"password": 12345, "pages": 12345}`, `{"password": "<secret-1>", "pages": 12345}`},
		"name and value":      {`{"p": [{"name": "password", "value": "hunter2"}, {"name": "epochs", "value": "3"}]}`, `{"p": [{"name": "password", "value": "<secret-1>"}, {"name": "epochs", "value": "3"}]}`},
		"default, then name":  {`{"p": [{"default": "hunter2", "name": "password"}, {"name": "password", "default": "hunter3"}, {"default": "3", "name": "epochs"}], "z": "hunter4"}`, `{"p": [{"default": "<secret-1>", "name": "password"}, {"name": "password", "default": "<secret-2>"}, {"default": "3", "name": "epochs"}], "z": "hunter4"}`},
		"declared sensitive":  {`{"p": [{"name": "x", "value": "hunter2", "constraint": {"sensitive": true}}]}`, `{"p": [{"name": "x", "value": "<secret-1>", "constraint": {"sensitive": true}}]}`},
		"JSON in a string":    {`{"m": "{\"password\": \"hunter2\"}"}`, `{"m": "{\"password\": \"<secret-1>\"}"}`},
		"literals by a key":   {`{"a": {"password": null}, "b": {"password": true}, "c": {"password": false}}`, `{"a": {"password": null}, "b": {"password": true}, "c": {"password": false}}`},
		"list in a string":    {`{"m": "[{\"password\": \"hunter2\"}]"}`, `{"m": "[{\"password\": \"<secret-1>\"}]"}`},
		"not sensitive":       {`{"p": [{"name": "x", "value": "hunter2", "constraint": {"sensitive": false}}, {"name": "y", "value": "hunter3"}, {"name": "z", "value": "", "constraint": {"sensitive": true}}], "e": ""}`, `{"p": [{"name": "x", "value": "hunter2", "constraint": {"sensitive": false}}, {"name": "y", "value": "hunter3"}, {"name": "z", "value": "", "constraint": {"sensitive": true}}], "e": ""}`},
		"default, no name":    {`{"p": [{"default": "hunter2"}, {"name": "", "default": "hunter3"}, {"name": "password", "default": ""}], "e": ""}`, `{"p": [{"default": "hunter2"}, {"name": "", "default": "hunter3"}, {"name": "password", "default": ""}], "e": ""}`},
		"no user name":        {`{"user_name": "li wei", "owner": "10.0.0.4"}`, `{"user_name": "li wei", "owner": "198.18.0.1"}`},
		"list":                {`["SECRET1", ["SECRET2"]]`, `["<secret-1>", ["<secret-2>"]]`},
		"notices":             {"notice SECRET1\n{\"a\": \"SECRET1\"}\nafter SECRET2\n", "notice <secret-1>\n{\"a\": \"<secret-1>\"}\nafter <secret-2>\n"},
		"glued notice":        {`提示"x"{"a": "SECRET1"}`, `提示"x"{"a": "<secret-1>"}`},
		"tag":                 {"[USE_ERROR]no SECRET1\n", "[USE_ERROR]no <secret-1>\n"},
		"damaged":             {`{"content": "a\nSECRET1\nb`, `{"content": "a\n<secret-1>\nb`},
		"damaged, by its key": {`{"endpoints": {"ssh": {"task_urls": [{"url": "ssh://a.example:30022"}]}}, "p": [{"name": "password", "value": "hunter2"}], "torn": "SECRET1 SEC`, `{"endpoints": {"ssh": {"task_urls": [{"url": "<endpoint-1>"}]}}, "p": [{"name": "password", "value": "<secret-1>"}], "torn": "<secret-2> SEC`},
		"prose with a brace":  {"set {\"a\": SECRET1} then\n{\"p\": [{\"name\": \"password\", \"value\": \"hunter2\"}]}", "set {\"a\": \"<secret-1>\"} then\n{\"p\": [{\"name\": \"password\", \"value\": \"<secret-2>\"}]}"},
		"text":                {"plain SECRET1", "plain <secret-1>"},
		"address":             {`{"ip": "10.0.0.4", "text": "to 10.0.0.5:29500, then 10.0.0.4"}`, `{"ip": "198.18.0.1", "text": "to 198.18.0.2:29500, then 198.18.0.1"}`},
		"endpoints":           {`{"endpoints": {"ssh": {"task_urls": [{"task": "worker-0", "url": "ssh://a.example:30022"}]}, "jupyter_lab": {"url": "https://b.example/lab", "token": "t0"}}, "url": "https://c.example"}`, `{"endpoints": {"ssh": {"task_urls": [{"task": "worker-0", "url": "<endpoint-1>"}]}, "jupyter_lab": {"url": "<endpoint-2>", "token": "<secret-1>"}}, "url": "https://c.example"}`},
		"user":                {`{"metadata": {"user_name": "li-wei.77", "x": "1"}, "log": "cd /home/li-wei.77/code; owner li-wei.77"}`, `{"metadata": {"user_name": "user-1", "x": "1"}, "log": "cd /home/user-1/code; owner user-1"}`},
		"a word as user name": {`{"user_name": "trainer", "log": "trainer.py of trainer"}`, `{"user_name": "user-1", "log": "trainer.py of trainer"}`},
		"platform's own user": {`{"user_name": "ma-user", "log": "/home/ma-user/x"}`, `{"user_name": "ma-user", "log": "/home/ma-user/x"}`},
		"host":                {`{"log": "HOSTNAME=gpu-node-17\nJun  2 09:41:50 gpu-node-17 kernel: x"}`, `{"log": "HOSTNAME=host-1\nJun  2 09:41:50 host-1 kernel: x"}`},
		"task is no host":     {`{"hostname": "worker-0"}`, `{"hostname": "worker-0"}`},
		"JupyterLab in text":  {"open https://authoring-modelarts-cnnorth4.huaweicloud.com/0b1/lab now", "open <endpoint-1> now"},
		"bucket stays":        {`{"code_dir": "/train-bucket/code/", "x": "obs://train-bucket/a"}`, `{"code_dir": "/train-bucket/code/", "x": "obs://train-bucket/a"}`},
		"access to a task":    {`{"endpoints": {"a": {"token": "t0", "note": "t1"}}, "token": "t2"}`, `{"endpoints": {"a": {"token": "<secret-1>", "note": "t1"}}, "token": "t2"}`},
		"braces are no JSON":  {`{"m": "{SECRET1", "n": "[x] SECRET2", "o": "{", "p": " {\"password\": \"hunter2\"} "}`, `{"m": "{<secret-1>", "n": "[x] <secret-2>", "o": "{", "p": " {\"password\": \"<secret-3>\"} "}`},
		"name and default":    {`{"name": "password", "default": "hunter2", "note": "hunter3"}`, `{"name": "password", "default": "<secret-1>", "note": "hunter3"}`},
		"empty key":           {`{"": "SECRET1", "a": "SECRET2"}`, `{"": "<secret-1>", "a": "<secret-2>"}`},
		"number at the end":   {`[1.5e3]`, `[1.5e3]`},
		"list of words":       {`["password", "hunter2"]`, `["password", "hunter2"]`},
		"sensitive, no key":   {`{"": "hunter2", "p": [{"name": "x", "value": "hunter2", "constraint": {"sensitive": true}}]}`, `{"": "<secret-1>", "p": [{"name": "x", "value": "<secret-1>", "constraint": {"sensitive": true}}]}`},
		"user in a string":    {`{"m": "{\"user_name\": \"li-wei.77\"}"}`, `{"m": "{\"user_name\": \"user-1\"}"}`},
		"user of four":        {`{"user_name": "li-7", "log": "li-7 and li-77"}`, `{"user_name": "user-1", "log": "li-7 and li-77"}`},
		"name in a name":      {`{"user_name": "li-77", "log": "kali-77 of li-77"}`, `{"user_name": "user-1", "log": "kali-77 of user-1"}`},
		"user and host":       {"USER=li-77 HOSTNAME=li-77 runs li-77", "USER=user-1 HOSTNAME=host-1 runs user-1"},
		"digits by their key": {`{"password": "12345"}`, `{"password": "<secret-1>"}`},
		"quotes by their key": {`{"password": "hun\"ter\\2\n3"}`, `{"password": "<secret-1>"}`},
		"longest by its key":  {`{"password": "` + strings.Repeat("h", 9999) + `"}`, `{"password": "<secret-1>"}`},
		"part by its key":     {`{"auth": "hunter2:x"}`, `{"auth": "<secret-1>:x"}`},
		"list by its key":     {`{"password": ["hunter2", 12345], "a": ["hunter2"]}`, `{"password": ["<secret-1>", "<secret-2>"], "a": ["hunter2"]}`},
		"names in a list":     {`{"owner": ["li-77", "wu-77"]}`, `{"owner": ["user-1", "user-2"]}`},
		"access in a list":    {`{"endpoints": [{"url": "ssh://a.example"}, [{"token": "t0"}]], "token": "t1"}`, `{"endpoints": [{"url": "<endpoint-1>"}, [{"token": "<secret-1>"}]], "token": "t1"}`},
		"no access":           {`{"endpoints": {"ssh": {"url": "", "token": ""}}}`, `{"endpoints": {"ssh": {"url": "", "token": ""}}}`},
		"JSON in a list":      {`["{\"password\": \"hunter2\"}"]`, `["{\"password\": \"<secret-1>\"}"]`},
		"JSON without a key":  {`{"": "{\"password\": \"hunter2\"}", "a": " "}`, `{"": "{\"password\": \"<secret-1>\"}", "a": " "}`},
		"no user":             {`{"user_name": true, "host_name": false}`, `{"user_name": true, "host_name": false}`},
		"damaged in a number": {`{"a": 12`, `{"a": 12`},
		"damaged, default":    {`{"p": [{"name": "password", "default": "hunter2"}], "torn": "x`, `{"p": [{"name": "password", "default": "<secret-1>"}], "torn": "x`},
		"damaged text":        {`{"a\x": "SECRET1", "b\x": "SECRET2"}`, `{"a\x": "<secret-1>", "b\x": "<secret-2>"}`},
		"user of five":        {`{"user_name": "li-77", "log": "li-77 runs"}`, `{"user_name": "user-1", "log": "user-1 runs"}`},
		"user of two":         {`{"user_name": "l7", "owner": "l78"}`, `{"user_name": "l7", "owner": "user-1"}`},
		"user with a border":  {`{"user_name": "-li77", "owner": "li77-", "creator": "li77.", "log": "a-li77 li77- li77. b"}`, `{"user_name": "user-1", "owner": "user-2", "creator": "user-3", "log": "a-li77 li77- li77. b"}`},
		"long by its key":     {`{"password": "` + strings.Repeat("h", 4095) + `"}`, `{"password": "<secret-1>"}`},
		"placeholders stay":   {`{"a": "198.18.0.9", "password": "<secret-4>", "user_name": "user-3"}`, `{"a": "198.18.0.9", "password": "<secret-4>", "user_name": "user-3"}`},
		"empty":               {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := testRedactor(t, false)
			got := string(r.output([]byte(tt.in)))
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if again := string(r.output([]byte(got))); again != got {
				t.Errorf("masking it again gives %s", again)
			}
		})
	}
}

func TestRedactBuckets(t *testing.T) {
	r := testRedactor(t, true)
	got := string(r.output([]byte(`{"code_dir": "/train-bucket-7/code/", "x": "obs://train-bucket-7/a", "y": "https://train-bucket-7.obs.cn-north-4.myhuaweicloud.com/b", "z": "cp /cache/train-bucket-7 x"}`)))
	if got := string(r.output([]byte(`{"code_dir": "train-bucket-8/code", "note": "/train-bucket-9/code"}`))); got != `{"code_dir": "train-bucket-8/code", "note": "/train-bucket-9/code"}` {
		t.Errorf("what names no bucket becomes %s", got)
	}
	if got := string(r.output([]byte("cp obs://train-bucket-5/a x"))); got != "cp obs://bucket-2/a x" {
		t.Errorf("a bucket in a text becomes %s", got)
	}
	want := `{"code_dir": "/bucket-1/code/", "x": "obs://bucket-1/a", "y": "https://bucket-1.obs.cn-north-4.myhuaweicloud.com/b", "z": "cp /cache/bucket-1 x"}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestRedactParameters: a value is hidden by its name, too, whatever it holds.
func TestRedactParameters(t *testing.T) {
	params := map[string]string{"password": "hunter2", "": "hunter3", "text": "a \"b\"\nSECRET1", "limit": "50"}
	want := map[string]string{"password": "<secret-1>", "": "hunter3", "text": "a \"b\"\n<secret-2>", "limit": "50"}
	for range 20 { // whatever the order of a map
		if got := testRedactor(t, false).parameters(params); !maps.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestRedactToTheEnd: a mask may hide all to the end of a text.
func TestRedactToTheEnd(t *testing.T) {
	cut := func(put func(kind, value string) string) func(string) string {
		return func(s string) string {
			if i := strings.Index(s, "KEY "); i >= 0 {
				return s[:i] + put("secret", s[i:])
			}
			return s
		}
	}
	r := must[*redactor](t)(newRedactor(filepath.Join(t.TempDir(), "private.json"), nil, options(cut)))
	got := string(r.output([]byte(`{"note": "a KEY b"}`)))
	if want := regexp.MustCompile(`^\{"note": "a <secret-\d>"\}$`); !want.MatchString(got) {
		t.Errorf("it becomes %s", got)
	}
}

// TestDeepAnswersAreHidden: what lies deeper than any answer is hidden whole, and
// neither that nor a long list of declarations takes memory for each bracket.
func TestDeepAnswersAreHidden(t *testing.T) {
	none := func(func(kind, value string) string) func(string) string { return func(s string) string { return s } }
	for _, tt := range []struct{ name, in, end string }{
		{"lists", strings.Repeat("[", 4<<20) + `"Hunter2"`, `[[["<secret-1>"`},
		{"objects", strings.Repeat(`{"a":`, 4<<20/5) + `"Hunter2"`, `{"a":{"a":"<secret-1>"`},
		{"declarations", `{"default":[` + strings.Repeat("{},", 1<<20) + `{}]}`, `{},{}]}`},
	} {
		r := must[*redactor](t)(newRedactor(filepath.Join(t.TempDir(), "private.json"), nil, options(none)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out := r.output([]byte(tt.in))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 80<<20 {
			t.Errorf("4 MiB of %s take %d MiB", tt.name, took>>20)
		}
		if !bytes.HasSuffix(out, []byte(tt.end)) {
			t.Errorf("%s end with %q", tt.name, out[max(0, len(out)-99):])
		}
	}
}

// TestPrivateFileDamaged: a private file without its salt, or one that cannot be
// read, stops a recording: other placeholders would stand for the same values.
func TestPrivateFileDamaged(t *testing.T) {
	for _, text := range []string{`{}`, `{"salt": ""}`, `{"salt": "zz"}`, `{"salt": "0707", "given": 3}`} {
		file := filepath.Join(t.TempDir(), "private.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := newRedactor(file, nil, options(testMask)); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
	if _, err := newRedactor(t.TempDir(), nil, options(testMask)); err == nil {
		t.Error("a folder is taken for a private file")
	}
	o := options(testMask)
	o.Random = strings.NewReader("short")
	if _, err := newRedactor(filepath.Join(t.TempDir(), "private.json"), nil, o); err == nil {
		t.Error("a key of five bytes is taken")
	}
}

// TestPrivateFileHoldsNoValue: it is for its owner, and still tells nothing.
func TestPrivateFileHoldsNoValue(t *testing.T) {
	r := testRedactor(t, false)
	r.output([]byte(`{"a": "SECRET1 SECRET2 10.0.0.9"}`))
	if err := r.save(); err != nil {
		t.Fatal(err)
	}
	data := must[[]byte](t)(os.ReadFile(r.file))
	if strings.Contains(string(data), "SECRET") || strings.Contains(string(data), "10.0.0.9") {
		t.Errorf("the private file holds a value: %s", data)
	}
	if info, err := os.Stat(r.file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(r.file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := newRedactor(r.file, nil, options(testMask)); err == nil {
		t.Error("a damaged private file is taken")
	}
}

// FuzzRedact: no secret stays, valid JSON stays valid, what holds no secret stays
// byte for byte, and masking what is masked changes nothing.
func FuzzRedact(f *testing.F) {
	for _, s := range []string{`{"a": "x SECRET1"}`, "SECRET1\n[1, \"SECRET2\"", `{"a\\n": "\nSECRET1", "password": 1e5}`, `{"m": "{\"a\": \"SECRET1\"}"}`, "[USE_ERROR]SECRET1 {", `{"":{"": "SECRET1"}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := testRedactor(t, true)
		r.changed = false
		got := r.output([]byte(s))
		if json.Valid([]byte(s)) && !json.Valid(got) {
			t.Errorf("%q became %q", s, got)
		}
		if secret.Match(got) {
			t.Errorf("%q keeps a secret: %q", s, got)
		}
		if again := r.output(got); !bytes.Equal(again, got) {
			t.Errorf("%q became %q, masked again %q", s, got, again)
		}
		if !r.changed && string(got) != s {
			t.Errorf("%q became %q, and nothing was hidden", s, got)
		}
	})
}
