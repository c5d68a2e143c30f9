package report

import (
	"strconv"
	"strings"
	"testing"
)

// TestMaskEverydaySpellings: "%s" stands where people write their secrets.
func TestMaskEverydaySpellings(t *testing.T) {
	for _, in := range []string{
		"python train.py --password %s --lr 1e-4", "train.py --lr 1 --token \\\n  '%s'", "--db-password %s", "--token %s", "--hf-token %s", "--hf_token '%s'",
		"--api-key %s", "--secret-key %s", "error: unrecognized arguments: --api_key %s",
		"PGPASSWORD=%s psql", "export MYSQL_PWD=%s", "DB_PASS=%s", "MY_TOKEN=%s", "pw=%s", "user=root pwd=%s",
		`{"HF_TOKEN": "%s", "A": "b"}`, `{"MY_TOKEN":"%s"}`, `{"DB_PASS": "%s"}`, `{"PGPASSWORD": "%s"}`, `{"MYSQL_PWD": "%s"}`,
		`db_pass: "%s"`, `pwd: "%s"`, `my-token: "%s"`, `passphrase: "%s"`,
		"curl -s -u admin:%s https://repo.example.com/x", "curl --user 'admin:%s' https://repo.example.com/x", "sshpass -p %s ssh host", "sshpass -p'%s' ssh host",
		"mysql -uroot -p%s -e 'select 1'", "obsutil config -i=AKAKAK -k=%s -e=obs.example.com", "obsutil config -i=%s -k=SKSKSK -t=TTTTTT",
		"machine example.com login dev password %s", "the password is %s", "密码：%s", "密码: %s", "口令=%s", "默认密码是%s，请修改",
		"--token=%s", "train.py --lr=1 --hf-token='%s'", `os.environ["SECRET_KEY"] = "%s"`, "cfg['password'] = '%s'", `os.putenv('DB_PASSWD','%s')`,
		`setenv("MY_SECRET", "%s", 1)`, `os.environ.get("HF_TOKEN", "%s")`, "<password>%s</password>", "<ns:secretKey>%s</ns:secretKey>",
		"obsutil config -i %s -k SKSKSK", "obsutil config -i AKAKAK -k %s -e obs.example.com",
		"登录密码【%s】", "授权码：%s", "password＝%s", "HUAWEICLOUD_SDK_SK=%s", "os.environ['MY_SECRET'] = '%s'", "config = {'secret': b'%s'}",
		"Authorization: Token %s", "authorization: bearer %s", "curl -H 'Authorization: Basic %s' https://x", "cookies={'session': '%s'}",
		"dsn: user:%s@tcp(db:3306)/train", "jdbc:oracle:thin:scott/%s@//db:1521/orcl", "AccountKey=%s;EndpointSuffix=x", "smtp user=a pass=%s",
		"('api_key', '%s')", "['train.py', '--secret_key', '%s', '--lr', '0.1']", "redirect=x%26access_token%3D%s%26state%3D1",
		"Cookie: lang=zh; session=%s", "> Set-Cookie: a=1; b=%s; Path=/",
	} {
		for _, secret := range []string{"hunter2Zq", "S3cr3tValue", "q8!Wz_pR4"} {
			plain := strings.ReplaceAll(in, "%s", secret)
			for _, in := range []string{plain, strconv.Quote(plain), strconv.Quote(strings.ReplaceAll(plain, "'", `"`))} {
				got := Mask(in)
				if strings.Contains(got, secret) {
					t.Errorf("Mask(%q) = %q", in, got)
				}
				if again := Mask(got); again != got {
					t.Errorf("Mask(%q) = %q, masked again %q", in, got, again)
				}
			}
		}
	}
	// Within quotes a secret may hold blanks, the other quote, and what its own
	// quotes escape, also where a text of JSON holds the command.
	for _, in := range []string{
		`os.environ.get("SK", "%s")`, `os.environ.setdefault("DB_PASSWORD", "%s")`, `getenv('API_KEY', '%s')`, `os.environ.get("SK", "%s`,
		`curl -u "admin:%s" http://proxy`, `curl -u 'CORP\alice:%s' http://proxy`, `sshpass -p "%s" ssh host`, `mysql -uroot -p'%s' -e 'select 1'`,
		`obsutil config -i="%s" -k="%s" -t "%s"`, `headers = {"Authorization": "Bearer %s", "x": 1}`, `Authorization='Token %s'`,
	} {
		for _, secret := range []string{"hunter2 hunter3 hunter4", " hunter2", "hunter2 it's hunter3", `hunter2 "hunter3"`, `hunter2\\ hunter3`, "猎人hunter2 密语hunter3"} {
			if own := strings.Contains(in, "\""); own && strings.Contains(secret, "\"") || !own && strings.Contains(secret, "'") || strings.HasPrefix(secret, " ") && strings.Contains(in, "mysql") {
				continue
			}
			in := strings.ReplaceAll(in, "%s", secret)
			for range 3 {
				got := Mask(in)
				if strings.Contains(got, "hunter") {
					t.Errorf("Mask(%q) = %q", in, got)
				}
				if again := Mask(got); again != got {
					t.Errorf("Mask(%q) = %q, masked again %q", in, got, again)
				}
				in = strconv.Quote(in)
			}
		}
	}
	// A secret may begin like the word that stands in the place of one.
	for _, in := range []string{"--password %s", `"password": "%s"`, "password: %s", "密码：%s", "密码: \"%s\"", "machine example.com login dev password %s"} {
		for _, in := range []string{in, strconv.Quote(in)} {
			for _, sign := range []string{"[", "{", "<", "%", "$"} {
				if got := Mask(strings.ReplaceAll(in, "%s", sign+"q8!Wz_pR4")); strings.Contains(got, "Wz") {
					t.Errorf("Mask of a secret that begins with %s in %q = %q", sign, in, got)
				}
			}
			for _, word := range []string{"[REDACTED]", "[hidden]", "[", "{password}", "<your password>", "%(password)s", "$DB_PASSWORD", "[NOT_SHOWN]", "[not-shown]", "[not shown]"} {
				plain := strings.ReplaceAll(in, "%s", word)
				if got := Mask(plain); got != plain {
					t.Errorf("Mask(%q) = %q", plain, got)
				}
			}
		}
	}
	// The domain of a user stands before a backslash.
	for _, in := range []string{
		`curl -u CORP\alice:Secret99 http://proxy`, `curl -u 'CORP\alice:Secret99' http://proxy`, `curl --user="CORP\\alice:Secret99" http://proxy`,
	} {
		for range 3 {
			want := strings.Replace(in, "Secret99", hiddenValue, 1)
			if got := Mask(in); got != want {
				t.Errorf("Mask(%q) = %q, want %q", in, got, want)
			}
			in = strconv.Quote(in)
		}
	}
	for _, in := range []string{
		"wandb login 0123456789abcdef0123456789abcdef01234567", "wandb login --relogin 0123456789abcdef0123456789abcdef01234567",
		"Namespace(lr=1, token='a0123456789abcdefnly')", "SK： q1w2e3r4t5y6u7i8o9p0nly",
		"AccessKeySecret = onlyletters", `"clientSecret": "onlyletters"`, "app.appSecret=onlyletters",
		"SENTRY_DSN=https://0123456789abcdef0123456789abcdef@o1.ingest.sentry.io/1", "--token=X0123456789abcdefX", "token: \"X0123456789abcdefX\"",
		"MY_TOKEN=OnlyLettersHere", "PGPASSWORD=OnlyLetters", "--password OnlyLetters", `{"DB_PASS": "onlyletters"}`,
	} {
		if got := Mask(in); !strings.Contains(got, hiddenValue) || strings.Contains(got, "nly") || strings.Contains(got, "0123456789abcdef") {
			t.Errorf("Mask(%q) = %q", in, got)
		}
	}
}

