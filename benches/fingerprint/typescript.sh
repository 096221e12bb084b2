#!/usr/bin/env bash
# Measures the normal form of TypeScript on real code: false alarms under formatters, and missed mutations.
# Everything comes from the npm registry: packages that ship their sources, and the formatters.
#   benches/fingerprint/typescript.sh [WORK-FOLDER [FILE-WITH-PACKAGES]]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(realpath "${1:-$(mktemp -d)}")
packages=$(realpath "${2:-$here/typescript-packages.txt}")
mkdir -p "$work/packages" "$work/tools" "$work/code"
tool() { cargo run --quiet --release --manifest-path "$here/../../Cargo.toml" -p factgate-syntax --example fingerprint -- "$@"; }

# 1. The code: every .ts and .tsx that is no declaration file, one flat folder a package.
cd "$work/packages"
while read -r package; do
    name=${package//[@\/]/-}
    [ -e "$work/code/$name" ] && continue
    archive=$(npm pack --silent "$package" | tail -n 1) || continue
    mkdir -p "unpacked/$name"
    tar xzf "$archive" -C "unpacked/$name"
    mkdir -p "$work/code/$name"
    (cd "unpacked/$name" && find . -type f \( -name '*.ts' -o -name '*.tsx' \) ! -name '*.d.ts' ! -path '*/node_modules/*' -size -400k -print0 |
        xargs -0 -r cp --parents -t "$work/code/$name")
done <"$packages"

# 2. The formatters.
cd "$work/tools"
[ -e package.json ] || npm init -y >/dev/null
npm install --silent --no-audit --no-fund prettier@3 @biomejs/biome@2 oxfmt dprint @dprint/typescript

# 3. Each formatter with each set of options, on a copy; then every function's fingerprint before and after.
formatted() { # NAME COMMAND…: the command formats the folder in place
    local name=$1
    shift
    rm -rf "$work/formatted/$name"
    mkdir -p "$work/formatted"
    cp -r "$work/code" "$work/formatted/$name"
    (cd "$work/formatted/$name" && "$@" >"$work/formatted/$name.log" 2>&1) || true
    echo "== $name"
    tool compare "$work/code" "$work/formatted/$name"
}
prettier() { "$work/tools/node_modules/.bin/prettier" --write --no-config --no-editorconfig --ignore-path /dev/null --log-level warn "$@" "**/*.{ts,tsx}"; }
biome() {
    printf '{"root":true,"files":{"maxSize":1000000},"linter":{"enabled":false},"assist":{"enabled":false},"formatter":%s,"javascript":{"formatter":%s}}' "$1" "$2" >biome.json
    "$work/tools/node_modules/.bin/biome" format --write --max-diagnostics=1 .
}
dprint() {
    printf '{%s,"typescript":{%s},"plugins":["%s"]}' "$1" "$2" "$work/tools/node_modules/@dprint/typescript/plugin.wasm" >dprint.json
    "$work/tools/node_modules/.bin/dprint" fmt --config dprint.json "**/*.{ts,tsx}"
}
oxfmt() { printf '%s' "$1" >.oxfmtrc.json && "$work/tools/node_modules/.bin/oxfmt" --write .; }

formatted biome-narrow biome '{"lineWidth":40,"indentStyle":"tab"}' '{"semicolons":"asNeeded","quoteStyle":"single","jsxQuoteStyle":"single","trailingCommas":"none","arrowParentheses":"asNeeded","quoteProperties":"asNeeded","bracketSpacing":false}'
formatted biome-wide biome '{"lineWidth":200,"indentStyle":"space","lineEnding":"crlf"}' '{"semicolons":"always","quoteStyle":"double","trailingCommas":"all","arrowParentheses":"always","quoteProperties":"preserve","bracketSameLine":true,"attributePosition":"multiline","operatorLinebreak":"before"}'
formatted dprint-narrow dprint '"lineWidth":40,"useTabs":true' '"semiColons":"asi","quoteStyle":"preferSingle","jsx.quoteStyle":"preferSingle","quoteProps":"asNeeded","trailingCommas":"never","arrowFunction.useParentheses":"preferNone","useBraces":"preferNone","operatorPosition":"nextLine","preferHanging":true,"preferSingleLine":true'
formatted dprint-wide dprint '"lineWidth":200,"newLineKind":"crlf"' '"semiColons":"always","quoteStyle":"alwaysDouble","quoteProps":"consistent","trailingCommas":"always","arrowFunction.useParentheses":"force","useBraces":"always","operatorPosition":"sameLine"'
formatted oxfmt-narrow oxfmt '{"printWidth":40,"semi":false,"singleQuote":true,"jsxSingleQuote":true,"trailingComma":"none","arrowParens":"avoid","quoteProps":"consistent","objectWrap":"collapse","useTabs":true}'
formatted oxfmt-wide oxfmt '{"printWidth":200,"semi":true,"singleQuote":false,"trailingComma":"all","arrowParens":"always","quoteProps":"as-needed","endOfLine":"crlf","singleAttributePerLine":true}'
formatted prettier-narrow prettier --print-width 40 --no-semi --single-quote --jsx-single-quote --trailing-comma none --arrow-parens avoid --quote-props consistent --object-wrap collapse --use-tabs --no-bracket-spacing
formatted prettier-wide prettier --print-width 200 --trailing-comma all --arrow-parens always --quote-props as-needed --end-of-line crlf --single-attribute-per-line --experimental-ternaries --experimental-operator-position start

# 4. The types taken away by other programs: every function's fingerprint with and without them.
(cd "$work/tools" && npm install --silent --no-audit --no-fund typescript@5 ts-blank-space amaro)
for program in ts-blank-space amaro; do
    rm -rf "$work/stripped/$program"
    echo "== $program"
    node "$here/strip.mjs" "$work/tools" "$program" "$work/code" "$work/stripped/$program"
    tool compare "$work/code" "$work/stripped/$program"
done

# 5. Mutations: one token, statement or argument at a time.
echo "== mutations"
tool mutate "$work/code" 60000

# 6. The cost of normal form and fingerprint beside that of the bare parse.
echo "== cost"
tool time "$work/code"
