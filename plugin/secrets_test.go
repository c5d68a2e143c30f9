package main

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// kind is a kind of secret: how one looks, and where it stands.
type kind struct {
	name string
	make func(seed string) string
	in   string // a line of a log or a message; "%s" is the secret
}

func digest(seed string) []byte { s := sha256.Sum256([]byte(seed)); return s[:] }

func lettersOf(seed string, n int) string {
	s := base64.RawURLEncoding.EncodeToString(append(digest(seed), digest(seed+"+")...))
	return strings.NewReplacer("-", "x", "_", "y").Replace(s)[:n]
}

func upper(seed string, n int) string {
	return base32.StdEncoding.EncodeToString(append(digest(seed), digest(seed+"+")...))[:n]
}

func hexed(seed string, n int) string { return hex.EncodeToString(digest(seed))[:n] }

func digitsOf(seed string, n int) string {
	b := digest(seed)
	for i := range b {
		b[i] = '1' + b[i]%9
	}
	return string(b[:n])
}

func after(prefix string, n int) func(string) string {
	return func(seed string) string { return prefix + lettersOf(seed, n) }
}

func octet(seed string, i int) int { return int(digest(seed)[i]) }

// kinds are the secrets of a training job: of the cloud, of the services that
// code talks to, and of the people and machines around it.
var kinds = []kind{
	{"access key", func(s string) string { return "HPUA" + upper(s, 12) + "XYZ9" }, "client = ObsClient(ak %s) ready"},
	{"secret key", func(s string) string { return "Ab1" + lettersOf(s, 35) + "Z9" }, "using sk %s now"},
	{"keyed secret key", func(s string) string { return lettersOf(s, 24) }, "secret_access_key=%s"},
	{"security token", func(s string) string { return lettersOf(s, 60) }, "x-security-token: %s"},
	{"IAM token", func(s string) string { return "MII" + lettersOf(s, 80) + lettersOf(s+"b", 80) }, "token %s received"},
	{"auth token header", func(s string) string { return lettersOf(s, 40) }, "X-Auth-Token: %s"},
	{"password", func(s string) string { return "Pw!" + lettersOf(s, 12) }, "db password=%s host=db"},
	{"password of a URL", func(s string) string { return lettersOf(s, 14) }, "connecting to postgresql://train:%s@db.internal:5432/metrics"},
	{"signed link", func(s string) string { return lettersOf(s, 27) + "%3D" }, "GET https://b.obs.cn-north-4.myhuaweicloud.com/x.log?AWSAccessKeyId=X&Expires=1780365127&Signature=%s"},
	{"web token", func(s string) string {
		return "eyJ" + lettersOf(s, 17) + ".eyJ" + lettersOf(s+"b", 30) + "." + lettersOf(s+"c", 30)
	}, "cookie jar: %s"},
	{"bearer", func(s string) string { return lettersOf(s, 32) }, "> Authorization: Bearer %s"},
	{"basic", func(s string) string { return lettersOf(s, 32) }, "proxy says Basic %s"},
	{"Hugging Face token", after("hf_", 34), "login with %s"},
	{"GitHub token", after("ghp_", 36), "git clone with %s"},
	{"GitLab token", after("glpat-", 20), "remote uses %s"},
	{"OpenAI key", after("sk-", 48), "judge model key %s"},
	{"Slack token", after("xoxb-", 40), "notify by %s"},
	{"Google key", after("AIza", 35), "maps %s"},
	{"AWS key", func(s string) string { return "AKIA" + upper(s, 16) }, "s3 client %s"},
	{"npm token", after("npm_", 36), "registry %s"},
	{"PyPI token", after("pypi-", 60), "upload by %s"},
	{"Weights & Biases key", func(s string) string { return hexed(s, 40) }, "WANDB_API_KEY=%s"},
	{"image login", func(s string) string { return hexed(s, 64) }, "docker login -u cn-north-4@AK -p %s swr.cn-north-4.myhuaweicloud.com"},
	{"bot token", func(s string) string { return digitsOf(s, 9) + ":AA" + lettersOf(s, 33) }, "telegram %s"},
	{"webhook", func(s string) string { return hexed(s, 8) + "-" + hexed(s+"b", 24) }, "POST https://open.feishu.cn/open-apis/bot/v2/hook/%s"},
	{"private key", func(s string) string { return lettersOf(s, 64) }, "-----BEGIN RSA PRIVATE KEY-----\n%s\n-----END RSA PRIVATE KEY-----"},
	{"client key", func(s string) string { return lettersOf(s, 48) }, "client-key-data: %s"},
	{"private address", func(s string) string {
		return fmt.Sprintf("10.%d.%d.%d", octet(s, 0), octet(s, 1), 40+octet(s, 2)%200)
	}, "NCCL INFO NET/Socket : Using eth0:%s<0>"},
	{"public address", func(s string) string {
		return fmt.Sprintf("121.%d.%d.%d", 40+octet(s, 0)%200, octet(s, 1), octet(s, 2))
	}, "connect to %s:29500 failed"},
	{"IPv6 address", func(s string) string {
		return fmt.Sprintf("2408:4003:%x:%x::%x", 4096+octet(s, 0), 4096+octet(s, 1), 4096+octet(s, 2))
	}, "listening on [%s]:29500"},
	{"mail", func(s string) string { return strings.ToLower(lettersOf(s, 8)) + "@corp-mail.com" }, "contact %s for access"},
	{"user", func(s string) string { return "dev-" + strings.ToLower(lettersOf(s, 7)) }, "cd /home/%s/project"},
	{"host", func(s string) string { return "gpu-" + strings.ToLower(lettersOf(s, 7)) + "-node" }, "HOSTNAME=%s"},
	{"flag", func(s string) string { return "Fl" + lettersOf(s, 9) + "4" }, "python train.py --password %s --lr 1"},
	{"flag with a prefix", func(s string) string { return "Fp" + lettersOf(s, 9) + "4" }, "python train.py --db-password %s --lr 1"},
	{"token flag", func(s string) string { return "Tf" + lettersOf(s, 9) + "4" }, "python train.py --hf-token %s --lr 1"},
	{"key flag", func(s string) string { return "Kf" + lettersOf(s, 9) + "4" }, "python train.py --api-key %s --secret-key %s"},
	{"PostgreSQL's variable", func(s string) string { return "Pg" + lettersOf(s, 9) + "4" }, "PGPASSWORD=%s psql -c 'select 1'"},
	{"MySQL's variable", func(s string) string { return "My" + lettersOf(s, 9) + "4" }, "MYSQL_PWD=%s DB_PASS=%s"},
	{"variable of a token", func(s string) string { return "Vt" + lettersOf(s, 9) + "4" }, "export MY_TOKEN=%s"},
	{"short key", func(s string) string { return "Sk" + lettersOf(s, 9) + "4" }, "user=root pw=%s"},
	{"environment", func(s string) string { return "En" + lettersOf(s, 9) + "4" }, `{"HF_TOKEN": "%s", "MYSQL_PWD": "%s", "DB_PASS": "%s"}`},
	{"curl", func(s string) string { return "Cu" + lettersOf(s, 9) + "4" }, "curl -s -u admin:%s https://repo.example.com/a"},
	{"sshpass", func(s string) string { return "Ss" + lettersOf(s, 9) + "4" }, "sshpass -p %s ssh host"},
	{"mysql", func(s string) string { return "Mq" + lettersOf(s, 9) + "4" }, "mysql -uroot -p%s -e 'select 1'"},
	{"obsutil", func(s string) string { return "Ob" + lettersOf(s, 9) + "4" }, "obsutil config -i=%s -k=%s -e=obs.example.com"},
	{"wandb", func(s string) string { return hexed(s, 40) }, "wandb login %s"},
	{"netrc", func(s string) string { return "Nr" + lettersOf(s, 9) + "4" }, "machine api.example.com login dev password %s"},
	{"sentence", func(s string) string { return "Se" + lettersOf(s, 9) + "4" }, "the password is %s"},
	{"密码", func(s string) string { return "Zh" + lettersOf(s, 9) + "4" }, "密码：%s"},
	{"口令", func(s string) string { return "Kl" + lettersOf(s, 9) + "4" }, "口令=%s"},
	{"second cookie", func(s string) string { return "Co" + lettersOf(s, 9) + "4" }, "Cookie: lang=zh; session=%s"},
	{"JupyterLab", func(s string) string { return hexed(s, 32) }, "open https://authoring-modelarts-cnnorth4.huaweicloud.com/%s/lab"},
}

