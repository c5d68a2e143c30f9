package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"
)

var (
	pictureTitle  = text{ZH: "各 rank 的时间线", EN: "Timeline of the ranks"}
	pictureRoot   = text{ZH: "根因", EN: "root cause"}
	pictureAfter  = text{ZH: "由此引发的现象", EN: "set off by it"}
	pictureBar    = text{ZH: "有日志", EN: "log lines"}
	pictureIdle   = text{ZH: "不再有训练进展", EN: "no more progress"}
	pictureCut    = text{ZH: "时间轴只画出出错前后；最早的日志在 %s", EN: "the axis shows the time around the failure; the first line is of %s"}
	pictureMore   = text{ZH: "另有 %d 个 rank 未画出", EN: "%d more ranks are not drawn"}
	pictureNoRoot = text{ZH: "根因所在的行没有可与其他日志比较的时间，未画出", EN: "the line of the root cause has no time that compares with the others, so it is not drawn"}
	pictureStep   = text{ZH: "最后一步：%s（第 %d 步）", EN: "last step: %s (step %d)"}
	pictureNoStep = text{ZH: "最后一步：%s", EN: "last step: %s"}
	pictureSpan   = text{ZH: "%s 至 %s", EN: "%s to %s"}
	pictureRange  = text{ZH: "%s（在 %s 至 %s 之间），第 %d 行", EN: "%s (between %s and %s), line %d"}
	pictureLoose  = text{ZH: "该行没有时间，位于虚线范围内", EN: "the line has no time: it lies somewhere on the dashes"}
	pictureEvent  = text{ZH: "%s %s，第 %d 行", EN: "%s %s, line %d"}
)

const laneHeight = 24

// picture is a timeline as it is drawn: positions across in percent, so that it
// fits every width, and down in pixels.
type picture struct {
	Title    string
	Lanes    []laneFace
	Height   int
	HasRoot  bool
	Moment   string // where the root stands, "" when it has no exact time
	From, To string
	Remarks  []string
	Loose    bool // some mark has no exact time
	Symptom  bool // some mark is a consequence
	Idle     bool // some rank made no more progress
	T        struct{ Root, Symptom, Bar, Idle, Loose string }
}

type laneFace struct {
	Name, Source string
	Root         bool
	Bars, Marks  []stroke
	Ranges       []stroke // of marks whose time is not known exactly
	moment       string   // where the root stands, "" when it is one of those
}

type stroke struct {
	Class, X, To, Width, R, Title string
	Y                             int
}

// TimelineHTML draws a report's timeline for a page that has HTMLStyle, "" when
// it has none. The report must be masked.
func TimelineHTML(t *Timeline, lang string) (template.HTML, error) {
	p := newPicture(t, lang)
	if p == nil {
		return "", nil
	}
	var b bytes.Buffer
	if err := pages().ExecuteTemplate(&b, "timeline", p); err != nil {
		return "", fmt.Errorf("drawing timeline: %w", err)
	}
	return template.HTML(b.String()), nil
}

// newPicture draws a timeline, nil when there is none or when its times cannot
// be read, as in a report that somebody changed.
func newPicture(t *Timeline, lang string) *picture {
	if t == nil {
		return nil
	}
	a, ok := newAxis(t)
	if !ok {
		return nil
	}
	p := &picture{Title: pictureTitle.In(lang), From: timeOnly(a.from), To: timeOnly(a.to)}
	p.T.Root, p.T.Symptom, p.T.Bar = pictureRoot.In(lang), pictureAfter.In(lang), pictureBar.In(lang)
	p.T.Idle, p.T.Loose = pictureIdle.In(lang), pictureLoose.In(lang)
	for i, l := range t.Lanes {
		face := a.lane(l, i*laneHeight+laneHeight/2, lang)
		p.Lanes = append(p.Lanes, face)
		p.Loose = p.Loose || len(face.Ranges) > 0
		p.Symptom = p.Symptom || drawn(face.Marks, "symptom")
		p.Idle = p.Idle || drawn(face.Bars, "idle")
		p.HasRoot = p.HasRoot || face.Root
		if face.Root && p.Moment == "" {
			p.Moment = face.moment
		}
	}
	p.Height = len(t.Lanes) * laneHeight
	if a.from.After(a.first) {
		p.Remarks = append(p.Remarks, fmt.Sprintf(pictureCut.In(lang), timeOnly(a.first)))
	}
	if t.More > 0 {
		p.Remarks = append(p.Remarks, fmt.Sprintf(pictureMore.In(lang), t.More))
	}
	return p
}

func drawn(strokes []stroke, class string) bool {
	return slices.ContainsFunc(strokes, func(s stroke) bool { return s.Class == class })
}

// axis is the span of time that a picture shows.
type axis struct {
	first    time.Time // of all lines
	from, to time.Time
}

