package report

import (
	"strings"
	"testing"
)

// masked is a text and what Mask makes of it; a want of "" means that it stays.
type masked struct{ in, want string }

func checkMasked(t *testing.T, mask func(string) string, rows []masked) {
	t.Helper()
	for _, tt := range rows {
		want := tt.want
		if want == "" {
			want = tt.in
		}
		if got := mask(tt.in); got != want {
			t.Errorf("%q\n becomes %q\n want    %q", tt.in, got, want)
		}
	}
}

// TestMaskAddressBorders: what touches an address tells it from a version, a
// name or a longer number.
func TestMaskAddressBorders(t *testing.T) {
	for _, before := range []string{"x.", "A", "Z", "a", "z", "0", "9", "name-", "name_", "demo==", "demo>=", "demo<=", "demo~=", "demo!="} {
		checkMasked(t, Mask, []masked{{before + "122.9.14.77", ""}})
	}
	for _, before := range []string{"", "=", "[", "`", "{", "/", "peer=", "root@", "tcp://", "为"} {
		checkMasked(t, Mask, []masked{{before + "122.9.14.77", before + "122.*.*.*"}})
	}
	for _, after := range []string{"A", "Z", "a", "z", "+cu", ".5", ".x"} {
		checkMasked(t, Mask, []masked{{"at 122.9.14.77" + after, ""}})
	}
	for _, after := range []string{"", ".", ". Then", "[", "`", "{", "@", "/", ":", "是"} {
		checkMasked(t, Mask, []masked{{"at 122.9.14.77" + after, "at 122.*.*.*" + after}})
	}
	checkMasked(t, Mask, []masked{
		{"300.122.9.14 is no address", ""},
		{"at 122.9.14.1000 and 122.9.14.1009", ""},
		{"peer = 122.9.14.77", "peer = 122.*.*.*"},
		{"at 39.1.1.1", ""},
		{"at 40.1.1.1", "at 40.*.*.*"},
		{"at 8.8.8.8:0", "at 8.*.*.*:0"},
		{"at 8.8.8.8:9", "at 8.*.*.*:9"},
		{"at 8.8.8.8:", ""},
		{"at 8.8.8.8:x", ""},
		{"at 8.8.8.8:-", ""},
		{"at 8.8.8.8-5", ""},
		{"http://8.8.8.8/x", "http://8.*.*.*/x"},
		{"root@8.8.8.8", "root@8.*.*.*"},
		{"[::ffff:8.8.8.8]", "[::ffff:8.*.*.*]"},
		{"at 8.8.8.8%eth0", "at 8.*.*.*%eth0"},
		{"at 8.8.8.8%", ""},
		{"at 8.8.8.8% of", ""},

		{"route fd00:: via", "route fd00::*** via"},
		{"2001:db8::1: refused", "2001::***: refused"},
		{"at fe80::1.", "at fe80::***."},
		{"at fe80::1. Then", "at fe80::***. Then"},
		{"at fe80::1是", "at fe80::***是"},
		{"为fe80::1", "为fe80::***"},
		{"地址　fe80::1", "地址　fe80::***"}, // behind a wide blank
		{"fe80::1.5", ""},
		{"fe80::1x", ""},
		{"fe80::1_x", ""},
		{"_fe80::1", ""},
		{".fe80::1", ""},
		{"gfe80::1", ""},
		{"2001:0db8:85a3:0000:0000:8a2e:0370:7334:9", ""},
		{"at 1234:0db8:85a3:0000:0000:8a2e:0370:7334", "at 1234::***"},
		{"aa:bb:cc:dd:ee:ff:aa:bb", ""},
		{"fdaa::bbbb", ""},
	})
	checkMasked(t, MaskForPrograms, []masked{
		{"127.0.0.1 0.0.0.0 169.254.81.2 fe80::1 fd12::1", ""},
		{"100.63.1.2 100.128.1.2 2001:db8::1", "100.*.*.* 100.*.*.* 2001::***"},
	})
}

