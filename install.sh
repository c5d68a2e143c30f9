#!/bin/sh
# Installs hcloud-modelarts: builds it when this is a checkout, takes the program
# that lies here when this is an unpacked archive, or unpacks an archive.
#
#   ./install.sh                    into ~/.local
#   ./install.sh --from ARCHIVE     after a look into the SHA256SUMS beside it
#   PREFIX=/usr/local ./install.sh  into /usr/local
#   ./install.sh --uninstall        removes it from there
#
# Everything happens in main, which the last line calls: a copy of this script
# that was cut short does nothing.
set -eu

name=hcloud-modelarts
least=1.26
newline='
'

say() {
  printf '%s\n' "$*"
}

die() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

usage() {
  say "usage: [PREFIX=DIR] ./install.sh [--from ARCHIVE [SHA256SUMS] | --uninstall]"
  say "Installs $name into PREFIX/bin, or ~/.local/bin without PREFIX; completions and"
  say "manual pages go below PREFIX/share. Without --from it installs the program of the"
  say "unpacked archive that it lies in, or builds it from the checkout that it lies in."
}

# absolute prints the whole path of what need not be there.
absolute() {
  case $1 in
    /*) say "$1" ;;
    *) say "$PWD/$1" ;;
  esac
}

find_prefix() {
  if [ -n "${PREFIX:-}" ]; then
    prefix=$(absolute "$PREFIX")
  elif [ -n "${HOME:-}" ]; then
    prefix=$(absolute "$HOME/.local")
  else
    die "neither PREFIX nor HOME is set: say where to install with PREFIX=DIR"
  fi
  prefix=${prefix%/}
  target=$prefix/bin/$name
}

# extras prints what is installed below PREFIX/share, and the arguments with
# which the program prints it.
extras() {
  say "bash-completion/completions/$name completion bash"
  say "zsh/site-functions/_$name completion zsh"
  say "fish/vendor_completions.d/$name.fish completion fish"
  say "$name/completion.ps1 completion powershell"
  say "man/man1/$name.1 man --lang=en"
  say "man/zh_CN/man1/$name.1 man --lang=zh"
}

# The folders that were made are listed below PREFIX/share, the innermost first,
# so that they can be removed as long as nothing else lies in them.
find_list() {
  list=$prefix/share/$name/folders
}

# make_folder makes a folder and those around it, and notes which were not there.
make_folder() {
  [ ! -d "$1" ] || return 0
  make_folder "$(dirname "$1")" || return 1
  mkdir "$1" 2>/dev/null || return 1
  case $1 in
    *"$newline"*) ;; # a list of lines cannot hold it
    *) { say "$1" && cat "$tmp/made"; } >"$tmp/more" && mv -f "$tmp/more" "$tmp/made" ;;
  esac
}

# remove_folders removes the folders that its input lists and nothing lies in.
remove_folders() {
  while IFS= read -r folder; do
    [ -z "$folder" ] || rmdir "$folder" 2>/dev/null || true
  done
}

# sum prints the SHA-256 of a file.
sum() {
  line=$(sha256sum <"$1" 2>/dev/null || shasum -a 256 <"$1" 2>/dev/null || openssl dgst -sha256 -r <"$1" 2>/dev/null) ||
    die "there is neither sha256sum nor shasum nor openssl to check $1 with: install one of them"
  say "${line%% *}"
}

# check compares a file with the list of checksums that names it.
check() {
  [ -f "$2" ] || die "$2 is missing: get the SHA256SUMS of the release and try again"
  listed=$(tr -d '\r' <"$2" | while read -r value file || [ -n "$value" ]; do
    [ "${file#\*}" != "${1##*/}" ] || say "$value"
  done)
  [ -n "$listed" ] || die "$2 does not list ${1##*/}: it is that of another release, or the file was renamed"
  actual=$(sum "$1")
  [ "$actual" = "$listed" ] ||
    die "$1 is not what $2 says, it is damaged or was changed: nothing was installed; download it again"
}

