// Package analyzer reads what was saved of training jobs and says why each of
// them failed.
//
// It is pure: it touches no network, process, clock, environment or randomness,
// and the same input gives the same reports, whatever the order in which its
// parts are named.
package analyzer

import (
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/verdict"
)

// Options shape a diagnosis. The zero value is a Chinese report by the rules
// that ship with the product, within the default bounds.
type Options struct {
	Lang   string // "zh" or "en"
	Limits source.Limits
	Pack   *rules.Pack // nil for the default pack
	Why    bool        // account for every candidate that lost
	Region string      // of jobs whose answers do not say it

	// Tables are those of Pack when many cases are diagnosed by one pack; nil
	// has them made for this diagnosis.
	Tables *scan.Tables
}

// Diagnose reads the roots and gives one report for each job that they tell
// of, those of jobs that failed by the service's word first, then the worst. The error is a *source.Error when nothing that was read
// can tell anything.
func Diagnose(roots []source.Root, o Options) ([]report.Report, error) {
	pack := o.Pack
	if pack == nil {
		pack = rules.Default()
	}
	tables := o.Tables
	if tables == nil {
		tables = scan.Prepare(pack)
	}
	r := newReader(tables)
	stats, err := source.Read(roots, o.Limits, r)
	if err != nil {
		return nil, err
	}
	found := r.scanner.Close()
	r.scanner, r.lines = nil, nil // what they hold of each stream is no longer needed
	notes, whole := r.weigh(found)
	if whole == tellsNothing {
		return nil, r.barren(roots, notes)
	}
	r.notes = append(r.notes, notes...)
	cases := r.cases(source.Printable(inputName(roots)), found)
	all := make([]judged, 0, len(cases))
	for _, c := range cases {
		c.Mask = report.Mask
		v := verdict.Decide(c, pack)
		all = append(all, judged{describe(&v, o), askedAbout(c)})
	}
	reports := worstFirst(all)
	said := r.notesIn(o.Lang)
	for i := range reports {
		reports[i].Stats = report.Stats{Sources: stats.Sources, Bytes: stats.Bytes, Lines: stats.Lines}
		reports[i].Notes = said
	}
	return reports, nil
}
