package scan

import (
	"slices"

	"hcloud-modelarts/analyzer/fold"
	"hcloud-modelarts/analyzer/lazy"
)

// By which words a program says that it goes on without what failed depends on where
// they stand: messages of exceptions hold some of them as advice ("use X instead"),
// and lines behind a failure hold others for other reasons.

// sure are the words that stand in no message of an exception.
var sure = []string{
	"fall back to", "falling back to", "fallback to", "fell back to", "available, using", "failed, using", "disabled, using",
	"skipping it", "continuing without", "continuing with", "retrying", "改用", "已跳过", "继续使用", "回退到",
}

var (
	// behindMessage are the words of a line behind the first of a message, which may
	// belong to it.
	behindMessage = fold.Of(sure...)
	// behindFailure are those of a line of its own, soon behind a failure.
	behindFailure = fold.Of(slices.Concat(sure, []string{
		"fall back", "falling back", "fallback", "fell back", "instead", "skipping", "skipped", "ignoring", "ignored", "continuing", "continue without",
		"retry", "try again", "trying again", "trying the", "unavailable", "not available", "not usable", "disabled", "disabling",
		"from scratch", "rebuild", "building a new", "build a new", "using default", "using the default",
		"跳过", "忽略", "重试", "继续", "回退", "不可用", "默认", "重新生成", "重新构建",
	})...)
	// besideException are those of a line that tells of an exception, and of no failure
	// for them.
	besideException = fold.Of(slices.Concat(sure, []string{"ignored ", "ignoring "})...)

	overcoming = lazy.Regexp(`(?i)fall(?:ing|s)? ?back|using fallback|from scratch|\bskipp|\bignor|optional|instead|disabl|without it|not needed|using (?:the |a )?[\w.-]+ (?:implementation|attention|kernels?|backend|version|mode)\b|not be enabled|will be rebuilt|已跳过|已忽略|改用|不影响`)
	unable     = lazy.Regexp(`(?i)could not|cannot|can't|fail|unable|skip|not available|without|无法|失败|跳过|忽略|未能`)
	trying     = lazy.Regexp(`(?i)\btry(?:ing)? (?:again|another|(?:the )?next|a different|other)|\bretry|\bre-?sampl|\bnext (?:sample|item|file|record|index|image|video|shard|batch)|\banother (?:sample|item|file|record|index|image|video|one)\b|\brandom (?:sample|index|item)|\bskip|\bignor|重试|重新采样|跳过|忽略|换(?:一|用|下)|下一(?:条|个|张|份)`)
)

// passesOver reports whether a line that tells of an exception says that the program
// goes on without what failed.
func passesOver(line string) bool { return besideException.In(line) }

// Overcomes reports whether the line of a failure, or the one above its traceback,
// says what the program does in place of what failed, or that it does not matter.
func Overcomes(line string) bool { return overcoming().MatchString(line) }

// GoesWithout reports whether a warning above a traceback says what the program could
// not do or does in place of it.
func GoesWithout(warning string) bool { return unable().MatchString(warning) || Overcomes(warning) }

// TakesAnother reports whether the record of an error above a traceback says that the
// program tries again, or takes another sample in place of the one that failed.
func TakesAnother(record string) bool { return trying().MatchString(record) }
