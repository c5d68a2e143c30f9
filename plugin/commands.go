package main

import (
	"bytes"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// commands is the command line. Its help texts are in words.go, by key.
type commands struct {
	Analyze analyzeCmd `cmd:"" help:"${analyze}"`
	Verify  verifyCmd  `cmd:"" help:"${verify}"`
	besideHcloud
	overCases
	Explain explainCmd `cmd:"" help:"${explain}"`
	Rules   struct {
		List           listRulesCmd   `cmd:"" help:"${rules_list}"`
		Show           showRuleCmd    `cmd:"" help:"${rules_show}"`
		Lint           lintRulesCmd   `cmd:"" help:"${rules_lint}"`
		Test           testRulesCmd   `cmd:"" help:"${rules_test}"`
		ExplainLine    explainLineCmd `cmd:"" help:"${rules_explain_line}"`
		ImportAscendFD importRulesCmd `cmd:"" name:"import-ascend-fd" help:"${rules_import}"`
	} `cmd:"" help:"${rules}"`
	API     apiCmd     `cmd:"" name:"api" passthrough:"" help:"${api}"`
	Price   priceCmd   `cmd:"" passthrough:"" help:"${price}"`
	Version versionCmd `cmd:"" help:"${version}"`
	Help    helpCmd    `cmd:"" help:"${help}"`
	aroundShell

	langOption
}

type langOption struct {
	Lang string `enum:"zh,en" default:"${lang_default}" placeholder:"zh|en" help:"${lang}"`
}

// analyzeAlone is what a run of analyze needs of the command line: describing
// all of it to the parser takes longer than the diagnosis of a small case.
type analyzeAlone struct {
	Analyze analyzeCmd `cmd:""`
	langOption
}

// besideHcloud are the commands that ask hcloud, and those around what it said.
type besideHcloud struct {
	Diagnose diagnoseCmd `cmd:"" help:"${diagnose}"`
	Record   recordCmd   `cmd:"" help:"${record}"`
	Scan     scanCmd     `cmd:"" help:"${scan}"`
	Watch    watchCmd    `cmd:"" help:"${watch}"`
	Corpus   struct {
		List   listCasesCmd   `cmd:"" help:"${corpus_list}"`
		Show   showCaseCmd    `cmd:"" help:"${corpus_show}"`
		Verify verifyCasesCmd `cmd:"" help:"${corpus_verify}"`
		Rm     removeCaseCmd  `cmd:"" help:"${corpus_rm}"`
		Export exportCaseCmd  `cmd:"" help:"${corpus_export}"`
		Import importCaseCmd  `cmd:"" help:"${corpus_import}"`
	} `cmd:"" help:"${corpus}"`
	Doctor       doctorCmd       `cmd:"" help:"${doctor}"`
	IAMPolicy    iamPolicyCmd    `cmd:"" name:"iam-policy" help:"${iam_policy}"`
	ReplayHcloud replayHcloudCmd `cmd:"" help:"${replay_hcloud}"`
}

// aroundShell are the commands that make the program at home in a shell.
type aroundShell struct {
	Completion completionCmd `cmd:"" help:"${completion}"`
	Man        manCmd        `cmd:"" help:"${man}"`
	Complete   completeCmd   `cmd:"" name:"__complete" hidden:"" passthrough:""`
}

// parse reads the command line. What analyzeAlone does not know, a mistake or
// --help, is left to the parser of the whole.
func (c *console) parse(args []string) (*kong.Context, error) {
	if len(args) > 0 && args[0] == "analyze" {
		alone, err := kong.New(&analyzeAlone{}, kong.Vars{"lang_default": c.lang}, kong.Bind(c), kong.NoDefaultHelp(), kong.KindMapper(reflect.String, kong.MapperFunc(plainText)), kong.PostBuild(c.wordHelps))
		if err != nil {
			return nil, err
		}
		if parsed, err := alone.Parse(args); err == nil {
			return parsed, nil
		}
	}
	parser, err := newParser(c)
	if err != nil {
		return nil, err
	}
	return parser.Parse(guardNegatives(args))
}

func newParser(c *console) (*kong.Kong, error) {
	return kong.New(&commands{}, append(nouns(c.lang),
		kong.Name(name),
		kong.Description(c.say(msgAbout)),
		kong.Vars{"lang_default": c.lang},
		kong.Writers(c.stdout, c.stderr),
		kong.Exit(func(code int) { panic(helpShown{code}) }),
		kong.Bind(c),
		kong.KindMapper(reflect.String, kong.MapperFunc(plainText)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Help(c.printHelp),
		kong.PostBuild(func(k *kong.Kong) error {
			k.Model.HelpFlag.Help = "${help_flag}"
			return c.wordHelps(k)
		}),
	)...)
}

func (c *console) wordHelps(k *kong.Kong) error { return kong.Visit(k.Model.Node, c.wordHelp) }

// plainText takes a value as it stands. The parser's own way leads over JSON, which
// loses the names of files that are not UTF-8.
func plainText(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("string")
	if err != nil {
		return err
	}
	target.SetString(token.String())
	return nil
}

// wordHelp puts the text in the place of a help's key. As variables of the
// parser, which it looks through for each flag, the texts of all commands would
// take most of the time of a small case.
func (c *console) wordHelp(v kong.Visitable, next kong.Next) error {
	var help *string
	switch v := v.(type) {
	case *kong.Node:
		help = &v.Help
	case *kong.Value:
		help = &v.Help
	default:
		return next(nil)
	}
	if key, ok := strings.CutPrefix(*help, "${"); ok {
		if t, ok := helpTexts[strings.TrimSuffix(key, "}")]; ok {
			*help = t.In(c.lang)
		}
	}
	return next(nil)
}

// printHelp is kong's help with its own words in the console's language.
func (c *console) printHelp(o kong.HelpOptions, ctx *kong.Context) error {
	var b bytes.Buffer
	out := ctx.Stdout
	ctx.Stdout = &b
	err := kong.DefaultHelpPrinter(o, ctx)
	ctx.Stdout = out
	if err != nil {
		return err
	}
	help := b.String()
	if c.lang == "zh" {
		help = helpWords.Replace(help)
	}
	if node := ctx.Selected(); node != nil {
		help += examples(node.Path(), c.lang)
	} else {
		help += "\n" + c.say(msgExitCodes)
	}
	if _, err = out.Write([]byte(help)); err != nil {
		return &wrapped{c.say(msgWriteStdout), err}
	}
	return nil
}

// helpWords puts the words that kong writes itself into Chinese.
var helpWords = strings.NewReplacer(
	"Usage: ", "用法：", "\nArguments:\n", "\n参数：\n", "\nFlags:\n", "\n选项：\n", "\nCommands:\n", "\n命令：\n",
	"[flags]", "[选项]", "<command>", "<命令>",
	`Run "`, `用 "`, `" for more information on a command.`, `" 查看某个命令的用法。`, `" for more information.`, `" 查看用法。`,
)

type helpCmd struct {
	Command []string `arg:"" optional:"" help:"${help_command}"`
}

// Run prints the help of a command, as its --help does.
func (h *helpCmd) Run(c *console) error {
	parser, err := newParser(c)
	if err != nil {
		return err
	}
	_, err = parser.Parse(append(h.Command, "--help"))
	return err
}