// newAxis spans all lanes. When all that happened stands within the last
// moments of a long job, it shows those.
func newAxis(t *Timeline) (axis, bool) {
	var a axis
	var mark time.Time
	for _, l := range t.Lanes {
		first, last := instant(l.First), instant(l.Last)
		if first.IsZero() || last.IsZero() {
			continue
		}
		if a.first.IsZero() || first.Before(a.first) {
			a.first = first
		}
		if last.After(a.to) {
			a.to = last
		}
		for _, m := range l.Marks {
			if at := instant(m.Time); !at.IsZero() && (mark.IsZero() || at.Before(mark)) {
				mark = at
			}
		}
	}
	a.from = a.first
	if tail := a.to.Sub(mark); !mark.IsZero() && tail >= 0 && tail < a.to.Sub(a.first)/10 {
		a.from = later(a.first, mark.Add(-max(2*tail, time.Minute)))
	}
	return a, !a.first.IsZero()
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// instant reads a time of a report; times without a zone count as UTC, zero
// when it is none.
func instant(s string) time.Time {
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(form, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

func timeOnly(t time.Time) string { return t.Format("2006-01-02 15:04:05") }

// at gives where a time stands, in percent of the width.
func (a axis) at(t time.Time) float64 {
	span := a.to.Sub(a.from).Seconds()
	if span <= 0 {
		return 50
	}
	return min(max(t.Sub(a.from).Seconds()/span*100, 0), 100)
}

func percent(x float64) string { return fmt.Sprintf("%.2f%%", x) }

func (a axis) lane(l Lane, y int, lang string) laneFace {
	face := laneFace{Name: laneName(l), Source: Plain(l.Source)}
	first, last, progress := instant(l.First), instant(l.Last), instant(l.Progress)
	if first.IsZero() || last.IsZero() {
		return face
	}
	if !progress.IsZero() && progress.Before(last) {
		face.bar(a, "idle", progress, last, y, fmt.Sprintf(pictureSpan.In(lang), timeOnly(progress), timeOnly(last)))
		face.bar(a, "bar", first, progress, y, stepTitle(l, progress, lang))
	} else {
		face.bar(a, "bar", first, last, y, fmt.Sprintf(pictureSpan.In(lang), timeOnly(first), timeOnly(last)))
	}
	for _, m := range l.Marks {
		face.mark(a, m, y, lang)
	}
	// The shorter name is the root, which is drawn last: on top.
	slices.SortStableFunc(face.Marks, func(a, b stroke) int { return cmp.Compare(len(b.Class), len(a.Class)) })
	return face
}

func (f *laneFace) mark(a axis, m Mark, y int, lang string) {
	at, until := instant(m.Time), instant(m.Until)
	if at.IsZero() {
		return
	}
	cause := Plain(causeName(m.Cause, lang))
	s := stroke{Class: "symptom", X: percent(a.at(at)), Y: y, R: "4.5", Title: fmt.Sprintf(pictureEvent.In(lang), timeOnly(at), cause, m.Line)}
	if m.Kind == "root" {
		s.Class, s.R, f.Root, f.moment = "root", "6.5", true, s.X
	}
	if until.After(at) {
		s.Title = fmt.Sprintf(pictureRange.In(lang), cause, timeOnly(at), timeOnly(until), m.Line)
		if m.Kind == "root" {
			f.moment = ""
		}
		f.Ranges = append(f.Ranges, stroke{Class: "loose-" + s.Class, X: s.X, To: percent(a.at(until)), Y: y})
	}
	f.Marks = append(f.Marks, s)
}

// bar draws a span; one that lies before the axis is left out, and the shortest
// can still be seen.
func (f *laneFace) bar(a axis, class string, from, to time.Time, y int, title string) {
	if to.Before(a.from) {
		return
	}
	x := min(a.at(from), 99.4)
	width := max(a.at(to)-x, 0.6)
	f.Bars = append(f.Bars, stroke{Class: class, X: percent(x), Width: percent(width), Y: y - 4, Title: title})
}

func stepTitle(l Lane, progress time.Time, lang string) string {
	if l.Step < 0 {
		return fmt.Sprintf(pictureNoStep.In(lang), timeOnly(progress))
	}
	return fmt.Sprintf(pictureStep.In(lang), timeOnly(progress), l.Step)
}

// laneName names a rank with its task, or the document.
func laneName(l Lane) string {
	if l.Rank < 0 {
		if l.Task != "" {
			return Plain(l.Task)
		}
		return Plain(l.Source[strings.LastIndexAny(l.Source, "/!")+1:])
	}
	if l.Task == "" {
		return fmt.Sprintf("rank %d", l.Rank)
	}
	return Plain(fmt.Sprintf("rank %d · %s", l.Rank, l.Task))
}
