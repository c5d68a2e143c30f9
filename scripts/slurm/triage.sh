#!/bin/sh
# Triages cases as a job array on Slurm: one shard a task, failed shards again,
# and all of them put together.
#
#   scripts/slurm/triage.sh [-n SHARDS] [-r RETRIES] -o DIR PATH... [-- SBATCH OPTION...]
#
#   -n SHARDS    tasks of the array (8)
#   -r RETRIES   how often failed shards are submitted again (2)
#   -o DIR       a folder that all nodes see, for the results
#
# The paths must mean the same on every node; what stands behind -- is given to
# sbatch, such as --partition or --time. HCLOUD_MODELARTS names the program when
# it is not in PATH. The result is DIR/triage.ndjson and DIR/triage.html, the
# same bytes as those of one run over all cases. Run again, it goes on with the
# shards that are missing.
set -eu

die() {
  printf 'triage.sh: %s\n' "$*" >&2
  exit 1
}

# missing prints the numbers of the shards that have no result yet. A result is
# written whole or not at all.
missing() {
  i=1
  while [ "$i" -le "$shards" ]; do
    [ -f "$dir/shard-$i-of-$shards.ndjson" ] || printf '%s\n' "$i"
    i=$((i + 1))
  done
}

# submit runs the missing shards and waits for them. How they end shows in the
# results that are there afterwards.
submit() {
  # shellcheck disable=SC2086 # the options are several words
  sbatch --wait --parsable --job-name=hcloud-modelarts-triage --array="$(missing | paste -sd, -)" \
    --output="$dir/shard-%a.log" --open-mode=append $sbatch_options "$here/shard.sh" \
    "$program" "$dir" "$shards" "$@" >/dev/null || true
}

merge() {
  rm -f "$dir/$1"
  i=1
  set -- "$1" "$2"
  while [ "$i" -le "$shards" ]; do
    set -- "$@" "$dir/shard-$i-of-$shards.ndjson"
    i=$((i + 1))
  done
  out=$dir/$1 format=$2
  shift 2
  "$program" triage merge --format "$format" -o "$out" "$@"
}

main() {
  shards=8 retries=2 dir='' sbatch_options=''
  while getopts n:r:o: option; do
    case $option in
      n) shards=$OPTARG ;;
      r) retries=$OPTARG ;;
      o) dir=$OPTARG ;;
      *) die "usage: triage.sh [-n SHARDS] [-r RETRIES] -o DIR PATH... [-- SBATCH OPTION...]" ;;
    esac
  done
  shift $((OPTIND - 1))
  [ -n "$dir" ] || die "name a folder for the results with -o"
  [ $# -gt 0 ] || die "name the cases"
  command -v sbatch >/dev/null 2>&1 || die "sbatch is not in PATH: this runs where jobs are submitted to Slurm"
  program=$(command -v "${HCLOUD_MODELARTS:-hcloud-modelarts}") || die "hcloud-modelarts is not in PATH: install it, or name it in HCLOUD_MODELARTS"
  here=$(cd "$(dirname "$0")" && pwd)
  mkdir -p "$dir"
  dir=$(cd "$dir" && pwd)
  split "$@"
}

# split parts the paths from the options of sbatch, and does the work.
split() {
  n=$#
  while [ "$n" -gt 0 ]; do
    argument=$1
    shift
    n=$((n - 1))
    if [ "$argument" = -- ]; then
      while [ "$n" -gt 0 ]; do
        sbatch_options="$sbatch_options $1"
        shift
        n=$((n - 1))
      done
    else
      set -- "$@" "$argument"
    fi
  done
  attempt=0
  while [ -n "$(missing)" ] && [ "$attempt" -le "$retries" ]; do
    submit "$@"
    attempt=$((attempt + 1))
  done
  [ -z "$(missing)" ] || die "shards without a result: $(missing | paste -sd ' ' -); see $dir/shard-N.log"
  merge triage.ndjson ndjson
  merge triage.html html
  printf '%s\n' "$dir/triage.ndjson" "$dir/triage.html"
}

main "$@"