# unpack checks an archive and unpacks it; program is then what it holds.
unpack() {
  [ -f "$1" ] || die "$1 is not there: name an archive of a release"
  check "$1" "$2"
  case $1 in
    *.tar.gz) gzip -dc <"$1" | (cd "$tmp" && tar -xf -) ;;
    *) die "$1 is no .tar.gz: on Windows unpack the .zip and put its folder into PATH" ;;
  esac || die "$1 cannot be unpacked"
  for program in "$tmp"/*/"$name"; do
    [ -f "$program" ] || die "$1 holds no $name: name an archive of a release"
  done
}

build() {
  command -v go >/dev/null 2>&1 ||
    die "go is not in PATH: install Go $least or newer from https://go.dev/dl/, or install from an archive of a release with --from"
  go version >/dev/null 2>&1 ||
    die "go does not run here ($(command -v go)): install Go $least or newer from https://go.dev/dl/"
  say "building $name"
  program=$tmp/$name
  (cd "$here" && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$program" ./plugin) ||
    die "the build failed; the lines above say why"
}

# install_program tries the program where it will stand, before it replaces
# another one.
install_program() {
  [ ! -d "$target" ] || die "$target is a folder: remove it, or choose another place with PREFIX=DIR"
  { make_folder "$prefix/bin" && cp "$program" "$new" && chmod 755 "$new"; } 2>/dev/null ||
    die "cannot write to $prefix/bin: choose another place with PREFIX=DIR"
  version=$("$new" version) ||
    die "the program does not run here, $(uname -s) on $(uname -m): take the archive for this system"
  mv -f "$new" "$target"
  placed=yes
  say "installed $target"
  say "$version"
}

install_extras() {
  extras | while read -r file arguments; do
    extra=$prefix/share/$file
    # shellcheck disable=SC2086 # the arguments are words
    if "$target" $arguments >"$tmp/extra" && make_folder "${extra%/*}" &&
      cp "$tmp/extra" "$extra" 2>/dev/null && chmod 644 "$extra"; then
      continue
    fi
    say "left out $extra, which cannot be written"
  done
}

# keep_list adds the folders that were made to those that an earlier run made.
keep_list() {
  [ -s "$tmp/made" ] && make_folder "${list%/*}" || return 0
  [ ! -f "$list" ] || cat "$list" >>"$tmp/made"
  cp "$tmp/made" "$list"
}

# clear_up removes what a run must not leave: of one that failed, the folders that
# it made as well.
clear_up() {
  rm -f "$new"
  if [ -n "$placed" ]; then
    keep_list 2>/dev/null || true
  else
    remove_folders <"$tmp/made"
  fi
  rm -rf "$tmp"
}

advise() {
  case ":${PATH:-}:" in
    *":$prefix/bin:"*) ;;
    *)
      say "$prefix/bin is not in PATH; add it with:"
      say "  export PATH=\"$prefix/bin:\$PATH\""
      ;;
  esac
}

install_it() {
  find_prefix
  find_list
  tmp=$(mktemp -d)
  new=$prefix/bin/.$name.$$
  placed=
  : >"$tmp/made"
  trap clear_up EXIT
  trap 'exit 130' INT TERM
  if [ $# -gt 0 ]; then
    unpack "$(absolute "$1")" "$(absolute "${2:-$(dirname "$1")/SHA256SUMS}")"
  elif [ -f "$here/$name" ] && [ ! -f "$here/go.mod" ]; then
    program=$here/$name
    check "$program" "$here/SHA256SUMS"
  elif [ -f "$here/go.mod" ]; then
    build
  else
    die "there is neither a program nor its source in $here: name an archive with --from ARCHIVE"
  fi
  install_program
  install_extras
  advise
}

uninstall() {
  find_prefix
  find_list
  [ ! -d "$target" ] || die "$target is a folder, which this script did not make: it stays"
  made=
  [ ! -f "$list" ] || made=$(cat "$list" 2>/dev/null)
  rm -f "$list" 2>/dev/null || true
  extras | while read -r file _; do
    rm -f "$prefix/share/$file" 2>/dev/null || say "cannot remove $prefix/share/$file"
  done
  rmdir "$prefix/share/$name" 2>/dev/null || true
  if [ ! -e "$target" ] && [ ! -L "$target" ]; then
    say "$target is not there, nothing to remove; say with PREFIX=DIR where it was installed"
  else
    rm -f "$target" 2>/dev/null || die "cannot remove $target: check the permissions of its folder"
    say "removed $target"
  fi
  say "$made" | remove_folders
}

main() {
  here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
  case $#:${1:-} in
    0:) install_it ;;
    2:--from | 3:--from)
      shift
      install_it "$@"
      ;;
    1:--uninstall) uninstall ;;
    1:-h | 1:--help) usage ;;
    *)
      usage >&2
      die "unknown arguments: $*"
      ;;
  esac
}

main "$@"
