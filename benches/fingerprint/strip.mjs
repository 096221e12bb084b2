// Copies a folder of TypeScript with its types taken away by another program: `ts-blank-space`, or `amaro`, which Node.js
// strips types with. What the program refuses is left out.
//   node strip.mjs TOOLS ts-blank-space|amaro FROM TO      (TOOLS holds the node_modules)
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const [tools, program, from, to] = process.argv.slice(2);
const require = createRequire(join(tools, 'package.json'));

async function stripper() {
  if (program === 'amaro') {
    const { transformSync } = require('amaro');
    return (text, name) => (name.endsWith('x') ? undefined : transformSync(text, { mode: 'strip-only' }).code);
  }
  const ts = require('typescript');
  const { blankSourceFile } = await import(pathToFileURL(require.resolve('ts-blank-space')));
  return (text, name) => {
    let refused = false;
    const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    const file = ts.createSourceFile(name, text, { languageVersion: ts.ScriptTarget.ESNext }, false, kind);
    const stripped = blankSourceFile(file, () => { refused = true; });
    return refused ? undefined : stripped;
  };
}

const strip = await stripper();
let done = 0;
let left = 0;
const walk = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  const path = join(folder, entry.name);
  return entry.isDirectory() ? walk(path) : [path];
});
for (const path of walk(from).filter((name) => /\.[cm]?tsx?$/.test(name))) {
  let stripped;
  try {
    stripped = strip(readFileSync(path, 'utf8'), path);
  } catch {
    stripped = undefined;
  }
  if (stripped === undefined) {
    left += 1;
    continue;
  }
  const target = join(to, relative(from, path));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, stripped);
  done += 1;
}
console.log(`${program}: ${done} files stripped, ${left} refused`);
