// Command hcloud-modelarts says offline why a Huawei Cloud ModelArts training
// job failed.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() {
	// A small case is diagnosed before the collector would first run; a long
	// log stays below the limit all the same.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(46 << 20)
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	code := run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// endings are the signals that end the program: not those that whoever started it,
// as nohup does, has it ignore.
func endings() []os.Signal {
	signals := []os.Signal{syscall.SIGTERM}
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	return signals
}
