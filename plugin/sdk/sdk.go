// Package sdk stands in for hcloud where it is missing: it takes hcloud's
// commands, sends the requests itself, signed by the core of Huawei Cloud's
// official SDK, and prints what the service answers. So everything that is known
// of hcloud's answers, how they are classified and recorded, holds here too.
//
// The credentials come from the environment alone.
package sdk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/huaweicloud/huaweicloud-sdk-go-v3/core/auth"
	"github.com/huaweicloud/huaweicloud-sdk-go-v3/core/auth/basic"
	"github.com/huaweicloud/huaweicloud-sdk-go-v3/core/auth/global"
	"github.com/huaweicloud/huaweicloud-sdk-go-v3/core/config"
	"github.com/huaweicloud/huaweicloud-sdk-go-v3/core/impl"
	"github.com/huaweicloud/huaweicloud-sdk-go-v3/core/request"

	"hcloud-modelarts/plugin/hcloud"
	"hcloud-modelarts/plugin/operations"
)

// The variables that hold the credentials, as the SDK names them.
const (
	accessKeyVar = "HUAWEICLOUD_SDK_AK"
	secretKeyVar = "HUAWEICLOUD_SDK_SK"
	tokenVar     = "HUAWEICLOUD_SDK_SECURITY_TOKEN"
	projectVar   = "HUAWEICLOUD_SDK_PROJECT_ID"
	domainVar    = "HUAWEICLOUD_SDK_DOMAIN_ID"
	regionVar    = "HUAWEICLOUD_SDK_REGION"
	// endpointVar replaces the address of every service, for a gateway or a test.
	endpointVar = "HCLOUD_MODELARTS_ENDPOINT"
)

// NoRegion is the message of a refusal when nobody named the region.
const NoRegion = "cli-region is required"

// Required lists the variables that must be set.
var Required = []string{accessKeyVar, secretKeyVar, projectVar}

// Program answers hcloud's commands.
type Program struct {
	accessKey, secretKey, token, project, domain string

	region    string
	endpoint  string
	transport http.RoundTripper
	timeout   time.Duration
	limit     int64 // bytes of an answer
}

// MissingError names the variables that are not set.
type MissingError struct{ Variables []string }

func (e *MissingError) Error() string {
	return "not set in the environment: " + strings.Join(e.Variables, ", ")
}

// EndpointError says that a variable holds no address that may be asked.
type EndpointError struct{ Variable, Value string }

func (e *EndpointError) Error() string {
	return fmt.Sprintf("%s must be an https address, not %q", e.Variable, e.Value)
}

// New takes the credentials from the environment; the error is a *MissingError,
// or says that the endpoint cannot be used.
func New(env map[string]string) (*Program, error) {
	var missing []string
	for _, name := range Required {
		if env[name] == "" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return nil, &MissingError{missing}
	}
	p := &Program{
		accessKey: env[accessKeyVar], secretKey: env[secretKeyVar], token: env[tokenVar],
		project: env[projectVar], domain: env[domainVar], region: env[regionVar], endpoint: env[endpointVar],
		transport: http.DefaultTransport, timeout: time.Minute, limit: hcloud.DefaultLimit,
	}
	if p.endpoint != "" {
		u, err := url.Parse(p.endpoint)
		if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && loopback(u.Hostname())) {
			return nil, &EndpointError{endpointVar, p.endpoint}
		}
	}
	return p, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// command is what stands behind "hcloud".
type command struct {
	service, operation string
	params             []operations.Argument
	options            map[string]string
	input              []byte
}

// Run answers one command as hcloud does: errors are printed, and the exit code
// is 0. The HTTP status stands on standard error, in hcloud's own words for it.
func (p *Program) Run(ctx context.Context, args []string) (hcloud.Output, error) {
	if len(args) >= 2 && args[0] == "configure" && args[1] == "list" {
		return p.configuration(), nil
	}
	cmd, err := parse(args)
	if err != nil {
		return hcloud.Output{}, err
	}
	op := operations.Default().Find(cmd.operation)
	if op == nil || op.Service != cmd.service {
		return refuse("USE_ERROR", "Unsupported operation: "+cmd.operation), nil
	}
	req, problems := op.Build(cmd.params, cmd.input)
	for _, problem := range problems {
		if !problem.Doubt {
			return refuse("USE_ERROR", "Invalid parameter: "+problem.Name), nil
		}
	}
	return p.send(ctx, req, cmd.options)
}

// configuration is what "configure list" shows of the environment: whether
// credentials are there, never what they are.
func (p *Program) configuration() hcloud.Output {
	return hcloud.Output{Stdout: fmt.Appendf(nil,
		`{"language": "en", "current": "environment", "profiles": [{"name": "environment", "mode": "AKSK", "accessKeyId": "****", "secretAccessKey": "****", "region": %q, "projectId": "****"}]}`+"\n", p.region)}
}

func refuse(tag, message string) hcloud.Output {
	return hcloud.Output{Stdout: fmt.Appendf(nil, "[%s]%s\n", tag, message)}
}

func parse(args []string) (command, error) {
	c := command{options: map[string]string{}}
	for _, a := range args {
		name, value, assigned := strings.Cut(strings.TrimPrefix(a, "--"), "=")
		switch {
		case !strings.HasPrefix(a, "--"):
			if c.service == "" {
				c.service = a
			} else if c.operation == "" {
				c.operation = a
			}
		case name == "cli-jsonInput":
			data, err := os.ReadFile(value)
			if err != nil {
				return c, err
			}
			c.input = data
		case strings.HasPrefix(name, "cli-") || !assigned:
			c.options[name] = value
		default:
			c.params = append(c.params, operations.Argument{Name: name, Value: value})
		}
	}
	return c, nil
}

