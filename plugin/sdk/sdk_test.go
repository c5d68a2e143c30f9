package sdk

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/huaweicloud/huaweicloud-sdk-go-v3/core"
	"github.com/huaweicloud/huaweicloud-sdk-go-v3/core/auth/basic"
	"github.com/huaweicloud/huaweicloud-sdk-go-v3/core/config"
	"github.com/huaweicloud/huaweicloud-sdk-go-v3/core/def"
	"github.com/huaweicloud/huaweicloud-sdk-go-v3/core/impl"
	modelarts "github.com/huaweicloud/huaweicloud-sdk-go-v3/services/modelarts/v1"
	"github.com/huaweicloud/huaweicloud-sdk-go-v3/services/modelarts/v1/model"

	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/hcloud"
	"hcloud-modelarts/plugin/operations"
	"hcloud-modelarts/plugin/operations/optest"
)

const (
	testKey     = "AKEXAMPLE"
	testSecret  = "not-a-secret"
	testProject = "0b1c2d3e4f5061728394a5b6c7d8e9f0"
)

// official are the SDK's own request types and definitions.
var official = map[string]struct {
	request any
	define  func() *def.HttpRequestDef
}{
	"CreateTrainingJob":                     {new(model.CreateTrainingJobRequest), modelarts.GenReqDefForCreateTrainingJob},
	"ListTrainingJobs":                      {new(model.ListTrainingJobsRequest), modelarts.GenReqDefForListTrainingJobs},
	"ShowTrainingJobDetails":                {new(model.ShowTrainingJobDetailsRequest), modelarts.GenReqDefForShowTrainingJobDetails},
	"StopTrainingJob":                       {new(model.StopTrainingJobRequest), modelarts.GenReqDefForStopTrainingJob},
	"DeleteTrainingJob":                     {new(model.DeleteTrainingJobRequest), modelarts.GenReqDefForDeleteTrainingJob},
	"ChangeTrainingJobDescription":          {new(model.ChangeTrainingJobDescriptionRequest), modelarts.GenReqDefForChangeTrainingJobDescription},
	"ShowTrainingJobLogsPreview":            {new(model.ShowTrainingJobLogsPreviewRequest), modelarts.GenReqDefForShowTrainingJobLogsPreview},
	"ShowObsUrlOfTrainingJobLogs":           {new(model.ShowObsUrlOfTrainingJobLogsRequest), modelarts.GenReqDefForShowObsUrlOfTrainingJobLogs},
	"ShowTrainingJobMetrics":                {new(model.ShowTrainingJobMetricsRequest), modelarts.GenReqDefForShowTrainingJobMetrics},
	"ShowTrainingJobEngines":                {new(model.ShowTrainingJobEnginesRequest), modelarts.GenReqDefForShowTrainingJobEngines},
	"ShowTrainingJobFlavors":                {new(model.ShowTrainingJobFlavorsRequest), modelarts.GenReqDefForShowTrainingJobFlavors},
	"ShowTrainingQuotas":                    {new(model.ShowTrainingQuotasRequest), modelarts.GenReqDefForShowTrainingQuotas},
	"NotifyTrainingJobInformation":          {new(model.NotifyTrainingJobInformationRequest), modelarts.GenReqDefForNotifyTrainingJobInformation},
	"ListJobs":                              {new(model.ListJobsRequest), modelarts.GenReqDefForListJobs},
	"CreateAlgorithm":                       {new(model.CreateAlgorithmRequest), modelarts.GenReqDefForCreateAlgorithm},
	"ListAlgorithms":                        {new(model.ListAlgorithmsRequest), modelarts.GenReqDefForListAlgorithms},
	"ShowAlgorithmByUuid":                   {new(model.ShowAlgorithmByUuidRequest), modelarts.GenReqDefForShowAlgorithmByUuid},
	"ChangeAlgorithm":                       {new(model.ChangeAlgorithmRequest), modelarts.GenReqDefForChangeAlgorithm},
	"DeleteAlgorithm":                       {new(model.DeleteAlgorithmRequest), modelarts.GenReqDefForDeleteAlgorithm},
	"ShowSearchAlgorithms":                  {new(model.ShowSearchAlgorithmsRequest), modelarts.GenReqDefForShowSearchAlgorithms},
	"CreateAlgorithmVersionToGallery":       {new(model.CreateAlgorithmVersionToGalleryRequest), modelarts.GenReqDefForCreateAlgorithmVersionToGallery},
	"CreateTrainJobTags":                    {new(model.CreateTrainJobTagsRequest), modelarts.GenReqDefForCreateTrainJobTags},
	"ShowTrainJobTags":                      {new(model.ShowTrainJobTagsRequest), modelarts.GenReqDefForShowTrainJobTags},
	"DeleteTrainJobTags":                    {new(model.DeleteTrainJobTagsRequest), modelarts.GenReqDefForDeleteTrainJobTags},
	"CreateTrainingExperiment":              {new(model.CreateTrainingExperimentRequest), modelarts.GenReqDefForCreateTrainingExperiment},
	"ListTrainingExperiments":               {new(model.ListTrainingExperimentsRequest), modelarts.GenReqDefForListTrainingExperiments},
	"ShowTrainingExperimentDetails":         {new(model.ShowTrainingExperimentDetailsRequest), modelarts.GenReqDefForShowTrainingExperimentDetails},
	"DeleteTrainingExperiment":              {new(model.DeleteTrainingExperimentRequest), modelarts.GenReqDefForDeleteTrainingExperiment},
	"ChangeTrainingExperiment":              {new(model.ChangeTrainingExperimentRequest), modelarts.GenReqDefForChangeTrainingExperiment},
	"CheckTrainingExperiment":               {new(model.CheckTrainingExperimentRequest), modelarts.GenReqDefForCheckTrainingExperiment},
	"ListTrainingJobEvents":                 {new(model.ListTrainingJobEventsRequest), modelarts.GenReqDefForListTrainingJobEvents},
	"ListTrainingJobStages":                 {new(model.ListTrainingJobStagesRequest), modelarts.GenReqDefForListTrainingJobStages},
	"ListTrainingJobTasks":                  {new(model.ListTrainingJobTasksRequest), modelarts.GenReqDefForListTrainingJobTasks},
	"ListEvents":                            {new(model.ListEventsRequest), modelarts.GenReqDefForListEvents},
	"ListEventCategories":                   {new(model.ListEventCategoriesRequest), modelarts.GenReqDefForListEventCategories},
	"ListScheduledEvents":                   {new(model.ListScheduledEventsRequest), modelarts.GenReqDefForListScheduledEvents},
	"AcceptScheduledEvent":                  {new(model.AcceptScheduledEventRequest), modelarts.GenReqDefForAcceptScheduledEvent},
	"CreateModelArtsAgency":                 {new(model.CreateModelArtsAgencyRequest), modelarts.GenReqDefForCreateModelArtsAgency},
	"ShowAutoSearchTrials":                  {new(model.ShowAutoSearchTrialsRequest), modelarts.GenReqDefForShowAutoSearchTrials},
	"ShowAutoSearchPerTrial":                {new(model.ShowAutoSearchPerTrialRequest), modelarts.GenReqDefForShowAutoSearchPerTrial},
	"ShowAutoSearchParamsAnalysis":          {new(model.ShowAutoSearchParamsAnalysisRequest), modelarts.GenReqDefForShowAutoSearchParamsAnalysis},
	"ShowAutoSearchParamAnalysisResultPath": {new(model.ShowAutoSearchParamAnalysisResultPathRequest), modelarts.GenReqDefForShowAutoSearchParamAnalysisResultPath},
	"ShowAutoSearchTrialEarlyStop":          {new(model.ShowAutoSearchTrialEarlyStopRequest), modelarts.GenReqDefForShowAutoSearchTrialEarlyStop},
	"ShowAutoSearchYamlTemplateContent":     {new(model.ShowAutoSearchYamlTemplateContentRequest), modelarts.GenReqDefForShowAutoSearchYamlTemplateContent},
	"ShowAutoSearchYamlTemplatesInfo":       {new(model.ShowAutoSearchYamlTemplatesInfoRequest), modelarts.GenReqDefForShowAutoSearchYamlTemplatesInfo},
	"CreateSaveImageJob":                    {new(model.CreateSaveImageJobRequest), modelarts.GenReqDefForCreateSaveImageJob},
	"ShowSaveImageJob":                      {new(model.ShowSaveImageJobRequest), modelarts.GenReqDefForShowSaveImageJob},
}

