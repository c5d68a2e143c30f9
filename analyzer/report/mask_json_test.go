package report

import (
	"strings"
	"testing"
)

// TestMaskPairs: a secret that is a member of JSON is hidden wherever a line
// quotes it, and what only shares a word with secrets stays.
func TestMaskPairs(t *testing.T) {
	for text, want := range map[string]string{
		`{"user":"bob","password":"hunter2","lr":0.1}`:                 `{"user":"bob","password":"***","lr":0.1}`,
		`{"password" : "a b, c} d"}`:                                   `{"password" : "***"}`,
		`{"password":"hun\"ter2","lr":1}`:                              `{"password":"***","lr":1}`,
		`{"password":"hunter2\\"}`:                                     `{"password":"***"}`,
		`{\"password\":\"hunter2\",\"a\":1}`:                           `{\"password\":\"***\",\"a\":1}`,
		`{\"password\":\"hun\\\"ter2\",\"a\":1}`:                       `{\"password\":\"***\",\"a\":1}`,
		`{\\\"password\\\":\\\"hunter2\\\"}`:                           `{\\\"password\\\":\\\"***\\\"}`,
		`{'password': 'hunter2', 'a': 1}`:                              `{'password': '***', 'a': 1}`,
		`"password":"cut of`:                                           `"password":"***`,
		`{"password":["hunter2", "hunter3"],"a":["b"]}`:                `{"password":["***", "***"],"a":["b"]}`,
		`{"password":123456}`:                                          `{"password":***}`,
		`{"clientSecret":"hunter2"}`:                                   `{"clientSecret":"***"}`,
		`{"userPwd":"hunter2"}`:                                        `{"userPwd":"***"}`,
		`{"auth":{"token":"hunter2"}}`:                                 `{"auth":{"token":"***"}}`,
		`{"ak":"hunter2","sk":"hunter3"}`:                              `{"ak":"***","sk":"***"}`,
		`{"name":"DB_PASSWORD","value":"hunter2"}`:                     `{"name":"DB_PASSWORD","value":"***"}`,
		`{"value":"hunter2","name":"DB_PASSWORD"}`:                     `{"value":"***","name":"DB_PASSWORD"}`,
		`{"env_name": "HF_TOKEN", "value": "hunter2"}`:                 `{"env_name": "HF_TOKEN", "value": "***"}`,
		`[{"name":"password","value":"x1"},{"name":"lr","value":"2"}]`: `[{"name":"password","value":"***"},{"name":"lr","value":"2"}]`,
		"{\n  \"password\": \"hunter2\"\n}":                            "{\n  \"password\": \"***\"\n}",

		`{"token": "hello", "logprob": -0.1}`:                             "",
		`{"pad_token": "pad123", "eos_token":"<eos>", "token_type": "b"}`: "",
		`{"max_tokens":"4096","key":"loss12","keys":["a1b2c3"]}`:          "",
		`{"password":null,"secret":"***","api_key":"<secret-1>"}`:         "",
		`{"password_policy":"min 8 chars 1 digit"}`:                       "",
		`{"name":"lr","value":"0.1"}`:                                     "",
		`{"name":"password"},{"value":"epoch12"}`:                         "",
	} {
		if want == "" {
			want = text
		}
		got := Mask(text)
		if got != want {
			t.Errorf("%s\n gives %s\n want  %s", text, got, want)
		}
		if again := Mask(got); again != got {
			t.Errorf("masked again, %s becomes %s", got, again)
		}
		if strings.Contains(MaskForPrograms(text), "hunter") {
			t.Errorf("for programs: %s", MaskForPrograms(text))
		}
	}
}