// perKind is how many secrets of each kind are seeded.
const perKind = 10

// seeded gives every secret and the lines that hold them.
func seeded() (secrets, lines []string) {
	for i := range perKind {
		for _, k := range kinds {
			s := k.make(fmt.Sprint(k.name, i))
			secrets = append(secrets, s)
			lines = append(lines, strings.ReplaceAll(k.in, "%s", s))
		}
	}
	return secrets, lines
}

// secretScene puts the secrets everywhere that an answer has room for them.
func secretScene(lines []string) []said {
	part := func(i int) string {
		var some []string
		for j := i; j < len(lines); j += 3 {
			some = append(some, lines[j])
		}
		return strings.Join(some, "\n") + "\n"
	}
	env := fmt.Sprintf(`{"NOTE": %s, "NESTED": %s}`, quoted(part(2)), quoted(`{"a": `+quoted(part(1))+`}`))
	answers := one(oomJob, "Failed", part(0)+traceback, 1, part(1)+part(2), append(strings.SplitAfter(part(2), "\n"), "Training job failed.")...)
	answers[0].out = strings.Replace(answers[0].out, `"status":`, `"algorithm": {"environments": [`+env+`], "command": `+quoted(part(0))+`}, "status":`, 1)
	answers[2].out = "notice: " + strings.ReplaceAll(part(0), "\n", " ") + "\n" + stages
	answers[3].out = `[{"task": "worker-0", "ip": ` + quoted(lines[0])
	answers[4].out = "[USE_ERROR]" + part(1)
	return append(answers, said{listOf(0, filter("phase", "in", abnormal...)), pageOf(answers[0].out)})
}

