package report

import (
	"bytes"
	"encoding/json"
	"fmt"

	"hcloud-modelarts/analyzer/source"
)

// JSON renders reports for programs: one as an object, several as an array.
func JSON(reports []Report) ([]byte, error) {
	list := make([]*Report, len(reports))
	for i := range reports {
		list[i] = reports[i].ready(MaskForPrograms)
	}
	var value any = list
	if len(list) == 1 {
		value = list[0]
	}
	data, err := EncodeJSON(value)
	if err != nil {
		return nil, fmt.Errorf("rendering report: %w", err)
	}
	return data, nil
}

// EncodeJSON writes a value, which the caller has masked, as JSON on lines of
// their own in which nothing acts on a terminal. The error is the encoder's.
func EncodeJSON(value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return EscapeJSON(b.Bytes()), nil
}

// EscapeJSON writes what a terminal would obey, and the encoder leaves alone,
// as JSON escapes. The value stays the same.
func EscapeJSON(data []byte) []byte {
	if !bytes.ContainsFunc(data, hiddenInJSON) {
		return data
	}
	var b bytes.Buffer
	for _, r := range string(data) {
		if hiddenInJSON(r) {
			writeUTF16(&b, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}

func hiddenInJSON(r rune) bool { return r != '\n' && source.Hidden(r) }

func writeUTF16(b *bytes.Buffer, r rune) {
	if r >= 0x10000 {
		r -= 0x10000
		fmt.Fprintf(b, `\u%04x`, 0xd800+r>>10)
		r = 0xdc00 + r&0x3ff
	}
	fmt.Fprintf(b, `\u%04x`, r)
}
