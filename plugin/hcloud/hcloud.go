// Package hcloud runs KooCLI, Huawei Cloud's command line, and says what became
// of each call.
//
// KooCLI ends with exit code 0 on most failures, prints errors among its
// results, in Chinese or in English, and shows no HTTP status. So an answer is
// classified by everything it printed, and what is not understood is never
// taken for a success.
//
// The package passes no keys, answers no prompt, and never reads or changes
// KooCLI's configuration files.
package hcloud

import (
	"cmp"
	"context"
	"time"
)

// Service is the name by which KooCLI knows ModelArts.
const Service = "ModelArts"

// Call is one operation of a service with its parameters.
type Call struct {
	Service   string // "" for ModelArts
	Operation string
	Params    []string // "--name=value", as KooCLI takes them
	Read      bool     // changes nothing at the provider, so it may be repeated
	List      bool     // answers with a bare list; all others answer with an object
	Member    string   // that an answer has in any case, "" when none is sure
}

// Output is what a program printed and how it ended.
type Output struct {
	Stdout, Stderr []byte
	Exit           int    // -1 when a signal ended it
	Signal         string // that ended it, in the system's words
	Cut            bool   // it printed more than is kept
}

// Program is KooCLI, or something in its place. An error says that it did not
// run to its end; output before that is kept.
type Program interface {
	Run(ctx context.Context, args []string) (Output, error)
}

// Answer is what became of a call.
type Answer struct {
	Output
	Class    Class
	Code     string // "ModelArts.2785" of the service, "USE_ERROR" of KooCLI, else ""
	Message  string // what the service or KooCLI said, in its words
	Status   int    // HTTP status, told or concluded from the code; 0 when unknown
	Body     []byte // the JSON value of the answer, without the notices around it
	Args     []string
	Tries    int
	Time     time.Time // when the last try began
	Duration time.Duration
	Unknown  bool  // a write that may have been carried out
	Err      error // why the program did not run to its end
}

// Runner makes calls.
type Runner struct {
	Program Program
	Options []string // KooCLI's own options, handed on with every call
	Retries int      // further tries of a read
	// Wait passes the time before a further try, the first being 0. It gives an
	// error when the context is done.
	Wait func(ctx context.Context, retry int) error
	Now  func() time.Time
}

// Args gives the arguments of a call, as they stand behind "hcloud".
func (r *Runner) Args(c Call) []string {
	args := append([]string{cmp.Or(c.Service, Service), c.Operation}, c.Params...)
	return append(args, r.Options...)
}

// Do makes a call. A read is tried again after faults that pass; a write never
// is, because it may have been carried out.
func (r *Runner) Do(ctx context.Context, c Call) Answer {
	args := r.Args(c)
	for try := 0; ; try++ {
		start := r.Now()
		out, err := r.Program.Run(ctx, args)
		a := Classify(out, err)
		a.expect(c)
		a.Args, a.Tries, a.Time, a.Duration = args, try+1, start, max(0, r.Now().Sub(start)) // the clock may be put back
		if !c.Read {
			a.Unknown = a.mayHaveHappened()
			return a
		}
		if try >= r.Retries || !a.passes() {
			return a
		}
		if err := r.Wait(ctx, try); err != nil {
			a.Class, a.Err = Interrupted, err
			return a
		}
	}
}

// Backoff makes a Wait that doubles from base up to limit and takes between
// half and all of that, by random (in [0, 1)), so that many callers part.
func Backoff(base, limit time.Duration, random func() float64, sleep func(context.Context, time.Duration) error) func(context.Context, int) error {
	return func(ctx context.Context, retry int) error {
		d := min(base<<min(retry, 20), limit)
		return sleep(ctx, d/2+time.Duration(random()*float64(d/2)))
	}
}