// TestNoSecretLeaves seeds secrets into every answer and looks for them in all
// that is written and printed. With SECRETS_DIR set, the answers and what was
// recorded of them stay in that folder, for another scanner to compare.
func TestNoSecretLeaves(t *testing.T) {
	secrets, lines := seeded()
	if len(secrets) < 300 || len(kinds) < 30 {
		t.Fatalf("%d secrets of %d kinds", len(secrets), len(kinds))
	}
	dir := os.Getenv("SECRETS_DIR")
	if dir == "" {
		dir = t.TempDir()
	}
	source := scene(t, secretScene(lines)...)
	if err := os.CopyFS(filepath.Join(dir, "seeded"), os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	recorded := filepath.Join(dir, "recorded")
	program := stand(t, source)
	printed := ""
	for _, args := range [][]string{
		{"record", oomJob, "--mask-buckets"},
		{"diagnose", oomJob}, {"diagnose", oomJob, "--format=json", "--why"}, {"diagnose", oomJob, "--format=text", "--lang=en"},
		{"diagnose", oomJob, "--format=html"}, {"scan", "--format=csv"}, {"scan", "--format=json"}, {"watch", oomJob},
		{"corpus", "show", oomJob}, {"corpus", "export", oomJob, filepath.Join(dir, "recorded.zip")}, {"doctor"},
	} {
		got := beside(t, program, recorded, args...)
		if got.code != exitOK && args[0] != "doctor" {
			t.Errorf("%q: exit code %d: %s", args, got.code, got.stderr)
		}
		printed += got.stdout + got.stderr
	}
	printed = strings.ReplaceAll(printed, dir, "DIR") // whose name may be of random letters and digits
	if err := os.WriteFile(filepath.Join(recorded, "printed.txt"), []byte(printed), 0o644); err != nil {
		t.Fatal(err)
	}
	files := 0
	err := filepath.WalkDir(recorded, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		for i, s := range secrets {
			if strings.Contains(string(data), s) {
				t.Errorf("%s holds the %s %q", filepath.Base(p), kinds[i%len(kinds)].name, s)
			}
		}
		for _, m := range looksSecret.FindAllString(string(data), 3) {
			t.Errorf("%s holds what looks like a secret: %q", filepath.Base(p), m)
		}
		return nil
	})
	if err != nil || files < 20 {
		t.Fatalf("%d files: %v", files, err)
	}
	if n := strings.Count(printed, "FileNotFoundError"); n < 4 {
		t.Errorf("the decisive line is shown %d times", n)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "seeded", "exchanges", "0006-ShowTrainingJobLogsPreview-worker-0.json"))
	if err != nil || len(looksSecret.FindAll(raw, -1)) < 100 {
		t.Errorf("the scan of this test finds little in the seeded answers: %v", err)
	}
}

// looksSecret is a scan that knows nothing of the masking: long runs that mix
// cases and digits, and addresses that are not set aside for examples. Hashes
// and identifiers of the case, in lower case, are none.
var looksSecret = regexp.MustCompile(`\b(?:10|121)\.\d+\.\d+\.\d+\b|\b2408:|@corp-mail|\b(?:[A-Za-z0-9]*[A-Z][A-Za-z0-9]*\d[A-Za-z0-9]*[A-Z][A-Za-z0-9]*\d[A-Za-z0-9]*[A-Z][A-Za-z0-9]*\d[A-Za-z0-9]*)\b`)
