package main

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"time"
)

// goVersion is the version of Go that builds the release: release.sh runs this
// program with the same one.
func goVersion() string { return strings.TrimPrefix(runtime.Version(), "go") }

// The parts of CycloneDX 1.6 that a bill of materials needs.
type (
	cdxBill struct {
		Schema       string          `json:"$schema"`
		Format       string          `json:"bomFormat"`
		Spec         string          `json:"specVersion"`
		Version      int             `json:"version"`
		Metadata     cdxMetadata     `json:"metadata"`
		Components   []cdxComponent  `json:"components"`
		Dependencies []cdxDependency `json:"dependencies"`
	}
	cdxMetadata struct {
		Timestamp string       `json:"timestamp"`
		Component cdxComponent `json:"component"`
	}
	cdxComponent struct {
		Type     string       `json:"type"`
		Ref      string       `json:"bom-ref"`
		Name     string       `json:"name"`
		Version  string       `json:"version"`
		Licences []cdxLicence `json:"licenses"`
		PURL     string       `json:"purl"`
	}
	cdxLicence struct {
		Expression string `json:"expression"`
	}
	cdxDependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn"`
	}
)

// bill lists what the programs of a release are built from, as CycloneDX JSON.
func bill(version string, date time.Time, modules []dependency) ([]byte, error) {
	program := component("application", name, version, "Apache-2.0")
	b := cdxBill{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata: cdxMetadata{Timestamp: date.Format(time.RFC3339), Component: program},
	}
	all := cdxDependency{Ref: program.Ref}
	for _, d := range modules {
		c := component("library", d.path, d.version, strings.Join(d.licences, " AND "))
		b.Components = append(b.Components, c)
		all.DependsOn = append(all.DependsOn, c.Ref)
	}
	b.Dependencies = []cdxDependency{all}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(b)
	return out.Bytes(), err
}

func component(kind, name, version, licence string) cdxComponent {
	purl := "pkg:golang/" + name + "@" + version
	return cdxComponent{Type: kind, Ref: purl, Name: name, Version: version, Licences: []cdxLicence{{licence}}, PURL: purl}
}
