package report

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMaskPhones: what people write of telephone numbers is hidden. The part
// between ‹ and › is the number.
func TestMaskPhones(t *testing.T) {
	for _, in := range []string{
		"电话：‹13812345678›", "手机号‹13812345678›", "联系电话: ‹138 1234 5678›", "请联系张三（‹138-1234-5678›）", "联系人：李四 ‹13912345678›",
		"紧急联系 ‹+86 13812345678› 王五", "电话 ‹010-62345678›，手机 ‹18612345678›", "办公电话：‹0755-28780808 转 8012›", "总机电话：‹0755-28780808 转 801234›", "电话：‹(0755) 28780808›",
		"热线 ‹4008001234›", "如有问题请致电‹400-800-1234›", "微信同号：‹13812345678›", "‹13812345678›（手机）", "‹13812345678› (mobile)",
		"Tel: ‹13812345678›", "tel:‹+8613812345678›", "phone ‹13812345678›", "my phone number is ‹138 1234 5678›.", "Mobile: ‹+1 415 555 2671›",
		`"phone": "‹13812345678›"`, `user_phone=‹13812345678›`, `{"contact_mobile":"‹13812345678›"}`, "Phone/WhatsApp: ‹+44 20 7946 0958›", "Fax: ‹+49 (0)30 1234567›",
		"ask me at ‹+86-138-1234-5678›", "(‹+86 138 1234 5678›)", "‹+8613812345678›", "‹008613812345678›", "‹0086 138 1234 5678›", "‹86-13812345678›",
		"‹138-1234-5678› 张三", "王工 ‹+1 (415) 555-2671›", "call ‹+1-415-555-2671›", "Ann, ‹+44 20 7946 0958›", "‹+86 755 28780808› 华为", "‹+86-10-62345678›", "Hong Kong ‹+852 2123 4567›, Singapore ‹+65 6123 4567›",
		"电话:\"‹13812345678›\"", "手机/微信：‹13812345678›", "传真：‹010 6234 5678›", "电话: ‹0755-2878-0808›", "call me at ‹(+86)13812345678›", "张三 ‹（+86）138-1234-5678›",
	} {
		plain := strings.NewReplacer("‹", "", "›", "").Replace(in)
		want := ""
		for i, part := range strings.FieldsFunc(in, func(r rune) bool { return r == '‹' || r == '›' }) {
			if strings.HasPrefix(in, "‹") == (i%2 == 0) {
				part = hiddenValue
			}
			want += part
		}
		got := Mask(plain)
		if got != want {
			t.Errorf("Mask(%q)\n got %q\nwant %q", plain, got, want)
		}
		if again := Mask(got); again != got {
			t.Errorf("Mask(%q) = %q, masked again %q", plain, got, again)
		}
	}
}

// TestMaskKeepsNumbers: a number that nobody calls a telephone's stays.
func TestMaskKeepsNumbers(t *testing.T) {
	for _, in := range []string{
		"consumed samples: 13812345678", "consumed samples:  13812345678 | elapsed time per iteration (ms): 1381.2", "13812345678", "step 13812345678/19912345678",
		"allocated 13812345678 bytes", "pid 13812345", "epoch ms 1767225600123", "ts=1780364517123", "at 17803645171", "tokens 18612345678 of 19012345678",
		"delta +10737418240", "offset=+13812345678", "grad norm: +1.3812345678e+10", "2026-06-02T09:41:57+08:00", "2026-06-02 09:41:57.123+0800", "+08:00",
		"@@ -138,12 +138,56 @@", "+10 20 30 40 50", "+138 1234 5678", "x = a +86 1380 1234", "138 1234 5678", "  138   1234   5678", "values: [138, 1234, 5678]",
		"job 0f9a1f2e-1381-1234-5678-5a1b2c3d4e5f", "138-1234-56789", "2138-1234-5678", "a138-1234-5678", "v138-1234-5678.log", "138-1234-5678-9", "10.138-1234-5678",
		"MobileNetV2 params 13812345678", "mobile samples: 13812345678", "mobile 13812345678 parameters", "telemetry 13812345678", "phoneme count 13812345678", "phones: 13812345678 rows", "hotel 13812345678",
		"手机评论数据 13812345678 条", "联系到的样本 13812345678 个", "电话数据集共 13812345678 条", "电话录音数据集，13812345678", "手机数据 step 13812345678", "电话 13812345678 条", "联系 17803645171230",
		"联系管理员，step 13812345678", "phone dataset: consumed samples: 13812345678", "job-13812345678", "phone model at step 13812345678",
		"0x13812345678", "log-0602-09415012", "0755-28780808", "chmod 0755-0644", "mask 0086 1381", "addr 0086138123456789abc", "00861381234567890", "serial 8613812345678", "HCCL(13812345678,python)",
		"+86", "0086", "tel", "电话", "rank +1", "lr 1e+10 13812345678", "请在控制台联系客服", "+1 234 5678 90123", "+12 345 678 901", "loss +44 20 7946 095812345678",
		"ECS 400-800-1234", "C++14 11-2233-4455", "g++ 123 456 7890", "mobile: 3.5.1", "tel: 8080", "phone: 1767225600123",
	} {
		if got := Mask(in); got != in {
			t.Errorf("Mask(%q) = %q", in, got)
		}
	}
}

// TestMaskPhonesNeverTouchesBareNumbers: whatever number a log counts.
func TestMaskPhonesNeverTouchesBareNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<62).Draw(t, "number")
		word := rapid.SampledFrom([]string{"step", "consumed samples:", "bytes", "pid", "elapsed_ms=", "ts", "第", "样本数：", "共", "tokens seen"}).Draw(t, "word")
		in := word + " " + rapid.SampledFrom([]string{"", "[", "(", "-"}).Draw(t, "before") + strconv.FormatInt(n, 10)
		if got := Mask(in); got != in {
			t.Fatalf("Mask(%q) = %q", in, got)
		}
	})
}
