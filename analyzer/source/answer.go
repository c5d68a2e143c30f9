package source

import "strings"

// knownKeys is a set of the keys by which an answer of the service is told
// from a value that a program printed into its log.
type knownKeys uint64

// The keys at the outer level of the answers of ModelArts, of API errors, and
// of what --cli-query makes of them.
const (
	keyKind knownKeys = 1 << iota
	keyMetadata
	keyStatus
	keySpec
	keyAlgorithm
	keyItems
	keyTotal
	keyCount
	keyLimit
	keyOffset
	keyEvents
	keyStages
	keyTasks
	keyContent
	keySize
	keyURL
	keyMetrics
	keyQuotas
	keyFlavors
	keyErrorCode
	keyErrorMessage
	keyError
	keyRequest
	keyTask
	keyMessage
	keyExit
	keyPhase
	keyLevel
	keyTime
	keySource
	keyID
	keyCode
	keyJobs
	keyAnalysis
	keyLog
	keyHost
	keyLines
)

var keyNames = map[string]knownKeys{
	"kind": keyKind, "metadata": keyMetadata, "status": keyStatus, "spec": keySpec,
	"algorithm": keyAlgorithm, "items": keyItems, "total": keyTotal, "total_count": keyTotal,
	"count": keyCount, "limit": keyLimit, "offset": keyOffset, "events": keyEvents,
	"stages": keyStages, "training_job_stages": keyStages, "tasks": keyTasks,
	"content": keyContent, "context": keyContent, "current_size": keySize, "full_size": keySize, "obs_url": keyURL,
	"metrics": keyMetrics, "quotas": keyQuotas, "flavors": keyFlavors,
	"error_code": keyErrorCode, "errorCode": keyErrorCode, "errCode": keyErrorCode,
	"error_msg": keyErrorMessage, "errorMsg": keyErrorMessage, "error_message": keyErrorMessage,
	"externalMessage": keyErrorMessage, "error": keyError,
	"request_id": keyRequest, "encoded_authorization_message": keyRequest,
	"task": keyTask, "task_id": keyTask, "task_name": keyTask,
	"message": keyMessage, "info": keyMessage, "exit_code": keyExit, "exitCode": keyExit,
	"phase": keyPhase, "secondary_phase": keyPhase, "level": keyLevel, "time": keyTime,
	"source": keySource, "id": keyID, "job_id": keyID, "code": keyCode,
	"jobs": keyJobs, "running_records": keyJobs, "task_statuses": keyJobs,
	"failureAnalysisResult": keyAnalysis, "failure_analysis_result": keyAnalysis,
	"log": keyLog, "host_ip": keyHost,
	"start_line": keyLines, "end_line": keyLines,
}

func knownKey(name []byte) knownKeys { return keyNames[string(name)] }

// answerForms are the sets of keys that make an answer wherever they stand.
var answerForms = []knownKeys{
	keyMetadata | keyStatus,
	keyMetadata | keySpec,
	keyMetadata | keyAlgorithm,
	keyKind | keyMetadata,
	keyKind | keyStatus | keyCode, // a Kubernetes Status
	keyItems | keyTotal,
	keyItems | keyCount,
	keyEvents | keyTotal,
	keyEvents | keyLimit,
	keyStages | keyTotal,
	keyTasks | keyTotal,
	keyTasks | keyCount,
	keyContent | keySize,
	keyContent | keyLines,
	keyErrorCode | keyErrorMessage,
	keyErrorMessage | keyRequest,
	keyError | keyRequest,
	keyCode | keyMessage | keyRequest,
	keyTask | keyAnalysis,
	keyTask | keyHost,
	keyTotal | keyJobs,
}

// partForms are the sets of keys that parts of answers have, as --cli-query
// picks them, and short answers; a program may print an object with the same
// keys into its log.
var partForms = []knownKeys{
	keyTask | keyMessage,
	keyTask | keyExit,
	keyPhase | keyStatus,
	keyPhase | keyID,
	keyTime | keyLevel | keyMessage | keySource,
	keyLog | keySize,
	keyURL,
	keyQuotas,
	keyFlavors,
	keyJobs,
	keyAnalysis,
}

func (k knownKeys) isAnswer() bool { return k.hasOne(answerForms) }

func (k knownKeys) isPart() bool { return k.hasOne(partForms) }

func (k knownKeys) hasOne(forms []knownKeys) bool {
	for _, form := range forms {
		if k&form == form {
			return true
		}
	}
	return false
}

// notices are the beginnings of lines that hcloud prints around its output.
var notices = []string{
	"[USE_ERROR]", "[CLI_ERROR]", "[NETWORK_ERROR]", "[OPENAPI_ERROR]",
	"[APIE_ERROR]", "[debug info]",
	"The JMESPath query on JSON results failed", "If both 'cli-",
	"cli-jsonInput", "结果轮询结束", "Failed to obtain project ID", "获取项目ID失败",
	"Run `hcloud", "运行`hcloud", "$ hcloud ", "hcloud ", "# hcloud ",
	"KooCLI", "HTTP/1.1 ", "HTTP/2 ",
}

var noticeParts = []string{
	"is a multi-version API", "有多个版本", "JMESPath", "hcloud ModelArts ", "hcloud modelarts ",
}

// isNotice says whether a line is one that hcloud prints around its output.
func isNotice(s string) bool {
	s = strings.TrimLeft(s, " \t")
	if s == "" {
		return false
	}
	for _, n := range notices {
		if strings.HasPrefix(s, n) {
			return true
		}
	}
	s = s[:min(len(s), 400)]
	for _, n := range noticeParts {
		if strings.Contains(s, n) {
			return true
		}
	}
	return false
}
