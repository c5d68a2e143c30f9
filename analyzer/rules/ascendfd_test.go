package rules

import (
	"strings"
	"testing"
	"testing/fstest"
)

const entities = `{
  "7001": {
    "attribute.class": "Software", "attribute.component": "AI Framework", "attribute.module": "Dataset",
    "attribute.cause_zh": "样本缓存服务未启动", "attribute.cause_en": "The sample cache is not running",
    "attribute.description_zh": "连接缓存服务失败。", "attribute.description_en": "It cannot be reached.",
    "attribute.suggestion_zh": ["1. 启动缓存服务；", "2. 检查端口。"], "attribute.suggestion_en": ["1. Start the cache.", "2. Check the port."],
    "source_file": "TrainLog", "rule": [{"dst_code": "7002"}],
    "regex.in": ["sample cache", "isn't running on port"]
  },
  "Comp_Net 02": {
    "attribute.cause_zh": "网卡降速", "attribute.cause_en": "--", "attribute.suggestion_zh": "更换网卡\n联系管理员", "attribute.suggestion_en": "--",
    "source_file": "OS", "regex.in": [["link speed", "degraded"], ["光模块降速"]]
  }
}`

func TestFromAscendFD(t *testing.T) {
	all, err := FromAscendFD([]byte(entities), "config-invalid")
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{}
	for _, c := range all {
		fsys[c.File] = &fstest.MapFile{Data: c.Data}
	}
	p, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	for id, lines := range map[string]map[string]bool{
		"ascend-fd-7001": {
			"RuntimeError: the sample cache of node 3 isn't running on port 8801": true,
			"isn't running on port 8801: the sample cache":                        false, // the order counts
			"the sample cache is running":                                         false,
		},
		"ascend-fd-comp-net-02": {
			"eth0: link speed has degraded": true,
			"告警：光模块降速":                      true,
			"degraded: link speed":          false,
		},
	} {
		r := p.Rule(id)
		if r == nil {
			t.Fatalf("there is no rule %q: %+v", id, all)
		}
		for line, want := range lines {
			if _, _, ok := r.Find(line); ok != want {
				t.Errorf("%s: %q matches: %v", id, line, ok)
			}
		}
	}
	d, _ := p.Rule("ascend-fd-7001").Detail()
	if len(d.Fixes) != 1 || len(d.Fixes[0].Steps) != 2 || d.Fixes[0].Steps[0] != (Text{ZH: "启动缓存服务", EN: "Start the cache"}) {
		t.Errorf("fixes: %+v", d.Fixes)
	}
	if all[0].Untranslated || !all[1].Untranslated {
		t.Errorf("untranslated: %v %v", all[0].Untranslated, all[1].Untranslated)
	}
	if found, err := Lint(p, p); err != nil || len(found) == 0 {
		t.Errorf("the missing translation is not found: %v %v", found, err)
	}
}

// TestFromAscendFDTellsAllFaults: what cannot be converted is told at once.
func TestFromAscendFDTellsAllFaults(t *testing.T) {
	_, err := FromAscendFD([]byte(`{"1": {}, "2": {"attribute.cause_zh": "x"}, "3": {"attribute.cause_zh": "x", "attribute.suggestion_zh": "y", "regex.in": [[]]}, "4": 5}`), "config-invalid")
	if err == nil {
		t.Fatal("broken entries pass")
	}
	for _, want := range []string{`"1": attribute.cause_zh`, `"2": attribute.suggestion_zh`, `"3": regex.in`, `"4": json`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told: %v", want, err)
		}
	}
	for _, data := range []string{"", "[]", "{}", "{"} {
		if _, err := FromAscendFD([]byte(data), "config-invalid"); err == nil {
			t.Errorf("%q passes", data)
		}
	}
}

// FuzzFromAscendFD: whatever entries are converted, the rules load, each under its
// id, and match their samples.
func FuzzFromAscendFD(f *testing.F) {
	f.Add([]byte(entities))
	f.Add([]byte(`{"a'b": {"attribute.cause_zh": "'", "attribute.suggestion_zh": "\u0000", "regex.in": ["' #", "}"]}}`))
	f.Add([]byte(`{"\u0001\u2028": {"attribute.cause_zh": "{x} [[y", "attribute.suggestion_zh": ["a: b", "- c"], "regex.in": [["\u0000x", "y\t"], ["(?P<"]]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := FromAscendFD(data, "config-invalid")
		if (err == nil) == (len(all) == 0) {
			t.Errorf("%d rules, error %v", len(all), err)
		}
		fsys := fstest.MapFS{}
		for _, c := range all {
			fsys[c.File] = &fstest.MapFile{Data: c.Data}
		}
		if len(all) == 0 {
			return
		}
		pack, err := Load(fsys)
		if err != nil {
			t.Fatalf("%q becomes rules that do not load: %v", data, err)
		}
		for _, c := range all {
			if pack.Rule(c.ID) == nil {
				t.Errorf("%q: there is no rule %q", data, c.ID)
			}
		}
	})
}
