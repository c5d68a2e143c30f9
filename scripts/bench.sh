#!/bin/sh
# Builds the program, measures it, and prints a table in Markdown.
#
#   scripts/bench.sh [SIZE [RUNS]]    SIZE of the long logs in MiB (1024), of which
#                                     all other sizes are parts and multiples
#
# It needs Go, and compares with rg, grep, wc, jq and gzip where they are there.
# With a small SIZE it shows in a minute that all of it works; below 256 no goal for
# logs is asked, for their time is then that of starting a process.
set -eu

main() {
  cd "$(dirname "$0")/.."
  command -v go >/dev/null 2>&1 || {
    printf 'bench.sh: go is not in PATH: install Go from https://go.dev/dl/ and try again\n' >&2
    exit 1
  }
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$work/hcloud-modelarts" ./plugin
  go run ./scripts/bench -program "$work/hcloud-modelarts" -size "${1:-1024}" -runs "${2:-5}"
}

main "$@"
