package rules

import (
	"bytes"
	"embed"
	"io/fs"
	"slices"
	"sync"
)

//go:generate go run ../../scripts/generate

// packFS holds the rule files, for the texts and samples of single rules.
//
//go:embed pack
var packFS embed.FS

// Default is the pack that ships with the product. What matching needs of its
// rules is in index.go as initialised data, which costs nothing at start, where
// reading the YAML files takes hundreds of milliseconds.
var Default = sync.OnceValue(func() *Pack {
	all := make([]*Rule, len(index))
	for i := range index {
		all[i] = &index[i]
	}
	return newPack(all)
})

// readShipped reads a rule of the shipped pack without some of its fields.
func readShipped(r *Rule, without ...string) (*Detail, error) {
	data, err := fs.ReadFile(packFS, "pack/"+r.File())
	if err != nil {
		return nil, err
	}
	for _, field := range without {
		data = cutField(data, field)
	}
	f, err := decode(data)
	if err != nil {
		return nil, err
	}
	return &f.Detail, nil
}

// cutField takes a field off a rule's file, up to the next that begins a line.
func cutField(data []byte, field string) []byte {
	before, rest, ok := bytes.Cut(data, []byte("\n"+field+":"))
	if !ok {
		return data
	}
	for line := range bytes.Lines(rest) {
		if line[0] >= 'a' && line[0] <= 'z' {
			return slices.Concat(before, []byte("\n"), rest)
		}
		rest = rest[len(line):]
	}
	return before
}
