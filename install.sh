#!/bin/sh
# Builds hcloud-modelarts from this checkout and installs it.
#
#   ./install.sh                    into ~/.local/bin
#   PREFIX=/usr/local ./install.sh  into /usr/local/bin
#   ./install.sh --uninstall        removes it from there
#
# Everything happens in main, which the last line calls: a copy of this script
# that was cut short does nothing.
set -eu

name=hcloud-modelarts
least=1.26

say() {
  printf '%s\n' "$*"
}

die() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

usage() {
  say "usage: [PREFIX=DIR] ./install.sh [--uninstall]"
  say "Builds $name and installs it into PREFIX/bin, or ~/.local/bin without PREFIX."
}

bindir() {
  if [ -n "${PREFIX:-}" ]; then
    say "$PREFIX/bin"
  elif [ -n "${HOME:-}" ]; then
    say "$HOME/.local/bin"
  else
    die "neither PREFIX nor HOME is set: say where to install with PREFIX=DIR"
  fi
}

# need_go makes sure that there is a Go which builds this module; a Go that is
# older but not older than 1.21 fetches the one that go.mod asks for by itself.
need_go() {
  command -v go >/dev/null 2>&1 ||
    die "go is not in PATH: install Go $least or newer from https://go.dev/dl/ and try again"
  go version >/dev/null 2>&1 ||
    die "go does not run here ($(command -v go)): install Go $least or newer from https://go.dev/dl/"
}

in_path() {
  case ":${PATH:-}:" in
    *":$1:"*) return 0 ;;
  esac
  return 1
}

install_it() {
  need_go
  dir=$(bindir)
  mkdir -p "$dir" 2>/dev/null || die "cannot create $dir: choose another place with PREFIX=DIR"
  [ -w "$dir" ] || die "cannot write to $dir: choose another place with PREFIX=DIR"
  tmp=$dir/.$name.$$
  trap 'rm -f "$tmp"' EXIT
  say "building $name"
  CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$tmp" ./plugin ||
    die "the build failed; the lines above say why"
  mv -f "$tmp" "$dir/$name"
  say "installed $dir/$name"
  "$dir/$name" version
  if ! in_path "$dir"; then
    say "$dir is not in PATH; add it with:"
    say "  export PATH=\"$dir:\$PATH\""
  fi
}

uninstall() {
  dir=$(bindir)
  if [ -e "$dir/$name" ]; then
    rm -f "$dir/$name"
    say "removed $dir/$name"
  else
    say "$dir/$name is not there, nothing to remove"
  fi
}

main() {
  cd "$(dirname "$0")"
  case "${1:-}" in
    "") install_it ;;
    --uninstall) uninstall ;;
    -h | --help) usage ;;
    *)
      usage >&2
      die "unknown argument: $1"
      ;;
  esac
}

main "$@"
