#!/bin/sh
# Builds the program and measures it on generated logs.
#
#   scripts/bench.sh [SIZE]    SIZE of the long log in MiB (256)
set -eu

main() {
  cd "$(dirname "$0")/.."
  command -v go >/dev/null 2>&1 || {
    printf 'bench.sh: go is not in PATH: install Go from https://go.dev/dl/ and try again\n' >&2
    exit 1
  }
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  go build -trimpath -ldflags '-s -w' -o "$work/hcloud-modelarts" ./plugin
  go run ./scripts/bench -program "$work/hcloud-modelarts" -size "${1:-256}"
  if command -v hyperfine >/dev/null 2>&1; then
    go run ./scripts/bench -log "$work/short.log" -size 1
    hyperfine --warmup 3 -N "$work/hcloud-modelarts analyze $work/short.log"
  fi
}

main "$@"
