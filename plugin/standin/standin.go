// Package standin answers as KooCLI does, from recorded cases: in its language,
// with its notices and its exit code 0 on most failures, and with the faults
// that it has when it is asked to show one. It touches no network.
package standin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/hcloud"
)

// Standin is KooCLI's place. It is an hcloud.Program.
type Standin struct {
	Replayer *corpus.Replayer
	Lang     string // KooCLI's own: "cn" or "en"
	Version  string // that it says it has
	Region   string // the only one it knows, "" for any
	Fault    Fault
	// Strict makes a call that was not recorded an error of Run. Else it is
	// printed, as by KooCLI.
	Strict bool
}

// New makes a stand-in that has what the cases say.
func New(lang string, cases ...*corpus.Case) *Standin {
	s := &Standin{Replayer: corpus.NewReplayer(cases...), Lang: lang, Version: "7.2.12"}
	for i, c := range cases {
		if c.HCloud != "" {
			s.Version = c.HCloud
		}
		if i == 0 {
			s.Region = c.Region
		} else if s.Region != c.Region {
			s.Region = ""
		}
	}
	return s
}

// Run answers one command line.
func (s *Standin) Run(ctx context.Context, args []string) (hcloud.Output, error) {
	service, operation := words(args)
	if out, err, shown := s.Fault.show(ctx, s.Lang, service, operation); shown {
		return out, err
	}
	switch {
	case service == "version":
		return s.print(say("当前KooCLI版本:", "Current KooCLI version: ").in(s.Lang) + s.Fault.version(s.Version) + "\n"), nil
	case service == "configure" && operation == "list":
		return s.print(s.configuration()), nil
	case !strings.EqualFold(service, hcloud.Service) && !s.Replayer.Knows(operation):
		return s.print(say("[USE_ERROR]不支持的服务名称:"+service, "[USE_ERROR]Unsupported service: "+service+".").in(s.Lang) + "\n"), nil
	}
	return s.call(service, args)
}

// words gives the service and the operation among options.
func words(args []string) (service, operation string) {
	for _, a := range args {
		switch {
		case strings.HasPrefix(a, "-"):
		case service == "":
			service = a
		case operation == "":
			operation, _, _ = strings.Cut(a, "/")
		}
	}
	return service, operation
}

func (s *Standin) print(text string) hcloud.Output { return hcloud.Output{Stdout: []byte(text)} }

// call answers an operation of ModelArts, or of another service that was
// recorded.
func (s *Standin) call(service string, args []string) (hcloud.Output, error) {
	var rest []string
	for i, a := range args {
		if a == service && !slices.Contains(args[:i], a) {
			continue
		}
		if strings.HasPrefix(a, "--") && !strings.Contains(a, "=") && !flag[a] {
			return s.print(fmt.Sprintf("[USE_ERROR]The %s parameter format must be '--param=value'.\n", a)), nil
		}
		rest = append(rest, a)
	}
	q, options := corpus.RequestOf(rest)
	if r := options["cli-region"]; strings.EqualFold(service, hcloud.Service) && r != "" && s.Region != "" && r != s.Region {
		return s.print(say("[USE_ERROR]cli-region的值不支持,当前支持的区域值如下:\n", "[USE_ERROR]The value of cli-region is not supported. Supported regions: \n").in(s.Lang) + s.Region + "\n"), nil
	}
	x, out, err := s.Replayer.Answer(q)
	if notRecorded := (*corpus.NotRecordedError)(nil); errors.As(err, &notRecorded) && !s.Strict {
		return hcloud.Output{Exit: 1, Stdout: []byte(say("[CLI_ERROR]录制中没有此调用:", "[CLI_ERROR]This call is not in the recording: ").in(s.Lang) + q.String() + "\n")}, nil
	}
	if err != nil {
		return hcloud.Output{}, err
	}
	return hcloud.Output{Stdout: out, Stderr: []byte(x.Stderr), Exit: x.Exit}, nil
}

// flag are the options of KooCLI that take no value.
var flag = map[string]bool{"--debug": true, "--dryrun": true, "--help": true, "--interactive": true, "--skeleton": true}

// configuration is what "configure list" prints: strings for booleans, numbers
// for timeouts, and no key in clear.
func (s *Standin) configuration() string {
	region := s.Region
	if region == "" {
		region = "cn-north-4"
	}
	return fmt.Sprintf(`{
  "localDea": "intl",
  "language": %q,
  "offline": "false",
  "agreePrivacy": "true",
  "warning": "true",
  "current": "default",
  "profiles": [
    {
      "name": "default",
      "mode": "AKSK",
      "accessKeyId": "********",
      "secretAccessKey": "****",
      "securityToken": "",
      "region": %q,
      "projectId": "",
      "domainId": "",
      "skipSecureVerify": "false",
      "readTimeout": 10,
      "connectTimeout": 5,
      "retryCount": 0
    }
  ]
}
`, s.Lang, region)
}

// both is a text in KooCLI's two languages.
type both struct{ cn, en string }

func say(cn, en string) both { return both{cn, en} }

func (b both) in(lang string) string {
	if lang == "en" {
		return b.en
	}
	return b.cn
}