// TestMaskMailBorders: a call, an index or the path of a URL is no address.
func TestMaskMailBorders(t *testing.T) {
	checkMasked(t, Mask, []masked{
		{"li.ming@example.com wrote", "***@*** wrote"},
		{"to li.ming@example.com. Then", "to ***@***. Then"},
		{"to li.ming@example.com.x", ""},
		{"y = q@k.io[0]", ""},
		{"y = q@k.io( x)", ""},
		{"see https://example.com/li.ming@example.com", ""},
		{"see https://example.com or li.ming@example.com", "see https://example.com or ***@***"},
		{"://example.com/li.ming@example.com", ""}, // cut off
		{"by /li.ming@example.com, https://example.com", "by /***@***, https://example.com"},
	})
}

// TestMaskTokenCounts: how many letters and digits of each class make a token.
// The tokens are put together here, so that no scanner takes this file for a leak.
func TestMaskTokenCounts(t *testing.T) {
	for _, tail := range []string{"abcdefghijklmn00", "abcdefghijklmn99", "aaaa123456781234", "zzzz123456781234", "AAAA123456781234", "ZZZZ123456781234", "ab1-cd2-ef3-gh4ijk"} {
		checkMasked(t, Mask, []masked{{"sum hf_" + tail, "sum hf_***"}})
	}
	for _, tail := range []string{"aaa1234567812345", "ab1-cd2-ef3-gh-4ij"} {
		checkMasked(t, Mask, []masked{{"sum hf_" + tail, ""}})
	}
	small, large, digits := strings.Repeat("w", 64), strings.Repeat("W", 64), strings.Repeat("12", 32)
	for _, word := range []string{
		"ZZZZZZZZ" + digits[:12],
		"ABCDE" + "azaza" + digits[:30], "AZAZA" + small[:33] + "12", large[:33] + "abcde" + "12",
		"ABCDE" + small[:57] + "12", large[:57] + "abcde" + "12",
		"npm_" + "ABC" + small[:27], "npm_" + large[:27] + "abc", "npm_" + "ABC" + small[:28] + "1",
	} {
		want := hiddenValue
		if strings.HasPrefix(word, "npm_") {
			want = "npm_" + want
		}
		checkMasked(t, Mask, []masked{{word, want}, {"为" + word, "为" + want}}[:1+min(1, 64-len(word))])
	}
	for _, word := range []string{
		"ABCDEFGH" + digits[:12] + "a",
		"ABCD" + "abcde" + digits[:31], "ABCDE" + "abcd" + digits[:31], "ABCDE" + small[:34] + "1", "ABCD" + small[:34] + "12", large[:34] + "abcd" + "12",
		"ABCD" + small[:58] + "12", large[:58] + "abcd" + "12", "ABCDE" + small[:58] + "1",
		"npm_" + "AB" + small[:28], "npm_" + large[:28] + "ab", "npm_" + "ABC" + small[:26],
		"AKIA" + "IOSFODNN7EXAMPLEX",
	} {
		checkMasked(t, Mask, []masked{{word, ""}})
	}
	checkMasked(t, Mask, []masked{
		{"ids ABCDEFGH012345678901是", "ids ***是"},
		{"为ABCDEFGH012345678901", "为***"},
		{"密钥　ABCDEFGH012345678901", "密钥　***"}, // behind a wide blank
		{"key: ab12~cd34~ef56~gh~i", ""},
		{"token: abc12defg", ""},
	})
}

// TestMaskLines: lines with secrets hide on their own, side by side and with the
// value on the next line, and what stands around them stays.
func TestMaskLines(t *testing.T) {
	checkMasked(t, Mask, []masked{
		{"a\nb\npassword=hunter2\nc\nd\ne", "a\nb\npassword=***\nc\nd\ne"},
		{"\n\npassword=hunter2\n\n\nb", "\n\npassword=***\n\n\nb"},
		{"password=hunter2\npassword=hunter3\nb\nc\npw=hunter4", "password=***\npassword=***\nb\nc\npw=***"},
		{"password=hunter2\npassword:\n  hunter3\nb", "password=***\npassword:\n  ***\nb"},
	})
}

