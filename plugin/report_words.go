package main

import "maps"

// The help of the commands around reports and many cases.
func init() {
	maps.Copy(helpTexts, reportHelp)
	maps.Copy(exampleLines, reportExamples)
}

var reportHelp = map[string]text{
	"report":        {ZH: "处理已保存的报告", EN: "Work with saved reports."},
	"report_render": {ZH: "把已保存的报告转换为其他格式", EN: "Render a saved report in another form."},
	"render_report": {ZH: "--format json 生成的报告，- 为标准输入", EN: "A report of --format json; - is standard input."},
}

var reportExamples = map[string][]string{
	"report render": {
		"hcloud-modelarts report render report.json --format html -o report.html",
	},
}
