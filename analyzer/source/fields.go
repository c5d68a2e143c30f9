package source

import (
	"bytes"
	"encoding/json"
)

// eachField calls f for every key and value of the JSON object that b is,
// without looking into the values. It says whether b is one object and nothing
// else.
func eachField(b []byte, f func(key, value []byte)) bool {
	i := blank(b, 0)
	if i >= len(b) || b[i] != '{' {
		return false
	}
	i = blank(b, i+1)
	for i < len(b) && b[i] == '"' {
		end := stringEnd(b, i)
		if end < 0 {
			return false
		}
		key := b[i+1 : end-1]
		i = blank(b, end)
		if i >= len(b) || b[i] != ':' {
			return false
		}
		start := blank(b, i+1)
		i = valueEnd(b, start)
		if i <= start {
			return false
		}
		f(key, b[start:i])
		i = blank(b, i)
		if i < len(b) && b[i] == ',' {
			i = blank(b, i+1)
			continue
		}
		break
	}
	return i < len(b) && b[i] == '}' && blank(b, i+1) == len(b)
}

func blank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// stringEnd gives the place behind the string that starts at b[i], -1 when it
// has no end.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// valueEnd gives the place behind the value that starts at b[i], -1 when it
// has no end.
func valueEnd(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch c := b[i]; c {
		case '"':
			if i = stringEnd(b, i); i < 0 {
				return -1
			}
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']', ',':
			if depth == 0 {
				return i
			}
			if c != ',' {
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		i++
	}
	return -1
}

// unquote gives the text of a JSON string, "" for any other value.
func unquote(value []byte) string {
	if len(value) < 2 || value[0] != '"' {
		return ""
	}
	inner := value[1 : len(value)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	if bytes.Contains(inner, []byte(`\u`)) {
		var s string
		if json.Unmarshal(value, &s) == nil {
			return s
		}
	}
	return unescapeOnce(string(inner))
}
