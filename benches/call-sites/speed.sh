#!/bin/sh
# How long `factgate check` takes to find the calls of ten functions in about 5,000 TypeScript files, beside `rg -c` of
# the same names and `ast-grep` for calls of them, in one run on one machine:
#
#   npm i effect rxjs zod @ast-grep/cli
#   sh speed.sh NODE_MODULES FACTGATE AST_GREP [FOLDER]
#
# The tree is the packages' own sources, five times over, in a git repository of its own. factgate keeps no cache, so each of its runs is cold but
# for the operating system's page cache, which all three share. The best of three runs is shown, in milliseconds.
set -eu
modules=$1 factgate=$2 ast_grep=$3 folder=${4:-$(mktemp -d)}
mkdir -p "$folder"
cd "$folder"
if [ ! -d .git ]; then
  for copy in 1 2 3 4 5; do
    for package in effect rxjs zod; do
      mkdir -p "p$copy/$package"
      cp -r "$modules/$package/src/." "p$copy/$package/"
    done
  done
  git init -q .
  git -c core.autocrlf=false add -A
  git -c user.name=bench -c user.email=bench@example.invalid commit -qm tree
fi
export RAYON_NUM_THREADS=2
find . -name '*.ts' | wc -l | xargs echo "TypeScript files:"
best() {
  least=
  for _ in 1 2 3; do
    start=$(date +%s%N)
    "$@" >/dev/null 2>&1 || true
    took=$((($(date +%s%N) - start) / 1000000))
    if [ -z "$least" ] || [ "$took" -lt "$least" ]; then least=$took; fi
  done
  echo "$least"
}
# measure TITLE PATH#NAME...
measure() {
  title=$1
  shift
  mkdir -p model
  printf '[model]\nname = "speed"\ncover = ["%s"]\n' "$1" >model/factgate.toml
  words= rules=
  for of in "$@"; do
    name=${of#*#}
    key=$(echo "$of" | tr -c 'A-Za-z0-9\n' '-')
    printf '\n[[calls]]\nname = "%s"\nof = "%s"\nin = ["**/*.ts"]\n' "$key" "$of" >>model/factgate.toml
    words="$words|$name"
    rules="$rules
    - pattern: $name(\$\$\$)
    - pattern: \$_.$name(\$\$\$)"
  done
  rule="id: calls
language: TypeScript
rule:
  any:$rules"
  "$factgate" sync >/dev/null || true
  ours=$(best "$factgate" check --format json)
  rg=$(best rg -j2 -c -w "(${words#|})" .)
  theirs=$(best "$ast_grep" scan -j2 --json=stream --inline-rules "$rule" .)
  echo "$title: factgate $ours ms, rg -c $rg ms, ast-grep $theirs ms"
}
operators=p1/rxjs/internal/operators
measure "ten functions" $operators/bufferToggle.ts#bufferToggle $operators/exhaustMap.ts#exhaustMap \
  $operators/windowWhen.ts#windowWhen $operators/sequenceEqual.ts#sequenceEqual $operators/mergeScan.ts#mergeScan \
  $operators/throwIfEmpty.ts#throwIfEmpty $operators/delayWhen.ts#delayWhen $operators/takeLast.ts#takeLast \
  $operators/publishReplay.ts#publishReplay $operators/onErrorResumeNextWith.ts#onErrorResumeNextWith
measure "ten common names" $operators/map.ts#map $operators/filter.ts#filter $operators/merge.ts#merge \
  $operators/concat.ts#concat $operators/reduce.ts#reduce $operators/take.ts#take $operators/tap.ts#tap \
  p1/rxjs/internal/observable/of.ts#of p1/rxjs/internal/observable/from.ts#from $operators/count.ts#count
uptime
