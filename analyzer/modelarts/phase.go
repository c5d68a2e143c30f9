package modelarts

import "strings"

// phaseWords are the words that answers of every age use for a phase, in lower
// case and without "_", "-" and spaces. They come from the v2 API and its
// second-level states, the v1 API, the console in Chinese, and descriptions of
// the API that are in use.
var phaseWords = map[string]Phase{
	"creating": PhaseCreating, "created": PhaseCreating, "init": PhaseCreating, "initializing": PhaseCreating,
	"initialized": PhaseCreating, "imagecreating": PhaseCreating, "submittrying": PhaseCreating,
	"submitting": PhaseCreating, "checkinit": PhaseCreating, "checkrunning": PhaseCreating,
	"checkrunningcompleted": PhaseCreating, "创建中": PhaseCreating, "初始化": PhaseCreating,

	"pending": PhasePending, "queuing": PhasePending, "queueing": PhasePending, "queued": PhasePending,
	"waiting": PhasePending, "等待中": PhasePending, "排队中": PhasePending,

	"running": PhaseRunning, "scaling": PhaseRunning, "deploying": PhaseRunning, "运行中": PhaseRunning,

	"completed": PhaseCompleted, "complete": PhaseCompleted, "success": PhaseCompleted,
	"succeeded": PhaseCompleted, "successful": PhaseCompleted, "已完成": PhaseCompleted, "运行成功": PhaseCompleted,

	"failed": PhaseFailed, "failure": PhaseFailed, "error": PhaseFailed, "timeout": PhaseFailed,
	"运行失败": PhaseFailed, "失败": PhaseFailed,

	"abnormal": PhaseAbnormal, "createfailed": PhaseAbnormal, "lost": PhaseAbnormal,
	"terminatedfailed": PhaseAbnormal, "terminatefailed": PhaseAbnormal, "imagefailed": PhaseAbnormal,
	"submitfailed": PhaseAbnormal, "checkfailed": PhaseAbnormal, "mountfailed": PhaseAbnormal,
	"异常": PhaseAbnormal, "创建失败": PhaseAbnormal, "停止失败": PhaseAbnormal,

	"terminating": PhaseTerminating, "stopping": PhaseTerminating, "killing": PhaseTerminating,
	"停止中": PhaseTerminating,

	"terminated": PhaseTerminated, "stopped": PhaseTerminated, "cancelled": PhaseTerminated,
	"canceled": PhaseTerminated, "killed": PhaseTerminated, "已停止": PhaseTerminated, "已终止": PhaseTerminated,
}

// v1States are the words behind the numeric states of the v1 API. Those of what
// comes after a training (a model's or a service's publication) are no phase of
// the training.
var v1States = [...]string{
	"unknown", "init", "image_creating", "image_failed", "submit_trying", "submit_failed", "delete_failed",
	"waiting", "running", "killing", "completed", "failed", "killed", "canceled", "lost", "scaling",
	"submit_model_failed", "deploy_service_failed", "check_init", "check_running",
	"check_running_completed", "check_failed", "mount_failed",
}

var squeeze = strings.NewReplacer("_", "", "-", "", " ", "")

// PhaseOf returns the phase that a word of any age means, PhaseUnknown for a
// word that is not known: an unknown state is never taken for a success.
func PhaseOf(word string) Phase {
	w := strings.ToLower(strings.TrimSpace(word))
	w = strings.TrimPrefix(w, "jobstat_")
	return phaseWords[squeeze.Replace(w)]
}

// phaseOf returns the phase that a value tells, a word or a number of the v1 API.
func phaseOf(n node) Phase {
	if i, ok := n.int(); ok {
		if i >= 0 && i < int64(len(v1States)) {
			return PhaseOf(v1States[i])
		}
		return PhaseUnknown
	}
	if n.kind != text {
		return PhaseUnknown
	}
	return PhaseOf(n.str())
}

// isPhase tells whether a string is a phase of the v2 API, letter by letter.
func isPhase(s string) bool {
	p := Phase(s)
	return p != PhaseUnknown && PhaseOf(s) == p
}

// Waits tells whether a job in this phase has not begun to run.
func (p Phase) Waits() bool { return p == PhasePending || p == PhaseCreating }

// Ended tells whether a job in this phase does nothing any more.
func (p Phase) Ended() bool {
	return p == PhaseCompleted || p == PhaseTerminated || p.Failed()
}

// Failed tells whether the phase says that the job failed.
func (p Phase) Failed() bool { return p == PhaseFailed || p == PhaseAbnormal }
