// Compares the direct calls that factgate finds with those of the TypeScript compiler: for each exported function of a
// folder of sources, the references that the language service lists, counted by file where they are callees.
//
//   npm i typescript@5 effect rxjs zod        (anywhere; NODE_PATH-free: give the folder that holds node_modules)
//   node compare.mjs NODE_MODULES PROGRAM PACKAGE[:LIMIT]...
//
// PROGRAM is the built example `call_sites` of the crate factgate-facts. LIMIT takes an even sample of the functions.
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const [modules, program, ...packages] = process.argv.slice(2);
const require = createRequire(path.resolve(modules, 'x.js'));
const ts = require('typescript');

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sources(full);
    return /\.(m|c)?tsx?$/.test(entry.name) && !/\.d\.(m|c)?ts$/.test(entry.name) ? [full] : [];
  });
}

function service(files) {
  const options = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
  };
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const host = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => files,
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const text = texts.get(file) ?? ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => path.dirname(files[0]),
    getDefaultLibFileName: (chosen) => ts.getDefaultLibFilePath(chosen),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  return ts.createLanguageService(host, ts.createDocumentRegistry());
}

/** The exported functions of a file: `[name, offset of the name]`. */
function exportedFunctions(file) {
  const found = [];
  const isExported = (node) => node.modifiers?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword);
  for (const statement of file.statements) {
    if (!isExported(statement)) continue;
    if (ts.isFunctionDeclaration(statement) && statement.body && statement.name) found.push(statement.name);
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const isFunction = initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
      if (isFunction && ts.isIdentifier(name)) found.push(name);
    }
  }
  return found.map((name) => [name.text, name.getStart(file)]);
}

function nodeAt(node, at) {
  const inner = ts.forEachChild(node, (child) => (child.getStart() <= at && at < child.end ? nodeAt(child, at) : undefined));
  return inner ?? node;
}

const WRAPPERS = new Set([
  ts.SyntaxKind.ParenthesizedExpression, ts.SyntaxKind.AsExpression, ts.SyntaxKind.SatisfiesExpression,
  ts.SyntaxKind.NonNullExpression, ts.SyntaxKind.TypeAssertionExpression, ts.SyntaxKind.ExpressionWithTypeArguments,
]);

/** Whether a reference is what a call, `new`, a tagged template or a JSX element uses. */
function isCallee(name) {
  let at = name;
  if (!at.parent) return false; // a mention in a comment
  if (ts.isPropertyAccessExpression(at.parent) && at.parent.name === at) at = at.parent;
  if (ts.isElementAccessExpression(at.parent) && at.parent.argumentExpression === at) at = at.parent;
  while (WRAPPERS.has(at.parent.kind)) at = at.parent;
  const above = at.parent;
  if (ts.isPropertyAccessExpression(above) && above.expression === at && ['call', 'apply'].includes(above.name.text)) {
    return ts.isCallExpression(above.parent) && above.parent.expression === above;
  }
  if (ts.isCallExpression(above) || ts.isNewExpression(above)) return above.expression === at;
  if (ts.isTaggedTemplateExpression(above)) return above.tag === at;
  return ts.isJsxOpeningElement(above) || ts.isJsxSelfClosingElement(above);
}

function directCalls(languageService, file, at, root) {
  const calls = {};
  const seen = new Set();
  for (const symbol of languageService.findReferences(file, at) ?? []) {
    for (const reference of symbol.references) {
      const key = `${reference.fileName}:${reference.textSpan.start}`;
      if (seen.has(key) || !reference.fileName.startsWith(root)) continue;
      seen.add(key);
      const source = languageService.getProgram().getSourceFile(reference.fileName);
      if (!isCallee(nodeAt(source, reference.textSpan.start))) continue;
      const short = path.relative(root, reference.fileName);
      calls[short] = (calls[short] ?? 0) + 1;
    }
  }
  return calls;
}

/** A package's sources alone, without what it was built to: a copy of them that still finds its dependencies. */
function copied(name) {
  const whole = path.resolve(modules, name);
  const from = existsSync(path.join(whole, 'src')) ? path.join(whole, 'src') : whole;
  const folder = mkdtempSync(path.join(tmpdir(), 'call-sites-'));
  symlinkSync(path.resolve(modules), path.join(folder, 'node_modules'));
  const root = path.join(folder, 'sources');
  for (const file of sources(from)) cpSync(file, path.join(root, path.relative(from, file)));
  return root;
}

function compare(name, limit) {
  const root = copied(name);
  const files = sources(root);
  const languageService = service(files);
  let functions = files.flatMap((file) =>
    exportedFunctions(languageService.getProgram().getSourceFile(file)).map(([text, at]) => [file, text, at]));
  const all = functions.length;
  if (limit && limit < all) functions = functions.filter((_, number) => (number * limit) % all < limit);
  const list = path.join(path.dirname(root), 'selectors');
  const selector = ([file, text]) => `${path.relative(root, file)}#${text}`;
  writeFileSync(list, functions.map(selector).join('\n') + '\n');
  const out = execFileSync(program, [root, list], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] });
  const ours = new Map(out.trim().split('\n').map((line) => JSON.parse(line)).map(({ of, calls }) => [of, calls]));
  const total = { functions: functions.length, calls: 0, same: 0, missing: 0, extra: 0 };
  for (const one of functions) {
    const key = selector(one);
    const theirs = directCalls(languageService, one[0], one[2], root);
    const mine = ours.get(key) ?? {};
    for (const file of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
      const [a, b] = [theirs[file] ?? 0, mine[file] ?? 0];
      total.calls += Math.max(a, b);
      total.same += Math.min(a, b);
      total.missing += Math.max(0, a - b);
      total.extra += Math.max(0, b - a);
      if (a !== b) console.log(`${name} ${key} in ${file}: compiler ${a}, factgate ${b}`);
    }
  }
  const share = ((100 * total.same) / Math.max(1, total.calls)).toFixed(3);
  console.log(`${name}: ${total.functions} of ${all} exported functions, ${total.calls} calls, ${total.missing} missing, ${total.extra} more, agreement ${share}%`);
}

for (const one of packages) {
  const [name, limit] = one.split(':');
  compare(name, Number(limit) || 0);
}
