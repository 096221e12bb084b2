#!/bin/sh
# How long `factgate check` takes to find the calls of ten functions in more than 5,000 TypeScript files, beside `rg -c` of
# the same names and `ast-grep` for calls of them, in one run on one machine:
#
#   npm i --ignore-scripts cloudflare effect openai ox rxjs viem zod @ast-grep/cli
#   sh speed.sh NODE_MODULES FACTGATE AST_GREP [FOLDER]
#
# The tree is the packages' own sources in a git repository of its own. factgate keeps no cache of call sites, so each of its
# runs is cold but for the operating system's page cache, which all three share; what it takes to open the repository,
# list its files and compare with the record is in its time. All have two threads. The best of five runs is shown, the
# three programs in turn, in milliseconds.
set -eu
modules=$1 factgate=$2 ast_grep=$3 folder=${4:-$(mktemp -d)}
mkdir -p "$folder"
cd "$folder"
if [ ! -d .git ]; then
  for package in cloudflare effect openai ox rxjs viem zod; do
    mkdir -p "$package"
    (cd "$modules/$package" && find . -name '*.ts' ! -name '*.d.ts' ! -path '*/node_modules/*' -print | tar cf - -T -) | tar xf - -C "$package"
  done
  git init -q .
  git -c core.autocrlf=false add -A
  git -c user.name=bench -c user.email=bench@example.invalid commit -qm tree
fi
export RAYON_NUM_THREADS=2
find . -name '*.ts' | wc -l | xargs echo "TypeScript files:"
# least OLD COMMAND...: the smaller of an earlier time and the time that a command takes
least() {
  old=$1
  shift
  start=$(date +%s%N)
  "$@" >/dev/null 2>&1 || true
  took=$((($(date +%s%N) - start) / 1000000))
  if [ "$took" -lt "$old" ]; then echo "$took"; else echo "$old"; fi
}
# measure TITLE PATH#NAME...
measure() {
  title=$1
  shift
  mkdir -p model
  printf '[model]\nname = "speed"\ncover = ["rxjs/src/internal/operators/count.ts#count"]\n' >model/factgate.toml
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
  rm -rf model/coverage
  "$factgate" sync >/dev/null || true
  "$factgate" check | tail -n 1
  ours=99999 rg=99999 theirs=99999
  for _ in 1 2 3 4 5; do
    ours=$(least "$ours" "$factgate" check --format json)
    rg=$(least "$rg" rg -j2 -c -w "(${words#|})" .)
    theirs=$(least "$theirs" "$ast_grep" scan -j2 --json=stream --inline-rules "$rule" .)
  done
  echo "$title: factgate $ours ms, rg -c $rg ms, ast-grep $theirs ms"
}
operators=rxjs/src/internal/operators
measure "ten functions" $operators/bufferToggle.ts#bufferToggle $operators/exhaustMap.ts#exhaustMap \
  $operators/windowWhen.ts#windowWhen $operators/sequenceEqual.ts#sequenceEqual $operators/mergeScan.ts#mergeScan \
  $operators/throwIfEmpty.ts#throwIfEmpty $operators/delayWhen.ts#delayWhen $operators/takeLast.ts#takeLast \
  $operators/publishReplay.ts#publishReplay $operators/onErrorResumeNextWith.ts#onErrorResumeNextWith
measure "ten common names" ox/src/webauthn/Registration.ts#create viem/tempo/actions/channel.ts#open \
  viem/tempo/accounts/Operation.ts#update ox/src/core/Engine.ts#get viem/tempo/actions/kv.ts#list \
  ox/src/core/RpcResponse.ts#parse ox/src/core/AbiFunction.ts#format ox/src/core/AbiEvent.ts#encode \
  viem/tempo/accounts/Config.ts#read zod/src/v4/classic/schemas.ts#map
uptime
