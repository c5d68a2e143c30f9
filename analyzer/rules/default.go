package rules

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"sync"
)

//go:generate go run ../../scripts/generate

// packFS holds the rule files, for the texts and samples of single rules.
//
//go:embed pack
var packFS embed.FS

// indexJSON is what matching needs of all rules. Reading it takes a few
// milliseconds where the YAML files would take hundreds; a test keeps it equal
// to them.
//
//go:embed index.json
var indexJSON []byte

// indexed is an entry of index.json.
type indexed struct {
	*Rule
	File string `json:"file"` // below pack/
}

// Default is the pack that ships with the product.
var Default = sync.OnceValue(func() *Pack {
	p, err := readIndex(indexJSON, packFS)
	if err != nil {
		panic(err) // the embedded index is broken: a test would have told
	}
	return p
})

func readIndex(data []byte, fsys fs.FS) (*Pack, error) {
	var entries []indexed
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, fmt.Errorf("reading rule index: %w", err)
	}
	all := make([]*Rule, len(entries))
	for i, e := range entries {
		e.Rule.detail = lazyDetail(fsys, "pack/"+e.File)
		all[i] = e.Rule
	}
	return newPack(all), nil
}

// Index renders the index of a pack whose files lie at FAMILY/ID.yaml, one
// rule a line so that a change of one rule is a change of one line.
func Index(p *Pack) ([]byte, error) {
	out := []byte("[\n")
	for i, r := range p.Rules {
		line, err := json.Marshal(indexed{r, r.Family + "/" + r.ID + ".yaml"})
		if err != nil {
			return nil, err
		}
		out = append(out, line...)
		if i < len(p.Rules)-1 {
			out = append(out, ',')
		}
		out = append(out, '\n')
	}
	return append(out, "]\n"...), nil
}
