package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// platforms are those that releases are built for.
var platforms = []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"}

// dependency is a module that the program is built from, or Go itself.
type dependency struct {
	path, version string
	licences      []string // SPDX identifiers
	files         []string // that state them, as paths
	dir           string
}

// goPath names Go's standard library among the modules.
const goPath = "std"

// allowed are the licences under which a dependency may be passed on in binary
// form by anyone who passes their texts on.
var allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}

// statesLicence finds the files that state a licence, goesAlong those that have
// to be passed on with it.
var (
	statesLicence = regexp.MustCompile(`(?i)^(unlicense|copying|licen[cs]e)([-.].+)?$`)
	goesAlong     = regexp.MustCompile(`(?i)^(copyright|notice|patents|third[-_]party[-_].+)(\.(md|txt))?$`)
)

// dependencies lists the modules of which a package is in the program on any
// platform, sorted; dir is a folder of the project.
func dependencies(dir string) ([]dependency, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("asking for the folder of Go: %w", err)
	}
	std := &dependency{path: goPath, version: goVersion(), dir: strings.TrimSpace(string(root))}
	// One licence holds for all of it that is linked: that of BoringCrypto lies
	// beside a package which is empty here.
	if err := std.look(std.dir); err != nil {
		return nil, err
	}
	found := map[string]*dependency{goPath: std}
	for _, platform := range platforms {
		if err := list(dir, platform, found); err != nil {
			return nil, fmt.Errorf("listing the packages for %s: %w", platform, err)
		}
	}
	var all []dependency
	for _, d := range found {
		if err := d.classify(); err != nil {
			return nil, err
		}
		all = append(all, *d)
	}
	slices.SortFunc(all, func(a, b dependency) int { return strings.Compare(a.path, b.path) })
	return all, nil
}

// listed is what "go list" says of a package.
type listed struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Dir string
		Main               bool
	}
}

func list(dir, platform string, found map[string]*dependency) error {
	system, arch, _ := strings.Cut(platform, "/")
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,Standard,Module", "hcloud-modelarts/plugin")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%w: %s", err, errs.Bytes())
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if p.Standard || p.Module == nil || p.Module.Main {
			continue
		}
		d := dependency{path: p.Module.Path, version: p.Module.Version, dir: p.Module.Dir}
		if found[d.path] == nil {
			found[d.path] = &d
		}
		if err := found[d.path].look(p.Dir); err != nil {
			return err
		}
	}
}

// look adds the files that state licences in the folder of a package and in
// those above, up to that of the module: some modules hold others' work.
func (d *dependency) look(dir string) error {
	for {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			p := filepath.Join(dir, e.Name())
			if n := e.Name(); !e.IsDir() && (statesLicence.MatchString(n) || goesAlong.MatchString(n)) && !slices.Contains(d.files, p) {
				d.files = append(d.files, p)
			}
		}
		if dir == d.dir || !strings.HasPrefix(dir, d.dir) {
			return nil
		}
		dir = filepath.Dir(dir)
	}
}

// classify names the licences that the files state.
func (d *dependency) classify() error {
	slices.Sort(d.files)
	for _, f := range d.files {
		if goesAlong.MatchString(filepath.Base(f)) {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		for _, m := range licensecheck.Scan(text).Match {
			if !slices.Contains(d.licences, m.ID) {
				d.licences = append(d.licences, m.ID)
			}
		}
	}
	slices.Sort(d.licences)
	if len(d.licences) == 0 {
		return fmt.Errorf("%s states no licence that is known: look into %q", d.path, d.dir)
	}
	for _, l := range d.licences {
		if !slices.Contains(allowed, l) {
			return fmt.Errorf("%s states the licence %s: read it, and if it lets the program be passed on add it to those allowed", d.path, l)
		}
	}
	return nil
}

// licenceList is where the licences are kept, below the project's root.
const licenceList = "scripts/release/licences.tsv"

// licenceTable is the text of licenceList: modules, licences, and the files that
// state them. Versions are in go.mod.
func licenceTable(modules []dependency) string {
	var b strings.Builder
	for _, d := range modules {
		files := make([]string, len(d.files))
		for i, f := range d.files {
			files[i] = d.within(f)
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\n", d.path, strings.Join(d.licences, " AND "), strings.Join(files, " "))
	}
	return b.String()
}

// within is the path of a file within its module.
func (d *dependency) within(file string) string {
	rel, err := filepath.Rel(d.dir, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

func writeLicences() error {
	modules, err := dependencies("")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Base(licenceList), []byte(licenceTable(modules)), 0o644)
}

// checkLicences tells whether the kept list is that of the modules.
func checkLicences(modules []dependency) error {
	kept, err := os.ReadFile(licenceList)
	if err != nil {
		return err
	}
	if string(kept) != licenceTable(modules) {
		return errors.New(licenceList + " is not that of the dependencies: run go generate ./scripts/release and read what changed")
	}
	return nil
}

// licenceTexts puts the licences of all modules into one text.
func licenceTexts(modules []dependency) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s contains the following software of others, under these licences.\n", name)
	for _, d := range modules {
		for _, f := range d.files {
			text, err := os.ReadFile(f)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "\n%s\n%s %s: %s\n%s\n\n", strings.Repeat("=", 80), d.path, d.version, d.within(f), strings.Repeat("=", 80))
			b.Write(bytes.TrimRight(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), "\n"))
			b.WriteByte('\n')
		}
	}
	return b.Bytes(), nil
}
