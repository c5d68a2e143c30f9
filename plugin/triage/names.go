package triage

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

var (
	uuid = lazy.Regexp(`[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}`)

	// partName are folders that a job's own layout has: they never are a case.
	partName = lazy.Regexp(`^(?i)(?:(?:worker|ps|master|chief|rank|node|device|npu|gpu|attempt|restart|proc|pod|run)[-_]?\d+.*|logs?|plogs?|debug|security|ascend|process_log|run|operation|device.*|host.*|kernel.*|messages|var|events?|details?|answers?|api|exchanges|metrics|monitor.*|config|conf|code|input|output|stdout|stderr|slog|slogd|hisi_logs|msnpureport.*|kernel_meta.*|torchelastic.*|none_.*|default_.*|\d{1,3}|[0-9.]{7,15})$`)

	// answerName are answers of the service, by the names that people save them under.
	answerName = lazy.Regexp(`show|list|detail|event|stage|task|job|status|describe|preview`)

	// layoutToken is what a job's own layout and its tools put into names.
	layoutToken = lazy.Regexp(`(?:worker|ps|master|chief|local_rank|rank|node|device|npu|gpu|proc|pid|attempt|restart|pod|host|part|seg|segment|chunk|page|vol|log)[-_]?\d+|\d{1,3}(?:\.\d{1,3}){3}|(?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d(?:[-_t.]?[0-2]\d[-_.:]?[0-5]\d(?:[-_.:]?[0-5]\d)?\d*)?|plog-\d+(?:_\d+)?|device-\d+_\d+`)

	// plainWord are words that say what a file is, not whose.
	plainWord = lazy.Regexp(`showtraining\w*|listtraining\w*|modelarts-job|(?:^|[^a-z0-9])(?:details?|events?|stages?|tasks?|logs?|stdout|stderr|train(?:ing)?|job|dmesg|messages|kern(?:el)?|syslog|npu-smi|npu_smi|nvidia-smi|nvidia_smi|plog|metrics|preview|errors?|err|out|output|console|hccl|ranktable|info|env|proc|full|all|tail|head|api|answers?)(?:$|[^a-z0-9])`)

	fileEndings = lazy.Regexp(`(?:\.(?:log|txt|json|jsonl|ndjson|out|err|csv|tsv|md|html?|eml|gz|tgz|tar|zip|zst|bz2|tbz2?|xz|txz|7z|rar|\d{1,3}))+$`)

	archiveEnding = lazy.Regexp(`(?i)\.(?:zip|tar|tgz|tbz2?|txz|tar\.(?:gz|zst|bz2|xz)|7z|rar)$`)

	digits = lazy.Regexp(`\d+`)
)

func isPart(name string) bool { return partName().MatchString(name) && jobID(name) == "" }

// jobID gives the job id that a name tells, "" when it tells none.
func jobID(name string) string { return uuid().FindString(name) }

// idsIn gives the job ids that the names of files tell.
func idsIn(files []file) map[string]bool {
	ids := map[string]bool{}
	for _, x := range files {
		if id := jobID(x.full); id != "" {
			ids[id] = true
		}
	}
	return ids
}

// contentPeek is how much of a file is looked at for the id of its job.
const contentPeek = 64 << 10

// idInContent gives the one of some job ids that the start of a file names, ""
// when it names none or several.
func idInContent(x file, ids map[string]bool) string {
	if x.pipe {
		return ""
	}
	f, err := x.fsys.Open(x.path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, contentPeek))
	if err != nil {
		return ""
	}
	found := ""
	for _, m := range uuid().FindAll(bytes.ToLower(head), -1) {
		id := string(m)
		if !ids[id] || id == found {
			continue
		}
		if found != "" {
			return ""
		}
		found = id
	}
	return found
}

// stem is a file's name without what every job's files have in their names:
// endings, ranks, dates, the words for logs and answers. Files of one case
// share it; it is "" when nothing is left.
func stem(name string) string {
	s := fileEndings().ReplaceAllString(strings.ToLower(name), "")
	s = layoutToken().ReplaceAllString(s, " ")
	for range 3 { // words that share a separator are found one after the other
		s = plainWord().ReplaceAllString(s, " ")
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' || r == '_' || r == '.' }), "-")
}

// numbered parts files whose names are numbered like tickets: two stems that
// differ in a number only, or two archives. It gives nil when the names say
// nothing of the kind, so that the files are one case.
func numbered(files []file) map[string][]file {
	sets := map[string][]file{}
	forms := map[string][]string{}
	archives := map[string]bool{}
	for _, x := range files {
		key := stem(x.name)
		if _, seen := sets[key]; !seen && key != "" {
			form := digits().ReplaceAllString(key, "#")
			forms[form] = append(forms[form], key)
		}
		sets[key] = append(sets[key], x)
		if archiveEnding().MatchString(x.name) && key != "" {
			archives[key] = true
		}
	}
	for _, keys := range forms {
		if len(keys) > 1 && !ranks(keys) {
			return sets
		}
	}
	if len(archives) > 1 {
		return sets
	}
	return nil
}

// ranks reports whether keys are bare numbers that begin at 0, as the logs of
// ranks are named.
func ranks(keys []string) bool {
	return slices.Contains(keys, "0") && !slices.ContainsFunc(keys, func(k string) bool { return strings.Trim(k, "0123456789") != "" })
}
