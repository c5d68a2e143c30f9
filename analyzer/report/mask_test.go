package report

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestMask holds the masking against lines as logs really print them. A want of
// "" means that the line stays as it is.
func TestMask(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		// Keys and tokens.
		{"export AK=QTWAOYTTINDUT2QVKYUC", "export AK=***"},
		{`"access": "QTWAOYTTINDUT2QVKYUC", "secret": "MFyfvK41ba2giqM7Uio6PznpdUKGpownRZlmVmHc"`, `"access": "***", "secret": "***"`},
		{"sk MFyfvK41ba2giqM7Uio6PznpdUKGpownRZlmVmHc given", "sk *** given"},
		{"login with hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ01234567 failed", "login with hf_*** failed"},
		{"fatal: https://ghp_16C7e42F292c6912E7710c838347Ae178B4a@github.com/a/b.git", "fatal: https://ghp_***@github.com/a/b.git"},
		{"Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3", "Authorization: Bearer ***"},
		{"fe80::1+86 13812345678", "fe80::******"}, // two that touch
		{"header bearer abcdef0123456789abcdef", "header bearer ***"},
		{`{"X-Auth-Token": "MIIabc"}`, `{"X-Auth-Token": "***"}`},
		{"X-Auth-Token:MIIEvgIBADANBgkqhkiG", "X-Auth-Token:***"},
		{"OPENAI_API_KEY=sk-proj-1234567890abcdefABCD1234 python train.py", "OPENAI_API_KEY=*** python train.py"},
		{"key sk-1234567890abcdefABCD1234 refused", "key sk-*** refused"},
		{"WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567", "WANDB_API_KEY=***"},
		{"HF_TOKEN=aBcDeFgHiJkL0123456789", "HF_TOKEN=***"},
		{"token: 8d3f0a91c2b74e55a6f1", "token: ***"},
		{"mysql password=hunter2 host=db", "mysql password=*** host=db"},
		{"  password: hunter2", "  password: ***"},
		{`\"secret_key\": \"abc def\"`, `\"secret_key\": \"***\"`},
		{"connecting to redis://user:p4ss@cache:6379/0", "connecting to redis://user:***@cache:6379/0"},
		{"pip: https://dev:t0ken@mirror.example.com/simple", "pip: https://dev:***@mirror.example.com/simple"},
		{"GET https://b.obs.cn-north-4.myhuaweicloud.com/x/y.log?AWSAccessKeyId=QTW&Expires=1700&Signature=a%2Fb 403", "GET https://b.obs.cn-north-4.myhuaweicloud.com/x/y.log?*** 403"},
		{"args AWSAccessKeyId=QTWAO&Expires=1700&Signature=abc%3D", "args AWSAccessKeyId=***&Expires=1700&Signature=***"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----"},
		{"github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuv", "github_pat_***"},

		// Addresses.
		{"Connect call failed ('10.0.3.21', 18081)", "Connect call failed ('10.*.*.*', 18081)"},
		{"tcp://192.168.0.7:29500", "tcp://192.*.*.*:29500"},
		{"[c10d] failed to connect to [::ffff:172.16.3.9]:29500", "[c10d] failed to connect to [::ffff:172.*.*.*]:29500"},
		{"peer 122.9.14.77 closed", "peer 122.*.*.* closed"},
		{"connect to 8.8.8.8:53 failed", "connect to 8.*.*.*:53 failed"},
		{"reached 10.1.2.3.", "reached 10.*.*.*."},
		{"tag[AllReduce_172.16.40.11%enp189s0f0_60000_0_17], group:[10.1.0.1%eth0_30000_0_1]", "tag[AllReduce_172.*.*.*%enp189s0f0_60000_0_17], group:[10.*.*.*%eth0_30000_0_1]"},
		{"route fe80::f816:3eff:fe12:3456%eth0", "route fe80::***%eth0"},
		{"from [2001:db8::1]:443", "from [2001::***]:443"},
		{"addr 2001:0db8:85a3:0000:0000:8a2e:0370:7334 lost", "addr 2001::*** lost"},
		{"mail li.ming@example.com.cn for help", "mail ***@*** for help"},

		// What must stay.
		{"listening on 0.0.0.0:8080 and 127.0.0.1:29500 and [::]:22 and [::1]:80", ""},
		{"netmask 255.255.255.0", ""},
		{"cuDNN 8.9.2.26, nvidia-cublas-cu12==12.1.3.1", ""},
		{"you have nvidia-curand-cu12 10.3.5.147 which is incompatible.", ""},
		{"libcublas.so.12.4.5.8: cannot open shared object file", ""},
		{"driver version: 23.0.3.1", ""},
		{"CANN 7.0.0.5.220 and HDK 24.1.0.3", ""},
		{"package demo 2.1.0.1 is older than 2.1.0.4", ""},
		{"torch-2.1.0.12-cp39-cp39-linux_aarch64.whl", ""},
		{"2026-06-02 09:41:57.123 step 12:30:45", ""},
		{"NVRM: Xid (PCI:0000:5e:00): 79, pid=1, GPU has fallen off the bus", ""},
		{"device 0000:81:00.0 at 0x7f3c5a1b2c3d, mac fa:16:3e:12:34:56", ""},
		{"std::string c10::cuda::add a::b dead::beef c10::d", ""},
		{"undefined symbol: _ZN3c104cuda14ExchangeDeviceEa", ""},
		{"job 0f9a1f2e-7c1b-4a52-9d0e-5a1b2c3d4e5f at commit 4103c3e2b1a0f9e8d7c6b5a4f3e2d1c0b9a81234", ""},
		{"[ERROR] HCCL(3319,python):2026-06-02-09:41:57.123.456 [hccl_comm.cc:512]errNo[0x000000000500000b]", ""},
		{"EI0002: [PID: 3319] 2026-06-02-09:41:57.123.456 The wait execution of the Notify register times out.", ""},
		{"attn = q@k.transpose(-2, -1) + x@self.weight", ""},
		{"y = a@b.T; z = query@key.in_proj(x)", ""},
		{"Cloning git@github.com:org/repo.git", ""},
		{"pad_token: <pad>, eos_token=</s>, max_tokens=4096, token_id: 50256", ""},
		{"tokenizer: LlamaTokenizer token=True", ""},
		{"ValueError: Unexpected token: } in JSON at position 12", ""},
		{"fatal: Password: authentication failed for the account", ""},
		{"Password: authentication failed", ""},
		{"KeyError: 'password'", ""},
		{"secret \"obs-ak\" not found", ""},
		{"TypeError: login() missing argument: 'token'", ""},
		{"export HF_TOKEN=$MY_TOKEN; --password=<password>", ""},
		{"api_key=None, secret=null", ""},
		{"/home/ma-user/modelarts/outputs/train_url_0/exp7", ""},
		{"https://huggingface.co/a/b/resolve/main/x.bin?download=true", ""},
		{"SN: 2102313CJK10KC000012", ""},
		{"key: model.layers.10.self_attn.q_proj.weight", ""},
		{"size mismatch for key=transformer.h.0.attn.c_attn.weight", ""},
		{"RuntimeError: basic string construction from null", ""},
		{"CUDA_VISIBLE_DEVICES=0,1,2,3 NCCL_DEBUG=INFO ABCDEFGHIJKLMNOPQRST", ""},
		{"sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae", ""},
		{"训练作业运行失败，退出码：137", ""},
	} {
		want := tt.want
		if want == "" {
			want = tt.in
		}
		got := Mask(tt.in)
		if got != want {
			t.Errorf("Mask(%q)\n got %q\nwant %q", tt.in, got, want)
		}
		if again := Mask(got); again != got {
			t.Errorf("Mask(%q) = %q, masked again %q", tt.in, got, again)
		}
	}
}