// TestMaskQuotes: a hidden value keeps the quotes that it had, and what stands
// for a value is none.
func TestMaskQuotes(t *testing.T) {
	checkMasked(t, Mask, []masked{
		{`password="hunter2"`, `password="***"`},
		{`password='hunter2'`, `password='***'`},
		{`password=\"hunter2\"`, `password=\"***\"`},
		{`api_key: "hunter" was`, `api_key: "***" was`},
		{`api_key:hunter was`, `api_key:*** was`},
		{`api_key: hunter was`, ""},
		{"secret_key: S3cr3tV region: x", "secret_key: *** region: x"},
		{"secret: abcd12 in use", "secret: *** in use"},
		{"secret: abc12 in use", ""},
		{"secret: obs/abc12 in use", ""},
		{"secret_key: ab/cdefgh+0123456 was", "secret_key: *** was"},
		{"passphrase: ab/cdefgh+0123456 was", "passphrase: *** was"},
		{"Authorization: SDK-HMAC-SHA256 Access=x, Signature=abc12", "Authorization: SDK-HMAC-SHA256 Access=x, Signature=***"},
		{`api_key: abcdefgh01234567 was`, `api_key: *** was`},
		{"Authorization:Bearer hunter2zq next", "Authorization:Bearer *** next"},
		{"Authorization:Basic aHVudGVyMg== next", "Authorization:Basic *** next"},
		{"password=xxxx", ""},
		{"password=...", ""},
		{"password=***", ""},
		{"password=%s", ""},
		{"password={pw}", ""},
		{"password=[hidden]", ""},
		{"password=os.environ", ""},
		{"redis://user:$PASS@cache", ""},
		{"sshpass -p $PASS1 ssh", ""},
	})
}

// TestMaskMemberBorders: members of JSON in odd orders, cut off, and within texts.
func TestMaskMemberBorders(t *testing.T) {
	checkMasked(t, Mask, []masked{
		{`{"name":"password","value":"hunter2","key":"secret"}`, `{"name":"password","value":"***","key":"secret"}`},
		{`{"value":"hunter2","password":"hunter3","name":"DB_PASSWORD"}`, `{"value":"***","password":"***","name":"DB_PASSWORD"}`},
		{`{"name":"DB_PASSWORD","value":123456}`, `{"name":"DB_PASSWORD","value":***}`},
		{`{"m":"{'lr': 1, 'password': 'hunter2'}"}`, `{"m":"{'lr': 1, 'password': '***'}"}`},
		{`{\"password\":[\"hunter2\", \"hunter3\"]}`, `{\"password\":[\"***\", \"***\"]}`},
		{"\"password\":\"cut of\nstep 3 \"x\"", "\"password\":\"***\nstep 3 \"x\""},
		{`{"name":"DB_PASSWORD"value":"hunter2"}`, `{"name":"DB_PASSWORD"value":"***"}`},
		{"{" + strings.Repeat(`"ak":"hunter2",`, 99) + "}", "{" + strings.Repeat(`"ak":"***",`, 99) + "}"},
		{`{"token":"abc123"}`, `{"token":"***"}`},
		{`{"my-token":"abc123"}`, `{"my-token":"***"}`},
		{`{"my.token":"abc123"}`, `{"my.token":"***"}`},
		{`{"token":"abc12"}`, ""},
		{`{"password":[],"value":[]}`, ""},
		{`{"token":"abcdefgh"}`, ""},
	})
}

