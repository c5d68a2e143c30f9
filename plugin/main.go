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
	debug.SetMemoryLimit(48 << 20)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