// TestMaskStable: masking is a projection, whatever the text.
func TestMaskStable(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"10.0.0.1", "::", "fe80::1", "1.2.3.4.5", "token=", "password: ", "abc123def456ghi789", `"`, "'", " ", ":", "@", "a.com", "https://", "?", "Signature=", "&", "\\", "hf_", "***", "Bearer ", "\n", "x",
		`"password": "`, `"name": "`, `", "value": "`, "[", "]", "{", "}", ", ", "cookie: ", "a=b;", "--secret-key ", "curl -u ", "login -p ", "password is ", "密码是", "电话", "+86 13812345678", "AKIAABCDEFGHIJKLMNOP", "API_TOKEN=", "pad_token", "</password>", "<password>", "environ.get('token', '", "obsutil -i ", "-k=", "token%3D", "MY_SK", "=>", "Authorization", "eyJ", ".eyJ", "-----BEGIN RSA PRIVATE KEY-----", "AbCdE12345",
	})
	rapid.Check(t, func(t *rapid.T) {
		s := ""
		for _, p := range rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces") {
			s += p
		}
		once := Mask(s)
		if twice := Mask(once); twice != once {
			t.Fatalf("Mask(%q) = %q, masked again %q", s, once, twice)
		}
	})
}

// FuzzMask: what is masked stays as it is when it is masked again, also by the
// mask that keeps private addresses, and does not grow beyond bounds.
func FuzzMask(f *testing.F) {
	f.Add("password=abc 10.0.0.1 fe80::1 a@b.com https://u:p@h/?Signature=x")
	f.Add("-----BEGIN PRIVATE KEY-----\n\xff")
	f.Add(`{"name": "DB_PASSWORD", "value": "swordfish1"} token: "abc123def456ghi789" --secret-key V1x9 Authorization: Bearer abcdef0123456789abcd`)
	f.Add("密码是 Abc12345，电话：13812345678 curl -u me:pw2 obsutil -i=AK -k=SK cookie: a=b; c=d")
	f.Fuzz(func(t *testing.T, s string) {
		once := Mask(s)
		if again := Mask(once); again != once {
			t.Errorf("Mask(%q) = %q, masked again %q", s, once, again)
		}
		if again := MaskForPrograms(once); again != once {
			t.Errorf("Mask(%q) = %q, for programs %q", s, once, again)
		}
		if len(once) > 8*len(s)+8 || utf8.ValidString(s) && !utf8.ValidString(once) {
			t.Errorf("Mask(%q) = %q", s, once)
		}
	})
}

func TestMaskForProgramsKeepsPrivateAddresses(t *testing.T) {
	in := "connect to 10.0.3.21:18081 and 100.64.1.2 via 114.115.10.9, token=a1b2c3d4e5f6a7b8c9"
	want := "connect to 10.0.3.21:18081 and 100.64.1.2 via 114.*.*.*, token=***"
	if got := MaskForPrograms(in); got != want {
		t.Errorf("MaskForPrograms(%q)\n got %q\nwant %q", in, got, want)
	}
}