// TestMaskPhoneBorders: what touches a number, a sum, and too few or too many digits.
func TestMaskPhoneBorders(t *testing.T) {
	checkMasked(t, Mask, []masked{
		{"job-138-1234-5678", ""},
		{"+138-1234-5678", ""},
		{"/138-1234-5678", ""},
		{"#138-1234-5678", ""},
		{"138-1234-5678/2", ""},
		{"138-1234-5678.log", ""},
		{"138-1234-5678:80", ""},
		{"138-1234-5678-a", ""},
		{"call 138-1234-5678. Then", "call ***. Then"},
		{"call 138-1234-5678: ok", "call ***: ok"},
		{"call 138-1234-5678.", "call ***."},
		{"为138-1234-5678是", "为***是"},
		{"值班　138-1234-5678", "值班　***"}, // behind a wide blank
		{"job_138-1234-5678 138-1234-5678_log", ""},
		{"+44 20 7946 0958", ""},
		{"x\n  +44 20 7946 0958\n  +44 20 7946 0959", ""},
		{"call +358 (1) 23 456", "call ***"},
		{"+1 (415) 555-2671", "***"},
		{"+1-415-555-2671", "***"},
		{"at +65 12 345 now", ""},
		{"Tel: +1 23 4567", ""},
		{"Tel: +65 1234 567", "Tel: ***"},
		{"Tel: +86 1234 1234 1234 12345", "Tel: ***"},
		{"Tel: +86 1234 1234 1234 123456", ""},
		{"id 1234567 138-1234", ""},
		{"1-1234567 x", ""},
	})
}

// TestMaskNamedValues: behind names that are not always those of secrets, the
// value has to fit.
func TestMaskNamedValues(t *testing.T) {
	for _, hidden := range []string{
		"pwd=‹abcd›", "pw=‹123456›", "pwd: ‹hunter2› x", "my_pw=‹hunter2›", "pwd=‹letters› x",
		"token=‹aB3defghi›", "pass=‹aB3defghi›", "pass=‹abcdef0123456789›", "XY_PASS=‹hunter2›", "db_pass=‹letters›",
		"pwd: ‹letters›", `pwd: "‹letters›" x`, "MY_SK=‹abcd1234›", "MY_AK=‹abcd1234›", "MY_TOKEN=‹abcd›", "my_token=‹abcd1234›", `token: "‹abcdef1234›"`,
		"--password ‹1234›", "--token ‹A1-B2C3D4›", `("--secret_key", "‹hunter2Zq›")`,
		"密码：‹0000›", "密码：‹9999›", "密码: ‹$aB3defghi›", "the password is ‹$aB3defghi›", "the password is ‹zzz1›", "the password is ‹ZZZ1›",
	} {
		i, j := strings.Index(hidden, "‹"), strings.Index(hidden, "›")
		in := strings.NewReplacer("‹", "", "›", "").Replace(hidden)
		checkMasked(t, Mask, []masked{{in, hidden[:i] + hiddenValue + hidden[j+len("›"):]}})
	}
	for _, in := range []string{
		"pwd=abc", "pw=12345", "pwd=~/x1ab", "pwd=./x1ab", "pwd: wrong again",
		"token=aB3defgh", "token=AB3DEFGHI", "token=ab3defghi", "token=aBcdefghi", "TOKEN=onlyletters",
		"first_pass=abcdef0123456789", "XY_PASS=onlyletters", "xy_pass=hunter2abc",
		"MY_SK=abc1234", "MY_AK=abc1234", "my_sk=abcd1234", "MY_TOKEN=abc", "MY_TOKEN=get_token() now", "my_token=abc1234", "my_token=onlyletters",
		"my_token=12345678", "my_token=a1b2c3d4/x", `token: "abcde1234"`, `token: "onlyletters"`, "token: abcdef1234",
		"--token 12345", "--token ZONE_AZ", "['--secret_key', '$SECRET_KEY1']",
		"the password is $PASS1", "the password is 123456", "the password is 123_456", "the password is 123456。请修改", "密码: ====", "the password is a1/b2c", "密码: $PASS1", "密码: ----",
		"end_of_text_token=abcd1234", "my_pad_token=abcd1234",
	} {
		checkMasked(t, Mask, []masked{{in, ""}})
	}
}