// TestMaskKeepsTokensOfTexts: what names tokens of a text or tells of a refused
// password is what a reader needs.
func TestMaskKeepsTokensOfTexts(t *testing.T) {
	for _, in := range []string{
		"--pad_token X9endoftext", "--eos-token im_end2", "eos_token: </s>", "bos_token_id=151643", "tokens/s 2100", "tokens/s: 2100",
		"num_tokens=131072", "max_tokens: 4096", "token ids 1 2 3", "tokenizer_path=/home/ma-user/x1/tok", "image_token=im_patch7",
		`FATAL:  password authentication failed for user "train1"`, "Invalid token", "PAD_TOKEN=PAD1", "MAX_TOKEN=4096",
		"the --token argument is required", "usage: x.py [--token TOKEN] [--password PASSWORD]", "x.py: error: argument --token: expected one argument",
		"--token $HF_TOKEN", "--password <password>", `--password \`, "--password --user x", "PWD=/home/ma-user/code1", "OLDPWD=/tmp/x1", "forward pass: 12ms", "first_pass=3ms",
		"--num-token=5", "--pad-token=<pad>", "--max_token=4096", "--token=$HF_TOKEN", "token='##ing'", "x['token_id'] = 1513", "<think>a1b2c3d4e5</think>", `os.environ.get("WORLD_SIZE", "1024000")`,
		"the password is incorrect", "password is required", "密码错误", "服务拒绝了作业的令牌：https://example.com/api/models/org/base-7b", "密钥：/home/ma-user/.ssh/id_rsa1", "密码: error", "ValueError: token: x1 is not in the vocabulary",
		"wandb: Currently logged in as: dev1. Use `wandb login --relogin` to force relogin", "SyntaxError: invalid token (train.py, line 12)",
		"curl: (7) Failed to connect to host port 443", `run "mysql -uroot -p" and type it, "x"`, "'mysql -p' is not found", "mysql --port 3306", "pw: 12", "cookie: 3 of them",
		"missing keys: ['api_key', 'base_url']", "pass: 12ms", "pass 3 of 4", "pass=fusion2", "ssh://gitlab-runner@host/x", "验证授权码：失败", "<token>", "authorization: required", "self.sk = 3", "TOP_SK=3",
		"RuntimeError: password 12", "drop_token: False", "use_special_token=True1",
	} {
		if got := Mask(in); got != in {
			t.Errorf("Mask(%q) = %q", in, got)
		}
	}
}
