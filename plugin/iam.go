package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"hcloud-modelarts/plugin/hcloud"
	"hcloud-modelarts/plugin/operations"
)

type iamPolicyCmd struct {
	For      string        `enum:"diagnose,manage" default:"diagnose" placeholder:"diagnose|manage" help:"${iam_for}"`
	Version  string        `enum:"1.1,5.0" default:"1.1" placeholder:"1.1|5.0" help:"${iam_version}"`
	Policy   bool          `help:"${iam_policy_only}"`
	Wait     bool          `help:"${iam_wait}"`
	Interval time.Duration `default:"30s" placeholder:"DURATION" help:"${iam_interval}"`
	remote
}

// Run shows the policy with the least rights, and waits for them if asked to.
func (p *iamPolicyCmd) Run(c *console) error {
	if p.Interval <= 0 {
		return &usageError{c.say(msgInterval)}
	}
	policy, err := p.policy()
	if err != nil {
		return err
	}
	if p.Policy {
		return c.deliver("", policy)
	}
	var b bytes.Buffer
	b.Write(policy)
	b.WriteByte('\n')
	for _, a := range p.actions() {
		fmt.Fprintf(&b, "%-40s %s\n", a.name, a.why.In(c.lang))
	}
	b.WriteString("\n" + c.say(policySteps[p.Version]))
	if err := c.deliver("", b.Bytes()); err != nil || !p.Wait {
		return err
	}
	return p.wait(c)
}

// action is a right of IAM. Names are those of the service's pages on
// permissions; "trainJob" is the word for training jobs there.
type action struct {
	name     string
	identity bool // only in identity policies (5.0), where it stands beside an older name
	manage   bool // needed to change something
	why      text
}

func (p *iamPolicyCmd) actions() []action {
	return slices.DeleteFunc(slices.Clone(actions), func(a action) bool {
		return a.identity && p.Version != "5.0" || a.manage && p.For != "manage"
	})
}

func (p *iamPolicyCmd) policy() ([]byte, error) {
	type statement struct {
		Effect string
		Action []string
	}
	names := []string{}
	for _, a := range p.actions() {
		names = append(names, a.name)
	}
	doc := struct {
		Version   string
		Statement []statement
	}{p.Version, []statement{{"Allow", names}}}
	data, err := json.MarshalIndent(doc, "", "  ")
	return append(data, '\n'), err
}

// wait asks again and again until the right to read jobs is there.
func (p *iamPolicyCmd) wait(c *console) error {
	l, err := p.connect(c)
	if err != nil {
		return err
	}
	for {
		a := l.Do(c.ctx, newestOf())
		if a.Good() {
			c.tell(msgRightIsThere, actionOf("ListTrainingJobs"))
			return nil
		}
		if err := l.failed(a); !granting(a.Class) {
			return err
		}
		c.tell(msgWaitingForRight, cmp.Or(a.Code, string(a.Class)), p.Interval)
		if err := c.sleep(c.ctx, p.Interval); err != nil {
			return errInterrupted
		}
	}
}

// granting are the classes after which a right may still come.
func granting(class hcloud.Class) bool {
	switch class {
	case hcloud.Forbidden, hcloud.Unauthorized:
		return true
	case hcloud.NotJSON, hcloud.NotAnswer: // another program answers, and no right changes that
		return false
	}
	return transient(class)
}

// actionOf names the right that an operation needs.
func actionOf(operation string) string {
	if a, ok := operationActions[operation]; ok {
		return a
	}
	if op := operations.Default().Find(operation); op != nil && len(op.IAM) > 0 {
		return strings.Join(op.IAM, " / ")
	}
	return "modelarts:trainJob:get"
}

// operationActions are the rights that the two kinds of policies name apart.
var operationActions = map[string]string{
	"ListTrainingJobEvents": "modelarts:trainJob:get (5.0: modelarts:trainJob:listEvents)",
	"ListTrainingJobStages": "modelarts:trainJob:get (5.0: modelarts:trainJob:listStages)",
}

var actions = []action{
	{name: "modelarts:trainJob:list", why: text{ZH: "查询训练作业列表，以及各任务所在的节点", EN: "list training jobs, and the nodes of their tasks"}},
	{name: "modelarts:trainJob:get", why: text{ZH: "查询作业详情、日志预览、资源占用和诊断结果（也包含事件与阶段）", EN: "read details, log previews, metrics and the platform's diagnosis of a job (and its events and stages)"}},
	{name: "modelarts:trainJob:logExport", why: text{ZH: "获取完整日志的下载链接", EN: "get the link to download a whole log"}},
	{name: "modelarts:trainJob:listEvents", identity: true, why: text{ZH: "查询作业事件", EN: "list the events of a job"}},
	{name: "modelarts:trainJob:listStages", identity: true, why: text{ZH: "查询作业阶段", EN: "list the stages of a job"}},
	{name: "modelarts:trainJob:getLogs", identity: true, why: text{ZH: "按行查询作业日志", EN: "read the log of a job by lines"}},
	{name: "modelarts:trainJob:create", manage: true, why: text{ZH: "创建、停止训练作业，保存镜像", EN: "create and stop training jobs, save their images"}},
	{name: "modelarts:trainJob:update", manage: true, why: text{ZH: "修改作业描述与标签", EN: "change the description and tags of a job"}},
	{name: "modelarts:trainJob:delete", manage: true, why: text{ZH: "删除训练作业", EN: "delete training jobs"}},
	{name: "modelarts:trainJob:getQuotas", identity: true, manage: true, why: text{ZH: "查询训练配额", EN: "read the quotas of training"}},
	{name: "modelarts:trainExperiment:create", identity: true, manage: true, why: text{ZH: "创建训练实验", EN: "create experiments"}},
	{name: "modelarts:aiAlgorithm:create", manage: true, why: text{ZH: "创建算法", EN: "create algorithms"}},
	{name: "modelarts:aiAlgorithm:list", manage: true, why: text{ZH: "查询算法列表", EN: "list algorithms"}},
	{name: "modelarts:aiAlgorithm:get", manage: true, why: text{ZH: "查询算法详情", EN: "read algorithms"}},
	{name: "modelarts:aiAlgorithm:update", manage: true, why: text{ZH: "修改算法", EN: "change algorithms"}},
	{name: "modelarts:aiAlgorithm:delete", manage: true, why: text{ZH: "删除算法", EN: "delete algorithms"}},
	{name: "modelarts:model:create", manage: true, why: text{ZH: "导入模型", EN: "import models"}},
	{name: "modelarts:model:list", manage: true, why: text{ZH: "查询模型列表", EN: "list models"}},
	{name: "modelarts:model:get", manage: true, why: text{ZH: "查询模型详情", EN: "read models"}},
	{name: "modelarts:model:delete", manage: true, why: text{ZH: "删除模型", EN: "delete models"}},
	{name: "modelarts:tag:list", manage: true, why: text{ZH: "查询作业标签", EN: "read the tags of jobs"}},
	{name: "obs:object:GetObject", manage: true, why: text{ZH: "创建作业时读取代码目录与输入", EN: "read the code directory and inputs of a new job"}},
	{name: "obs:object:PutObject", manage: true, why: text{ZH: "创建作业时写入输出与日志", EN: "write the outputs and logs of a new job"}},
	{name: "swr:repository:getRepository", manage: true, why: text{ZH: "创建作业时使用自定义镜像", EN: "use a custom image for a new job"}},
	{name: "swr:repository:listTags", manage: true, why: text{ZH: "创建作业时查询自定义镜像的版本", EN: "find the tags of a custom image for a new job"}},
}
