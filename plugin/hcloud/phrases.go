package hcloud

import (
	"regexp"

	"hcloud-modelarts/analyzer/lazy"
)

// phrase is something that KooCLI says, in one of its languages, and what it
// means. The first that fits decides.
type phrase struct {
	class  Class
	tagged bool // counts only behind a tag such as [USE_ERROR]
	form   func() *regexp.Regexp
}

// phrases are from KooCLI's user guide and FAQ, and from output that users of
// versions 6.2.9 to 7.2.12 have published; of the privacy statement only the
// Chinese text is published, so its English is guessed loosely, as is the
// Chinese of a profile that does not exist. The last three know another
// vendor's command of the same name, Hetzner's, which says "hcloud 1.67.0" of itself.
var phrases = []phrase{
	{NoConsent, false, lazy.Regexp(`同意并继续使用|您输入的是无效字符|(?i)agree and continue|(?i)privacy statement.*\(y/N\)`)},
	{NotConfigured, false, lazy.Regexp(`配置文件中不存在配置项|No configuration file exists`)},
	{NoProfile, true, lazy.Regexp(`Profile \S+ does not exist|配置项\s*\S+\s*不存在`)},
	{Unauthorized, false, lazy.Regexp(`(?s)(?:Failed to obtain project ID|获取项目ID失败).*(?:Unauthorized|401|aksk|AK access)`)},
	{NetworkError, false, lazy.Regexp(`(?s)(?:Failed to obtain project ID|获取项目ID失败).*(?:dial tcp|connectex|no such host|timeout|timed out|connection refused)`)},
	{TimedOut, true, lazy.Regexp(`调用API超时|readTimeout`)},
	{Unsupported, true, lazy.Regexp(`不支持的operation|不支持的服务名称|(?i)unsupported (?:service|operation)`)},
	{OtherProgram, false, lazy.Regexp(`unknown command "[^"]*" for "hcloud"`)},
	{OtherProgram, false, lazy.Regexp(`(?m)^hcloud v?\d+\.\d+`)},
	{OtherProgram, false, lazy.Regexp(`hcloud: no active context or token`)},
}
