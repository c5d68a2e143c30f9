package scan

import (
	"strings"
	"testing"
)

// TestGoesOn: which words tell that a program goes on depends on where they stand.
func TestGoesOn(t *testing.T) {
	asked := []struct {
		name string
		says func(string) bool
	}{
		{"message", behindMessage.In}, {"behind", behindFailure.In}, {"beside", passesOver}, {"overcomes", Overcomes}, {"without", GoesWithout}, {"another", TakesAnother},
	}
	for text, want := range map[string]string{
		"flash-attn is not there, falling back to sdpa":   "message behind beside overcomes without",
		"fused kernel failed, using the eager one":        "message behind beside without",
		"未找到 apex，改用原生实现":                                 "message behind beside overcomes without",
		"use torch.nn.functional.pad instead":             "behind overcomes without",
		"ignoring sample 7":                               "behind beside overcomes without another",
		"sample 7 is broken, trying another one":          "another",
		"第 7 条样本损坏，换下一条":                                  "another",
		"could not read sample 7":                         "without",
		"retry 2 of 5":                                    "behind another",
		"the optional module is not there":                "overcomes without",
		"skipped 3 files":                                 "behind overcomes without another",
		"unavailable":                                     "behind",
		"step 7 loss 1.5":                                 "",
		"RuntimeError: CUDA error: device-side assert":    "",
		"the run is over, training reached its last step": "",
	} {
		var got []string
		for _, a := range asked {
			if a.says(text) {
				got = append(got, a.name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", text, got, want)
		}
	}
}