// host gives the host name of a service in a region.
func host(service, region string) string {
	switch service {
	case "BSS":
		return "bss.myhuaweicloud.com"
	case "IAM":
		return "iam." + region + ".myhuaweicloud.com"
	}
	return strings.ToLower(service) + "." + region + ".myhuaweicloud.com"
}

func (p *Program) address(service, region string) string {
	if p.endpoint != "" {
		return p.endpoint
	}
	return "https://" + host(service, region)
}

// send signs and sends a request.
func (p *Program) send(ctx context.Context, req *operations.Request, options map[string]string) (hcloud.Output, error) {
	region := cmp.Or(options["cli-region"], p.region)
	if region == "" && (p.endpoint == "" || req.Operation.Service == "BSS") {
		return refuse("USE_ERROR", NoRegion), nil
	}
	client := impl.NewDefaultHttpClient(&config.HttpConfig{
		Timeout:          p.timeout,
		RoundTripper:     within{ctx, p.transport},
		SigningAlgorithm: config.DefaultHttpConfig().SigningAlgorithm,
	})
	project := cmp.Or(req.Text("project_id"), options["cli-project-id"], p.project)
	built, err := p.build(req, region)
	if err != nil {
		return hcloud.Output{}, err
	}
	signed, err := p.sign(client, built, req, region, project)
	if err != nil {
		return p.unreached(ctx, err)
	}
	resp, err := client.SyncInvokeHttp(signed)
	if err != nil {
		return p.unreached(ctx, err)
	}
	defer resp.Response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Response.Body, p.limit+1))
	if err != nil {
		return p.unreached(ctx, err)
	}
	return hcloud.Output{
		Stdout: body[:min(int64(len(body)), p.limit)],
		Stderr: fmt.Appendf(nil, "[debug info] API response status code is %d.\n", resp.GetStatusCode()),
		Cut:    int64(len(body)) > p.limit,
	}, nil
}

// within lets a context end the SDK's calls, which take none.
type within struct {
	ctx  context.Context
	next http.RoundTripper
}

func (w within) RoundTrip(r *http.Request) (*http.Response, error) {
	return w.next.RoundTrip(r.WithContext(w.ctx))
}

// unreached says why no answer came.
func (p *Program) unreached(ctx context.Context, err error) (hcloud.Output, error) {
	var timeout interface{ Timeout() bool }
	switch {
	case ctx.Err() != nil:
		return hcloud.Output{}, context.Cause(ctx)
	case errors.As(err, &timeout) && timeout.Timeout():
		return hcloud.Output{}, hcloud.ErrTimedOut
	}
	return hcloud.Output{}, &unreachedError{err}
}

// unreachedError is a service that did not answer.
type unreachedError struct{ err error }

func (e *unreachedError) Error() string     { return e.err.Error() }
func (e *unreachedError) Unwrap() error     { return e.err }
func (e *unreachedError) Unreachable() bool { return true }

// build writes the request as the SDK's core takes it.
func (p *Program) build(req *operations.Request, region string) (*request.DefaultHttpRequest, error) {
	op := req.Operation
	b := request.NewHttpRequestBuilder().
		WithEndpoint(p.address(op.Service, region)).
		WithMethod(op.Method).
		WithPath(op.Path).
		WithSigningAlgorithm(config.DefaultHttpConfig().SigningAlgorithm).
		AddHeaderParam("User-Agent", "hcloud-modelarts")
	for _, par := range op.Parameters {
		if v := req.Text(par.Name); par.In == "path" && v != "" {
			b.AddPathParam(par.Name, v)
		}
	}
	for name, values := range req.Query() {
		b.AddQueryParam(name, reflect.ValueOf(values))
	}
	for name, v := range req.Headers() {
		b.AddHeaderParam(name, v)
	}
	body, err := req.JSON()
	if err != nil {
		return nil, err
	}
	if body != nil {
		b.WithBody("", string(body))
	}
	b.AddHeaderParam("Content-Type", "application/json;charset=UTF-8")
	return b.Build(), nil
}

// sign adds the signature. BSS is a global service, which is asked as an account
// and not within a project.
func (p *Program) sign(client *impl.DefaultHttpClient, built *request.DefaultHttpRequest, req *operations.Request, region, project string) (*request.DefaultHttpRequest, error) {
	var credential auth.ICredential
	if req.Operation.Service == "ModelArts" {
		c, err := basic.NewCredentialsBuilder().WithAk(p.accessKey).WithSk(p.secretKey).WithSecurityToken(p.token).WithProjectId(project).SafeBuild()
		if err != nil {
			return nil, err
		}
		credential = c
	} else {
		c, err := global.NewCredentialsBuilder().WithAk(p.accessKey).WithSk(p.secretKey).WithSecurityToken(p.token).WithDomainId(p.domain).WithIamEndpointOverride(p.address("IAM", region)).SafeBuild()
		if err != nil {
			return nil, err
		}
		if credential = c; req.Operation.Service == "BSS" && p.domain == "" {
			if credential, err = c.ProcessAuthParams(client, region); err != nil {
				return nil, err
			}
		}
	}
	return credential.ProcessAuthRequest(client, built)
}
