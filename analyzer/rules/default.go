package rules

import (
	"embed"
	"io/fs"
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

// shippedDetail reads the texts of a rule of the shipped pack.
func shippedDetail(r *Rule) (*Detail, error) {
	name := r.File()
	data, err := fs.ReadFile(packFS, "pack/"+name)
	if err != nil {
		return nil, err
	}
	f, err := decode(data)
	if err != nil {
		return nil, err
	}
	return &f.Detail, nil
}
