package corpus

import (
	"fmt"
	"strconv"
)

// maxPlaceholder bounds the numbers of placeholders.
const maxPlaceholder = 1 << 40

// lastIPv4 is the last number for which the range of RFC 2544 has an address.
const lastIPv4 = 1<<17 - 1

// placeholder writes the n-th placeholder of a kind. No two are alike.
func placeholder(kind string, n int) string {
	switch {
	case kind == "ipv4" && n <= lastIPv4:
		return fmt.Sprintf("198.%d.%d.%d", 18+n>>16, n>>8&255, n&255)
	case kind == "ipv6":
		return fmt.Sprintf("2001:db8::%x", n)
	case kind == "mail":
		return fmt.Sprintf("user-%d@example.com", n)
	case kind == "user", kind == "host", kind == "bucket":
		return fmt.Sprintf("%s-%d", kind, n)
	}
	return fmt.Sprintf("<%s-%d>", kind, n)
}

var placeholderForm = compiled(`^(?:<(secret|query|endpoint|phone|ipv4)-([0-9]{1,13})>|198\.(18|19)\.([0-9]{1,3})\.([0-9]{1,3})|2001:db8::([0-9a-f]{1,11})|user-([0-9]{1,13})@example\.com|(user|host|bucket)-([0-9]{1,13}))$`)

func isPlaceholder(s string) bool { return placeholderForm().MatchString(s) }

// readPlaceholder gives the kind and the number of a placeholder, "" for what is
// none.
func readPlaceholder(s string) (kind string, n int) {
	m := placeholderForm().FindStringSubmatch(s)
	if m == nil {
		return "", 0
	}
	number := func(s string, base int) int {
		n, _ := strconv.ParseInt(s, base, 64) // of as many digits as the form lets through
		return int(n)
	}
	switch {
	case m[1] != "":
		kind, n = m[1], number(m[2], 10)
	case m[3] != "":
		kind, n = "ipv4", (number(m[3], 10)-18)<<16|number(m[4], 10)<<8|number(m[5], 10)
	case m[6] != "":
		kind, n = "ipv6", number(m[6], 16)
	case m[7] != "":
		kind, n = "mail", number(m[7], 10)
	default:
		kind, n = m[8], number(m[9], 10)
	}
	if n > maxPlaceholder || placeholder(kind, n) != s {
		return "", 0
	}
	return kind, n
}
