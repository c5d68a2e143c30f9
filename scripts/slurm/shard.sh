#!/bin/sh
#SBATCH --ntasks=1
# One task of the array: shard.sh PROGRAM DIR SHARDS PATH...
set -eu

main() {
  program=$1 dir=$2 shards=$3
  shift 3
  exec "$program" triage "$@" --format ndjson --resume --jobs "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$SLURM_ARRAY_TASK_ID/$shards" --output "$dir/shard-$SLURM_ARRAY_TASK_ID-of-$shards.ndjson"
}

main "$@"
