#!/usr/bin/env bash
# Measures what `mutants = "auto"` costs beside the same matrix written by hand: processor time, since that says the same on a
# busy machine. `benches/mutants/run.sh FACTGATE [ROUNDS]`; $TLA2TOOLS_JAR names the jar.
set -euo pipefail
factgate=$(realpath "$1")
rounds=${2:-3}
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

measure() { # measure NAME: the processor seconds of one whole matrix
  local folder="$scratch/$1"
  if [ ! -d "$folder" ]; then
    mkdir "$folder"
    cp -r "$here"/model "$here"/src "$here"/patterns "$folder"
    cp "$here/$1.toml" "$folder/factgate.toml"
    git -C "$folder" init -q
    git -C "$folder" add -A
    git -C "$folder" -c user.name=bench -c user.email=bench@example.invalid commit -qm bench
    (cd "$folder" && "$factgate" sync > "$scratch/said" 2>&1)
  fi
  local TIMEFORMAT='%U %S %R'
  { time (cd "$folder" && "$factgate" verify --fresh --jobs 2 > "$scratch/$1.txt" 2>&1); } 2> "$scratch/time"
  read -r user system wall < "$scratch/time"
  echo "$1 $user $system $wall"
}

for _ in $(seq "$rounds"); do
  measure auto
  measure by-hand
done | tee "$scratch/all"
grep "^  " "$scratch/auto.txt"
awk '{ cpu[$1] += $2 + $3; wall[$1] += $4; n[$1] += 1 }
  END { for (m in cpu) printf "%s: %.1f s of processor time, %.1f s\n", m, cpu[m] / n[m], wall[m] / n[m]
        printf "auto / by hand: %.2f of processor time, %.2f of the time\n", cpu["auto"] / cpu["by-hand"], wall["auto"] / wall["by-hand"] }' "$scratch/all"
