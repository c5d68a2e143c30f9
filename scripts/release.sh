#!/bin/sh
# Builds a release: an archive for each platform, SHA256SUMS and a bill of
# materials. The same commit gives the same bytes on any machine and in any
# folder.
#
#   scripts/release.sh [VERSION] [DIR]    into DIR (dist/VERSION)
#
# VERSION is that of the tag on the last commit when it is left out. PLATFORMS
# says what is built ("linux/amd64 darwin/arm64"), SOURCE_DATE_EPOCH the date of
# all files where there is no git, GOTOOLCHAIN another Go than the one below.
set -eu

# The Go that releases are built with; an older go fetches it by itself.
go=go1.26.10
every='linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64'

die() {
  printf 'release.sh: %s\n' "$*" >&2
  exit 1
}

# last_commit makes sure that what is built is what was committed, and prints the
# date of it.
last_commit() {
  [ -z "$(git status --porcelain)" ] || die "there are changes that are not committed: commit them first"
  git log -1 --format=%ct
}

tagged() {
  tag=$(git describe --exact-match --tags HEAD 2>/dev/null) ||
    die "the last commit has no tag: say which VERSION this is"
  printf '%s\n' "${tag#v}"
}

build() {
  GOOS=${1%/*} GOARCH=${1#*/} CGO_ENABLED=0 go build -trimpath -buildvcs=false \
    -ldflags "-s -w -X main.version=$version" -o "$2" ./plugin || die "building for $1 failed"
}

main() {
  cd "$(dirname "$0")/.."
  command -v go >/dev/null 2>&1 || die "go is not in PATH: install Go from https://go.dev/dl/ and try again"
  # What a user has set for his own builds must not change these.
  unset GOFLAGS GOEXPERIMENT GOAMD64 GOARM64 GOFIPS140
  export GOENV=off GOWORK=off GOTOOLCHAIN="${GOTOOLCHAIN:-$go}"
  date=${SOURCE_DATE_EPOCH:-$(last_commit)}
  version=${1:-$(tagged)}
  case $version in
    *[!0-9A-Za-z.+-]* | [!0-9A-Za-z]*) die "the version $version holds more than letters, digits and . + -" ;;
  esac
  out=${2:-dist/$version}
  mkdir -p "$out"
  [ -z "$(ls -A "$out")" ] || die "$out holds something already: remove it or choose another folder"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM
  for platform in ${PLATFORMS:-$every}; do
    printf 'building for %s\n' "$platform"
    case $platform in windows/*) suffix=.exe ;; *) suffix= ;; esac
    build "$platform" "$work/programs/${platform%/*}_${platform#*/}/hcloud-modelarts$suffix"
  done
  # What install.sh puts beside the program goes into the archives as well.
  mkdir "$work/here"
  build "$(go env GOHOSTOS)/$(go env GOHOSTARCH)" "$work/here/hcloud-modelarts"
  cp install.sh "$work/here"
  (cd "$work/here" && { sha256sum hcloud-modelarts 2>/dev/null || shasum -a 256 hcloud-modelarts; } >SHA256SUMS)
  PREFIX=$work/root "$work/here/install.sh" >/dev/null
  rm "$work/root/share/hcloud-modelarts/folders" # of this machine
  go run ./scripts/release -version "$version" -date "$date" \
    -programs "$work/programs" -share "$work/root/share" -out "$out"
  cat "$out/SHA256SUMS"
}

main "$@"
