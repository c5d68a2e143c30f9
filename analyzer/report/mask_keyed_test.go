package report

import (
	"strings"
	"testing"
)

// TestMaskWrappedValues: however a program writes a value down behind a key, it is
// hidden; "@" stands where the value does.
func TestMaskWrappedValues(t *testing.T) {
	for _, form := range []string{
		"password=b'@'", "password=u'@'", "password=r'@'", `PASSWORD=f"@"`, "password=$'@'", "password='''@'''", `password="""@"""`,
		"password=Secret('@')", "password=SecretStr(secret_value='@')", "password=bytes('@', 'utf-8')", "password = os.getenv('PW', '@')", `secret_key = base64.b64decode("@")`,
		"password='@", `password="@`, `{"password": u"@"}`, `{\"password\": b\"@\"}`,
		"password=%22@%22", "password%22:%22@%22", "password&quot;:&quot;@&quot;", "password&#34;: &#34;@&#34;",
		"password -> @", "password == @", "password == '@'", "| password | @ |", "password|@", "password=[@]", "password=『@』",
		"pass_word=@", "pass-word: @", "credential=@", `credentials="@"`, "ak=@", "sk: @",
	} {
		for _, secret := range []string{"hunter2", "hunterSecret99"} {
			in := strings.ReplaceAll(form, "@", secret)
			got := Mask(in)
			if strings.Contains(got, "hunter") {
				t.Errorf("Mask(%q) = %q", in, got)
			}
			if again := Mask(got); again != got {
				t.Errorf("Mask(%q) = %q, masked again %q", in, got, again)
			}
		}
	}
	checkMasked(t, Mask, []masked{
		{"token: b'hunterSecret99'", "token: b'***'"},
		{"password=<hunterSecret99>", "password=***"},
		{"password=bytes('hunter2', 'utf-8'), x=1", "password=bytes('***'), x=1"},
	})
}

// TestMaskLeavesWhatIsLookedUp: the name of a key, what stands in the place of a value,
// and a column of a table are no secrets, and readers need them.
func TestMaskLeavesWhatIsLookedUp(t *testing.T) {
	for _, in := range []string{
		`api_key = os.getenv("OPENAI_API_KEY")`, `secret_key = config.get("secret_key")`, `password = get_password("db_password")`, `password=os.environ.get("DB_PW")`,
		`token = tokenizer.decode("hello")`, "def access_token() -> str:", "token -> id", `if password == "":`, "assert key == value", "key == layer12",
		"| token | probability |", "password|name|size", "signature: [batch, 3]",
		"password: <your-password>", "password: ${DB_PASSWORD}", "password = %(password)s", "password={password}", "access_key: <secret-12>", "'password': <secret-3>,",
		`"password": "[not set]"`, "password: [no_value]", "password: [no-value]", `password="{key}"`, `password="%(password)s"`,
		"pwd: /home/ma-user/work12", "sk=0.1234e-05", "ak=12", "ak: v1.2.3", "sk: 12.5GB",
	} {
		checkMasked(t, Mask, []masked{{in, ""}})
	}
}