// seen is a request as the server got it.
type seen struct {
	Method, Path, Query string
	Language            string
	Body                any
}

// server checks the signature of each request, keeps the request, and answers.
type server struct {
	*httptest.Server
	t      *testing.T
	got    []seen
	header http.Header
	status int
	answer string
}

func newServer(t *testing.T) *server {
	s := &server{t: t, status: 200, answer: `{"ok": true}`}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(s.Close)
	return s
}

func (s *server) handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	if err := checkSignature(r, body); err != nil {
		s.t.Errorf("%s %s: %v", r.Method, r.URL, err)
	}
	one := seen{Method: r.Method, Path: r.URL.Path, Query: r.URL.Query().Encode(), Language: r.Header.Get("X-Language")}
	if len(body) > 0 {
		if one.Body, err = operations.Decode(body); err != nil {
			s.t.Errorf("%s %s: the body is no JSON: %v", r.Method, r.URL, err)
		}
	}
	s.got, s.header = append(s.got, one), r.Header
	w.WriteHeader(s.status)
	io.WriteString(w, s.answer)
}

// checkSignature computes the signature as the service does (SDK-HMAC-SHA256).
func checkSignature(r *http.Request, body []byte) error {
	given := r.Header.Get("Authorization")
	var key, headers, signature string
	for part := range strings.SplitSeq(strings.TrimPrefix(given, "SDK-HMAC-SHA256 "), ", ") {
		name, v, _ := strings.Cut(part, "=")
		switch name {
		case "Access":
			key = v
		case "SignedHeaders":
			headers = v
		case "Signature":
			signature = v
		}
	}
	if key != testKey || headers == "" {
		return fmt.Errorf("authorization %q", given)
	}
	var canonical strings.Builder
	for h := range strings.SplitSeq(headers, ";") {
		v := r.Header.Get(h)
		if h == "host" {
			v = r.Host
		}
		fmt.Fprintf(&canonical, "%s:%s\n", h, strings.TrimSpace(v))
	}
	var uri string
	for segment := range strings.SplitSeq(strings.Trim(r.URL.Path, "/"), "/") {
		uri += "/" + strings.ReplaceAll(url.QueryEscape(segment), "+", "%20")
	}
	uri += "/"
	values := r.URL.Query()
	for _, v := range values {
		slices.Sort(v)
	}
	query := strings.ReplaceAll(values.Encode(), "+", "%20")
	sum := sha256.Sum256(body)
	whole := strings.Join([]string{r.Method, uri, query, canonical.String(), headers, hex.EncodeToString(sum[:])}, "\n")
	hash := sha256.Sum256([]byte(whole))
	mac := hmac.New(sha256.New, []byte(testSecret))
	fmt.Fprintf(mac, "SDK-HMAC-SHA256\n%s\n%s", r.Header.Get("X-Sdk-Date"), hex.EncodeToString(hash[:]))
	if want := hex.EncodeToString(mac.Sum(nil)); want != signature {
		return fmt.Errorf("the signature is %s, not %s", signature, want)
	}
	return nil
}

