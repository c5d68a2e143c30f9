package main

// The titles of the manual page.
var (
	headName        = text{ZH: "名称", EN: "NAME"}
	headSynopsis    = text{ZH: "概要", EN: "SYNOPSIS"}
	headOptions     = text{ZH: "选项", EN: "OPTIONS"}
	headCommands    = text{ZH: "命令", EN: "COMMANDS"}
	headExit        = text{ZH: "退出码", EN: "EXIT STATUS"}
	headEnvironment = text{ZH: "环境变量", EN: "ENVIRONMENT"}
	headCommand     = text{ZH: "<命令> [选项]", EN: "COMMAND [FLAGS]"}
	msgManMore      = text{ZH: "参数见 hcloud-modelarts %s … --help。", EN: "Their parameters are shown by hcloud-modelarts %s … --help."}
)

// variables are those of the environment that users set.
var variables = []struct {
	name string
	says text
}{
	{langVar, text{ZH: "语言，zh 或 en，默认 zh", EN: "The language, zh or en; zh by default."}},
	{corpusVar, text{ZH: "案例目录，默认 $XDG_DATA_HOME/hcloud-modelarts/cases，未设置 XDG_DATA_HOME 时位于 ~/.local/share 下", EN: "The folder of recorded cases; $XDG_DATA_HOME/hcloud-modelarts/cases by default, below ~/.local/share without XDG_DATA_HOME."}},
	{hcloudVar, text{ZH: "hcloud 的路径，默认从 PATH 中查找", EN: "The path of hcloud, which is looked for in PATH by default."}},
	{"HCLOUD_MODELARTS_ENDPOINT", text{ZH: "--via sdk 使用的服务地址", EN: "The service's address for --via sdk."}},
	{"HUAWEICLOUD_SDK_AK, HUAWEICLOUD_SDK_SK, HUAWEICLOUD_SDK_PROJECT_ID", text{ZH: "--via sdk 的访问密钥与项目 ID", EN: "The access keys and the project's id for --via sdk."}},
	{"HUAWEICLOUD_SDK_SECURITY_TOKEN, HUAWEICLOUD_SDK_REGION", text{ZH: "--via sdk 的临时凭证令牌与区域，可不设置", EN: "The token of temporary keys and the region for --via sdk, where needed."}},
}
