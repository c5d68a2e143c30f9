#!/bin/sh
# Runs every check of the project, as continuous integration does. It needs Go;
# a C compiler is installed where that is possible, for Go's race detector.
#
# The seeds of the fuzz targets are tested with everything else. To look for new
# ones is the work of scripts/fuzz.sh, so that this says of one tree the same
# each time.
set -eu

step() {
  printf '\n== %s\n' "$*"
}

die() {
  printf 'test.sh: %s\n' "$*" >&2
  exit 1
}

need_go() {
  command -v go >/dev/null 2>&1 ||
    die "go is not in PATH: install Go from https://go.dev/dl/ and try again"
}

tool() {
  go tool -modfile=scripts/tools/go.mod "$@"
}

check_format() {
  step "gofmt"
  unformatted=$(gofmt -l analyzer plugin corpus golden scripts)
  [ -z "$unformatted" ] || die "run gofmt -w on: $unformatted"
}

check_modules() {
  step "go mod tidy, go mod verify"
  go mod tidy -diff
  go mod verify
}

checksums() {
  find analyzer plugin corpus golden -type f -exec cksum {} + | sort -k 3
}

check_generated() {
  step "generated files"
  before=$(checksums)
  go generate ./...
  [ "$before" = "$(checksums)" ] || die "generated files were stale: commit what 'go generate ./...' changed"
}

shell_scripts() {
  printf '%s\n' install.sh .ci/run
  find scripts -name '*.sh'
}

check_shell() {
  step "shell scripts"
  for script in $(shell_scripts); do
    sh -n "$script"
    tool shfmt -d -i 2 -ci -ln posix "$script"
    if command -v shellcheck >/dev/null 2>&1; then
      shellcheck -s sh "$script"
    fi
  done
}

check_code() {
  step "go vet, staticcheck"
  go vet ./...
  tool staticcheck ./...
}

# The code of systems that are not this one, and the portable twin of what is
# assembly here, must compile with their tests.
check_platforms() {
  for platform in windows/amd64 darwin/arm64; do
    step "go vet for $platform"
    GOOS=${platform%/*} GOARCH=${platform#*/} go vet ./...
  done
}

# race prints the flag for the race detector, or nothing where it cannot run.
race() {
  if ! command -v "$(go env CC)" >/dev/null 2>&1 && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    { apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev; } >/dev/null 2>&1 || true
  fi
  if command -v "$(go env CC)" >/dev/null 2>&1; then
    printf '%s\n' -race
  else
    printf 'test.sh: without a C compiler there is no race detector: testing without it\n' >&2
  fi
}

test_all() {
  step "go test"
  CGO_ENABLED=1
  flag=$(race)
  [ -n "$flag" ] || CGO_ENABLED=0
  export CGO_ENABLED
  # The tests of the command start hundreds of processes, and those of hostile
  # inputs read gigabytes, which the race detector slows tenfold: test_locale has
  # run them without it.
  # shellcheck disable=SC2046,SC2086 # package names are words; the flag is one word or none
  go test $flag -timeout 12m $(go list ./... | grep -v -e '/plugin$' -e '/plugin/compare$' -e '/analyzer$')
  # shellcheck disable=SC2086
  go test $flag -short -timeout 12m ./analyzer
}

leaks() {
  go tool -modfile=scripts/leaks/go.mod gitleaks "$@"
}

# A scanner that shares nothing with the program looks through what was recorded
# of answers full of secrets. Go's proxy serves its source; where it cannot be
# had, the scan within the test stands alone.
check_secrets() {
  step "gitleaks over recordings"
  SECRETS_DIR="$work/secrets" go test -count=1 -run '^TestNoSecretLeaves$' ./plugin
  if ! leaks version >/dev/null 2>&1; then
    printf 'test.sh: gitleaks cannot be built here: leaving it out\n' >&2
    return 0
  fi
  set -- dir --no-banner --config scripts/leaks/gitleaks.toml
  leaks "$@" "$work/secrets/recorded" || die "gitleaks finds secrets in what was recorded"
  if leaks "$@" "$work/secrets/seeded" >/dev/null 2>&1; then
    die "gitleaks finds nothing in the seeded answers, so its silence proves nothing"
  fi
}

vuln() {
  go tool -modfile=scripts/vuln/go.mod "$@"
}

# The database is a Go module, so its age is the version in scripts/vuln/go.mod.
# What is known of a dependency fails; what is known of the installed Go cannot
# be mended here, and releases are built with another one.
check_vulnerabilities() {
  step "govulncheck, without network"
  if ! go mod download -modfile=scripts/vuln/go.mod golang.org/x/vulndb ||
    ! entries=$(go list -modfile=scripts/vuln/go.mod -m -f '{{.Dir}}/data/osv' golang.org/x/vulndb) ||
    ! vuln indexdb -vulns "$entries" -out "$work/vulndb"; then
    printf 'test.sh: the database of vulnerabilities cannot be had here: leaving it out\n' >&2
    return 0
  fi
  code=0
  vuln govulncheck -db "file://$work/vulndb" ./plugin >"$work/vuln.out" 2>&1 || code=$?
  if [ "$code" -ne 0 ] && { [ "$code" -ne 3 ] || grep -q '^  Module: ' "$work/vuln.out"; }; then
    cat "$work/vuln.out"
    die "govulncheck finds something"
  fi
  grep -e '^No vuln' -e '^Your code' "$work/vuln.out"
}

# release_of builds the release of a folder, for this machine only.
release_of() {
  PLATFORMS=$(go env GOHOSTOS)/$(go env GOHOSTARCH) SOURCE_DATE_EPOCH=1780000000 GOTOOLCHAIN=local \
    "$1/scripts/release.sh" 0.0.0 "$2" >/dev/null
}

# Two folders must give the same bytes, and what they give must install. One
# platform stands for all.
check_release() {
  step "release, twice"
  mkdir "$work/copy"
  cp -R analyzer corpus plugin scripts ./*.md LICENSE go.mod go.sum install.sh "$work/copy"
  release_of . "$work/one"
  release_of "$work/copy" "$work/two"
  cmp "$work/one/SHA256SUMS" "$work/two/SHA256SUMS" || die "the same source gives other bytes in another folder"
  PREFIX=$work/prefix ./install.sh --from "$work/one/"*.tar.gz
  "$work/prefix/bin/hcloud-modelarts" version | grep -F ' 0.0.0 ' || die "the release does not know its version"
}

# A report must not depend on the locale or the time zone.
test_locale() {
  step "go test in another locale"
  env -u LC_ALL LANG=zh_CN.UTF-8 TZ=Asia/Shanghai go test -count=1 ./golden ./plugin ./plugin/compare ./analyzer ./analyzer/report
}

# Times differ from machine to machine: it is only shown that the measuring works.
check_bench() {
  step "measuring, in small"
  scripts/bench.sh 1 1 >"$work/bench.out" 2>&1 || {
    cat "$work/bench.out"
    exit 1
  }
}

main() {
  cd "$(dirname "$0")/.."
  need_go
  export LC_ALL=C TZ=UTC
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  check_format
  check_modules
  check_generated
  check_shell
  check_code
  check_platforms
  check_secrets
  check_vulnerabilities
  check_release
  check_bench
  test_locale
  test_all
}

main "$@"
