// Copies a folder of TypeScript with its types taken away by another program: `ts-blank-space`, or `amaro`, which Node.js
// strips types with. What the program refuses is left out, and so is a text that means something else than the file did: it is
// named. Both are held against what TypeScript's own compiler makes of the file, as trees without positions and parentheses.
//   node strip.mjs TOOLS ts-blank-space|amaro FROM TO      (TOOLS holds the node_modules)
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [tools, program, from, to] = process.argv.slice(2);
const require = createRequire(join(resolve(tools), 'package.json'));
const ts = require('typescript');

async function stripper() {
  if (program === 'amaro') {
    const { transformSync } = require('amaro');
    return (text, name) => (name.endsWith('x') ? undefined : transformSync(text, { mode: 'strip-only' }).code);
  }
  const { blankSourceFile } = await import(pathToFileURL(require.resolve('ts-blank-space')));
  return (text, name) => {
    let refused = false;
    const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    const file = ts.createSourceFile(name, text, { languageVersion: ts.ScriptTarget.ESNext }, false, kind);
    const stripped = blankSourceFile(file, () => { refused = true; });
    return refused ? undefined : stripped;
  };
}

// What a text of JavaScript is, word by word; nothing for one that is none.
function shape(text) {
  const file = ts.createSourceFile('a.jsx', text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JSX);
  if (file.parseDiagnostics.length > 0) return undefined;
  const words = [];
  const meet = (node) => {
    if (ts.isParenthesizedExpression(node)) return meet(node.expression);
    if (ts.isEmptyStatement(node) || ts.isSemicolonClassElement(node)) return;
    if (ts.isJsxExpression(node) && !node.expression) return;
    if (ts.isJsxText(node) && node.containsOnlyTriviaWhiteSpaces) return;
    if (ts.isExportDeclaration(node) && node.exportClause?.elements?.length === 0 && !node.moduleSpecifier) return;
    words.push(`(${node.kind} ${node.operator ?? ''} ${node.text ?? ''}`);
    ts.forEachChild(node, meet);
    words.push(')');
  };
  ts.forEachChild(file, meet);
  return words.join(' ');
}

const compilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  jsx: ts.JsxEmit.Preserve,
  verbatimModuleSyntax: true,
  removeComments: true,
};
const compiled = (text, name) => ts.transpileModule(text, { compilerOptions, fileName: name }).outputText;

const strip = await stripper();
const walk = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  const path = join(folder, entry.name);
  return entry.isDirectory() ? walk(path) : [path];
});
let done = 0;
let refused = 0;
let altered = 0;
for (const path of walk(from).filter((name) => /\.[cm]?tsx?$/.test(name))) {
  const text = readFileSync(path, 'utf8');
  let stripped;
  try {
    stripped = strip(text, path);
  } catch {
    stripped = undefined;
  }
  if (stripped === undefined) {
    refused += 1;
    continue;
  }
  const is = shape(stripped);
  if (is === undefined || is !== shape(compiled(text, path))) {
    altered += 1;
    console.log(`${is === undefined ? 'no code' : 'altered'} ${path}`);
    continue;
  }
  const target = join(to, relative(from, path));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, stripped);
  done += 1;
}
console.log(`${program}: ${done} files stripped, ${refused} refused, ${altered} that mean something else`);