func environment(s *server) map[string]string {
	return map[string]string{accessKeyVar: testKey, secretKeyVar: testSecret, projectVar: testProject, domainVar: "domain", endpointVar: s.URL}
}

func program(t *testing.T, s *server) *Program {
	t.Helper()
	p, err := New(environment(s))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// arguments writes a request as it stands behind "hcloud", with a file where
// flags cannot say it.
func arguments(t *testing.T, req *operations.Request) []string {
	t.Helper()
	args := []string{req.Operation.Service, req.Operation.Name}
	flags, plain := req.Flags()
	if plain {
		return append(args, flags...)
	}
	data, err := req.Input()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "input.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return append(args, "--cli-jsonInput="+file)
}

func build(t *testing.T, op *operations.Operation, args []operations.Argument) *operations.Request {
	t.Helper()
	req, problems := op.Build(args, nil)
	if operations.Fatal(problems) {
		t.Fatalf("%s: %+v", op.Name, problems)
	}
	return req
}

// TestSendsWhatTheSDKSends: for each operation, with every parameter it takes
// and with its example, the service gets the same request as from the SDK's own
// types, and one that is correctly signed.
func TestSendsWhatTheSDKSends(t *testing.T) {
	ops := operations.Default().Training()
	compared := 0
	for _, op := range ops {
		for what, args := range map[string][]operations.Argument{"all parameters": optest.Full(op), "example": optest.Example(op)} {
			t.Run(op.Name+"/"+what, func(t *testing.T) {
				s := newServer(t)
				req := build(t, op, args)
				call := arguments(t, req)
				s.answer = recordedAnswer(t, call)
				out, err := program(t, s).Run(t.Context(), call)
				if err != nil || string(out.Stdout) != s.answer || len(s.got) != 1 {
					t.Fatalf("%d requests, %s%s, %v", len(s.got), out.Stdout, out.Stderr, err)
				}
				checkPath(t, s.got[0].Path, op, req)
				if got := s.header.Get("X-Project-Id"); got != testProject {
					t.Errorf("X-Project-Id is %q", got)
				}
				if _, ok := official[op.Name]; !ok {
					checkBody(t, s.got[0], req)
					return
				}
				sendOfficially(t, s, op, req)
				if diff := cmp.Diff(s.got[1], s.got[0]); diff != "" {
					t.Errorf("the SDK sends something else (-SDK +here):\n%s", diff)
				}
			})
		}
		if _, ok := official[op.Name]; ok {
			compared++
		}
	}
	if len(ops) != 52 || compared != 47 {
		t.Errorf("%d operations, %d of them compared with the SDK's types", len(ops), compared)
	}
}

// recordedAnswer records an answer to a call and reads it back from the corpus.
func recordedAnswer(t *testing.T, call []string) string {
	t.Helper()
	q, _ := corpus.RequestOf(call[1:])
	rec, err := corpus.Create(t.TempDir(), corpus.Manifest{ID: "recorded"}, corpus.Options{Now: time.Now, Random: strings.NewReader(strings.Repeat("r", 64))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rec.Add(corpus.Exchange{Request: q, Class: string(hcloud.OK)}, []byte(`{"answer": "`+q.Operation+`"}`)); err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(true); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(rec.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, out, err := corpus.NewReplayer(c).Answer(q)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func checkPath(t *testing.T, got string, op *operations.Operation, req *operations.Request) {
	t.Helper()
	want := op.Path
	for _, p := range op.Parameters {
		if p.In == "path" {
			v := req.Text(p.Name)
			if p.Name == "project_id" {
				v = testProject
			}
			want = strings.ReplaceAll(want, "{"+p.Name+"}", v)
		}
	}
	if got != want {
		t.Errorf("the path is %q, not %q", got, want)
	}
}

// checkBody compares with the request itself, for operations that the SDK does
// not have.
func checkBody(t *testing.T, got seen, req *operations.Request) {
	t.Helper()
	if want := req.Query().Encode(); got.Query != want {
		t.Errorf("the query is %q, not %q", got.Query, want)
	}
	var want any
	if req.Body != nil {
		want = map[string]any(req.Body)
	}
	if diff := cmp.Diff(want, got.Body); diff != "" {
		t.Errorf("the body differs: %s", diff)
	}
}

// sendOfficially sends the request with the SDK's own client and types.
func sendOfficially(t *testing.T, s *server, op *operations.Operation, req *operations.Request) {
	t.Helper()
	fields := map[string]any{}
	for _, p := range op.Parameters {
		v, ok := req.Values[p.Name]
		if !ok || p.In == "body" {
			continue
		}
		if text, ok := v.(string); ok && (strings.HasPrefix(p.Type, "integer") || p.Type == "boolean") {
			v = json.RawMessage(text)
		}
		fields[p.Name] = v
	}
	if req.Body != nil {
		fields["body"] = req.Body
	}
	data, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	o := official[op.Name]
	request := reflect.New(reflect.TypeOf(o.request).Elem()).Interface()
	if err := json.Unmarshal(data, request); err != nil {
		t.Fatalf("the SDK's type does not take %s: %v", data, err)
	}
	credentials, err := basic.NewCredentialsBuilder().WithAk(testKey).WithSk(testSecret).WithProjectId(testProject).SafeBuild()
	if err != nil {
		t.Fatal(err)
	}
	client := core.NewHcHttpClient(impl.NewDefaultHttpClient(config.DefaultHttpConfig())).WithEndpoints([]string{s.URL}).WithCredential(credentials)
	s.answer = "{}"
	if _, err := client.Sync(request, o.define()); err != nil && len(s.got) != 2 {
		t.Fatal(err)
	}
}

// TestAnswers: what the service answers is classified as hcloud's answers are.
func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		status int
		answer string
		class  hcloud.Class
	}{
		{200, `{"metadata": {"id": "x"}}`, hcloud.OK},
		{204, "", hcloud.Empty},
		{400, `{"error_code": "ModelArts.2788", "error_msg": "Invalid parameter"}`, hcloud.APIError},
		{401, `{"error_code": "APIGW.0301", "error_msg": "Incorrect IAM authentication information"}`, hcloud.Unauthorized},
		{403, `{"error_code": "ModelArts.0112", "error_msg": "no"}`, hcloud.Forbidden},
		{404, `{"error_code": "ModelArts.2775", "error_msg": "not found"}`, hcloud.NotFound},
		{429, `{"error_code": "APIGW.0308", "error_msg": "slow down"}`, hcloud.Throttled},
		{500, `{"error_code": "ModelArts.0010", "error_msg": "Internal error."}`, hcloud.ServerError},
	} {
		s := newServer(t)
		s.status, s.answer = tt.status, tt.answer
		out, err := program(t, s).Run(t.Context(), []string{"ModelArts", "ShowTrainingJobDetails", "--training_job_id=x"})
		if a := hcloud.Classify(out, err); a.Class != tt.class {
			t.Errorf("%d %s: class %q, want %q (%s%s)", tt.status, tt.answer, a.Class, tt.class, out.Stdout, out.Stderr)
		}
	}
}

func TestFaults(t *testing.T) {
	s := newServer(t)
	p := program(t, s)
	run := func(ctx context.Context, args ...string) hcloud.Answer {
		return hcloud.Classify(p.Run(ctx, args))
	}
	if a := run(t.Context(), "ModelArts", "ShowTrainingJobUserDiagnosis", "--job_id=x"); a.Class != hcloud.Unsupported {
		t.Errorf("an unknown operation: %+v", a)
	}
	if a := run(t.Context(), "ModelArts", "ShowTrainingJobDetails"); a.Class != hcloud.UseError {
		t.Errorf("a missing parameter: %+v", a)
	}
	if a := run(t.Context(), "ModelArts", "ShowTrainingJobDetails", "--training_job_id=../pools"); a.Class != hcloud.UseError {
		t.Errorf("an id that changes the path: %+v", a)
	}
	if len(s.got) > 0 {
		t.Errorf("something was sent: %+v", s.got)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if a := run(cancelled, "ModelArts", "ShowTrainingQuotas"); a.Class != hcloud.Interrupted {
		t.Errorf("an interrupted call: %+v", a)
	}
	s.Close()
	if a := run(t.Context(), "ModelArts", "ShowTrainingQuotas"); a.Class != hcloud.NetworkError {
		t.Errorf("no server: %+v", a)
	}
}

func TestTimesOut(t *testing.T) {
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	}))
	defer slow.Close()
	p, err := New(map[string]string{accessKeyVar: testKey, secretKeyVar: testSecret, projectVar: testProject, endpointVar: slow.URL})
	if err != nil {
		t.Fatal(err)
	}
	p.timeout = 50 * time.Millisecond
	if a := hcloud.Classify(p.Run(t.Context(), []string{"ModelArts", "ShowTrainingQuotas"})); a.Class != hcloud.TimedOut {
		t.Errorf("%+v", a)
	}
}

// TestOtherServices: prices are asked of BSS as an account, projects of IAM.
func TestOtherServices(t *testing.T) {
	for _, name := range []string{"ListOnDemandResourceRatings", "KeystoneListAuthProjects", "ShowPool"} {
		s := newServer(t)
		op := operations.Default().Find(name)
		req := build(t, op, optest.Example(op))
		out, err := program(t, s).Run(t.Context(), append(arguments(t, req), "--cli-region=cn-north-1"))
		if err != nil || len(s.got) != 1 || s.got[0].Method != op.Method {
			t.Fatalf("%s: %+v, %s, %v", name, s.got, out.Stdout, err)
		}
		if account := s.header.Get("X-Domain-Id") == "domain"; account != (op.Service != "ModelArts") {
			t.Errorf("%s: headers %v", name, s.header)
		}
		checkBody(t, s.got[0], req)
	}
}

func TestEnvironment(t *testing.T) {
	_, err := New(map[string]string{accessKeyVar: testKey})
	missing, ok := errors.AsType[*MissingError](err)
	if !ok || !slices.Equal(missing.Variables, []string{secretKeyVar, projectVar}) {
		t.Errorf("missing credentials: %v", err)
	}
	for endpoint, good := range map[string]bool{"https://x.example.com": true, "http://127.0.0.1:80": true, "http://x.example.com": false, "x": false} {
		_, err := New(map[string]string{accessKeyVar: "a", secretKeyVar: "s", projectVar: "p", endpointVar: endpoint})
		if (err == nil) != good {
			t.Errorf("endpoint %q: %v", endpoint, err)
		}
	}
	p, err := New(map[string]string{accessKeyVar: "KEYOFTHEUSER", secretKeyVar: "SECRETOFTHEUSER", projectVar: "p", regionVar: "cn-north-4"})
	if err != nil {
		t.Fatal(err)
	}
	out, _ := p.Run(t.Context(), []string{"configure", "list"})
	if strings.Contains(string(out.Stdout), "OFTHEUSER") {
		t.Errorf("a credential is shown: %s", out.Stdout)
	}
	c, a := hcloud.ProbeConfig(t.Context(), p)
	profile, ok := c.Profile("")
	if a.Class != hcloud.OK || !ok || profile.Region != "cn-north-4" || !profile.Keys || !profile.Project {
		t.Errorf("the configuration: %+v %+v", a, c)
	}
	if got := p.address("ModelArts", "cn-north-4"); got != "https://modelarts.cn-north-4.myhuaweicloud.com" {
		t.Errorf("the address of ModelArts: %q", got)
	}
}
