// Command release packs what scripts/release.sh has built: an archive for each
// platform, the licences of all dependencies, a bill of materials and checksums.
// What it writes depends on its input and on nothing else.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

//go:generate go run . -licences

const name = "hcloud-modelarts"

// The papers that stand in each archive, below the project's root.
var papers = []string{"LICENSE", "README.md", "README.zh-CN.md", "CHANGELOG.md", "SECURITY.md", "install.sh"}

type release struct {
	version  string
	date     time.Time // of all files
	programs string    // a folder OS_ARCH for each platform, with the program
	share    string    // what belongs below PREFIX/share
	out      string
}

func main() {
	var r release
	var epoch int64
	licences := flag.Bool("licences", false, "write licences.tsv anew instead")
	flag.StringVar(&r.version, "version", "", "the release's version")
	flag.Int64Var(&epoch, "date", 0, "seconds since 1970, the date of all files")
	flag.StringVar(&r.programs, "programs", "", "folder with a folder OS_ARCH for each platform")
	flag.StringVar(&r.share, "share", "", "folder with completions and manual pages")
	flag.StringVar(&r.out, "out", "", "folder for the archives")
	flag.Parse()
	r.date = time.Unix(epoch, 0).UTC()
	err := r.make
	if *licences {
		err = writeLicences
	}
	if err := err(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// make writes everything into the folder out, which is there.
func (r *release) make() error {
	modules, err := dependencies("")
	if err != nil {
		return err
	}
	if err := checkLicences(modules); err != nil {
		return err
	}
	common, err := r.common(modules)
	if err != nil {
		return err
	}
	platforms, err := os.ReadDir(r.programs)
	if err != nil {
		return err
	}
	var made []file
	for _, p := range platforms {
		archive, err := r.archive(p.Name(), common)
		if err != nil {
			return fmt.Errorf("packing for %s: %w", p.Name(), err)
		}
		made = append(made, archive)
	}
	if len(made) == 0 {
		return errors.New("no program was built")
	}
	bill, err := bill(r.version, r.date, modules)
	if err != nil {
		return err
	}
	made = append(made, file{name: name + "_" + r.version + "_sbom.cdx.json", data: bill})
	made = append(made, sums(made))
	for _, f := range made {
		if err := os.WriteFile(filepath.Join(r.out, f.name), f.data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// common gives the files that every archive holds.
func (r *release) common(modules []dependency) ([]file, error) {
	var files []file
	for _, p := range papers {
		data, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: p, data: data, program: strings.HasSuffix(p, ".sh")})
	}
	texts, err := licenceTexts(modules)
	if err != nil {
		return nil, err
	}
	files = append(files, file{name: "THIRD_PARTY.txt", data: texts})
	share, err := below(r.share)
	for i := range share {
		share[i].name = "share/" + share[i].name
	}
	return append(files, share...), err
}

// archive packs the program for one platform, which its folder names OS_ARCH.
func (r *release) archive(platform string, common []file) (file, error) {
	programs, err := below(filepath.Join(r.programs, platform))
	if err != nil {
		return file{}, err
	}
	for i := range programs {
		programs[i].program = true
	}
	files := append(programs, common...)
	files = append(files, sums(files))
	stem := name + "_" + r.version + "_" + platform
	if strings.HasPrefix(platform, "windows") {
		data, err := zipped(stem, r.date, files)
		return file{name: stem + ".zip", data: data}, err
	}
	data, err := tarred(stem, r.date, files)
	return file{name: stem + ".tar.gz", data: data}, err
}
