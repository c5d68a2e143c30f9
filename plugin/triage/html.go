package triage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"iter"
	"strconv"
	"sync"

	"hcloud-modelarts/analyzer/report"
)

var (
	//go:embed page.gohtml
	pageHTML string
	//go:embed page.css
	pageCSS string
	//go:embed page.js
	pageJS string

	pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageHTML)) })
)

// HTML writes rows as one page that needs nothing but itself: a table to search
// and sort, and the groups with the timeline of a case that represents them. Its
// script is the page's own, and the page forbids any other.
func HTML(w io.Writer, rows Rows, lang string) error {
	counts, groups, err := Summarize(rows)
	if err != nil {
		return err
	}
	p := newPage(&counts, lang)
	for _, g := range groups {
		face, err := newGroupFace(&g, lang)
		if err != nil {
			return err
		}
		if g.Count > 1 || g.State != Failed {
			p.Groups = append(p.Groups, face)
		} else {
			p.Single = append(p.Single, face)
		}
	}
	var broken error // of the rows, which a template cannot hand on
	p.Rows = func(yield func(rowFace) bool) {
		for r, err := range rows {
			if broken = err; err != nil || !yield(newRowFace(r.masked(), lang)) {
				return
			}
		}
	}
	if err := errors.Join(pageTemplate().Execute(w, p), broken); err != nil {
		return fmt.Errorf("rendering rows: %w", err)
	}
	return nil
}

type page struct {
	Lang, Title string
	Style       template.CSS
	Script      template.JS
	ScriptHash  string
	Lines       []string
	Numbers     []number
	Groups      []groupFace
	Single      []groupFace // failures that were seen once
	Columns     []string
	Rows        iter.Seq[rowFace]
	T           struct{ Groups, Single, Rows, Find, Job, Confidence, Rank, Retry, Owner, Fingerprint string }
}

type number struct {
	N           int
	Name, Class string
}

type groupFace struct {
	Count       int
	Cause       string
	Facts       []string
	Summary     template.HTML
	Case, Place string
	Quote       string
	Fixes       []template.HTML
	Picture     template.HTML
	Find, Show  string // a search for the jobs of the group
}

type rowFace struct {
	Case, Job, Tone, Cause string
	Sentence               template.HTML
	Quote                  string
	Sure, Confidence       string
	Rank, Retry, Owner     string
	Fingerprint            string
}

var (
	findText    = text{ZH: "搜索：案例、作业、根因、日志…", EN: "Search: case, job, cause, line …"}
	singleText  = text{ZH: "只出现一次的故障", EN: "Failures that were seen once"}
	showText    = text{ZH: "只看这一类", EN: "Show these jobs"}
	numberTexts = []text{{ZH: "已定位", EN: "with a cause"}, {ZH: "信息不足", EN: "not determined"}, {ZH: "无异常", EN: "healthy"}, {ZH: "无法读取", EN: "unreadable"}, {ZH: "平台侧", EN: "the platform's"}, {ZH: "可直接重试", EN: "may be retried"}}
	seenText    = text{ZH: "%s 至 %s", EN: "%s to %s"}
)

func newPage(c *Counts, lang string) *page {
	hash := sha256.Sum256([]byte(pageJS))
	p := &page{
		Lang: report.HTMLLang(lang), Title: titleText.In(lang),
		Style:      report.HTMLStyle + template.CSS(pageCSS),
		Script:     template.JS(pageJS),
		ScriptHash: "sha256-" + base64.StdEncoding.EncodeToString(hash[:]),
		Lines:      c.lines(lang)[:1],
	}
	for i, n := range []int{c.Failed, c.Undecided, c.Healthy, c.Unreadable, c.Platform, c.Retry} {
		p.Numbers = append(p.Numbers, number{N: n, Name: numberTexts[i].In(lang)})
	}
	p.T.Groups, p.T.Rows, p.T.Find = headGroups.In(lang), headRows.In(lang), findText.In(lang)
	p.T.Single = singleText.In(lang)
	p.T.Job, p.T.Confidence, p.T.Rank = colJob.In(lang), colConfidence.In(lang), colRank.In(lang)
	p.T.Retry, p.T.Owner, p.T.Fingerprint = colRetry.In(lang), colOwner.In(lang), colFingerprint.In(lang)
	for _, t := range []text{colCase, colJob, colCause, colConfidence, colRank, colRetry, colOwner, colFingerprint} {
		p.Columns = append(p.Columns, t.In(lang))
	}
	return p
}

func newGroupFace(g *Group, lang string) (groupFace, error) {
	mask := func(s string) string { return report.Plain(report.Mask(s)) }
	f := groupFace{Count: g.Count, Cause: causeText(g.State, g.Cause, lang), Find: mask(g.Fingerprint), Show: showText.In(lang)}
	if g.Owner != "" {
		f.Facts = append(f.Facts, fact(colOwner, named(ownerNames, g.Owner, lang), lang))
	}
	if g.Retry != "" {
		f.Facts = append(f.Facts, fact(colRetry, named(retryNames, g.Retry, lang), lang))
	}
	if g.FirstSeen != "" {
		f.Facts = append(f.Facts, seen(g.FirstSeen, g.LastSeen, lang))
	}
	if g.State != Failed {
		f.Find = f.Cause
		return f, nil
	}
	f.Summary = report.HTMLProse(report.Mask(g.Summary))
	f.Case, f.Place, f.Quote = mask(g.Case), mask(report.PlaceOf(g.Quote.Source, g.Quote.Field, g.Quote.Line, lang)), mask(g.Quote.Text)
	for _, t := range g.Fixes {
		f.Fixes = append(f.Fixes, report.HTMLProse(report.Mask(t)))
	}
	var err error
	f.Picture, err = report.TimelineHTML(g.Timeline, lang)
	return f, err
}

func newRowFace(r *Row, lang string) rowFace {
	f := rowFace{
		Case: report.Plain(r.Case), Job: report.Plain(r.jobText()), Cause: causeText(r.State(), r.Cause, lang),
		Sentence: report.HTMLProse(r.sentence()), Confidence: orDash(string(r.Confidence)), Sure: strconv.Itoa(sure(r.Confidence)),
		Rank: report.Plain(r.rankText()), Retry: named(retryNames, r.Retry, lang), Owner: named(ownerNames, r.Owner, lang),
		Fingerprint: report.Plain(r.Fingerprint), Quote: report.Plain(cut(r.Quote.Text)), Tone: "warn",
	}
	switch r.State() {
	case Failed:
		f.Tone = "bad"
	case Healthy:
		f.Tone = "good"
	}
	return f
}
