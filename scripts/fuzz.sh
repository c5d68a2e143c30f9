#!/bin/sh
# Fuzzes the targets whose names contain NAME, or all, one after the other and
# each for TIME, and tells at the end which of them found something. Go keeps
# such an input under testdata/fuzz of the package: it belongs into the
# repository, with what mends it.
#
#   scripts/fuzz.sh [TIME [NAME]]    as: scripts/fuzz.sh 30m    (TIME is 10s)
set -eu

# targets prints "package target" for every fuzz target; it fails when the tests
# of a package do not build, for that hides its targets.
targets() {
  go test -list '^Fuzz' ./... >"$work/list" || {
    grep -v -e '^ok' -e '^Fuzz' -e 'no test files' "$work/list" >&2
    return 1
  }
  awk '/^Fuzz/ { names[++n] = $1 } /^ok/ { for (i = 1; i <= n; i++) print $2, names[i]; n = 0 }' "$work/list"
}

fuzz_one() {
  go test -run '^$' -fuzz "^$2\$" -fuzztime "$time" "$1" >"$work/out" 2>&1
}

# late tells whether the last run failed only because its workers were slow to
# stop at the end of the time, which Go reports as a failure without an input.
# Such a target runs once more.
late() {
  grep -q 'context deadline exceeded' "$work/out" && ! grep -q 'Failing input' "$work/out"
}

main() {
  cd "$(dirname "$0")/.."
  time=${1:-10s}
  name=${2:-Fuzz}
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  targets >"$work/all" || {
    printf 'fuzz.sh: the targets cannot be listed: mend what is told above\n' >&2
    exit 1
  }
  grep -F -e "$name" "$work/all" >"$work/targets" || {
    printf 'fuzz.sh: no target has "%s" in its name\n' "$name" >&2
    exit 1
  }
  : >"$work/found"
  while read -r package target; do
    printf '%s %s\n' "$package" "$target"
    fuzz_one "$package" "$target" || { late && fuzz_one "$package" "$target"; } || {
      cat "$work/out"
      printf '%s %s\n' "$package" "$target" >>"$work/found"
    }
  done <"$work/targets"
  [ ! -s "$work/found" ] || {
    printf 'fuzz.sh: something was found by:\n' >&2
    cat "$work/found" >&2
    exit 1
  }
}

main "$@"
