/**
 * `node scripts/test/plain-words.mjs [--show]`: counts unidiomatic phrases in comments and documents, and
 * declared names that name no thing. Fails above the budget, which is the figures of the last landing: lower
 * it as they fall. A hit is a place to read, not a verdict; `--show` lists them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..');

/** Phrases per 1,000 words of each text, and the share of names in percent. They may only fall. */
const budget = { comments: 0.1, documents: 0.1, CHANGELOG: 0, README: 0, names: 0.4 };

/** Phrases that a native speaker of the field would not write. */
const phrases = [
  // A clause as the subject of a sentence: “What is held here waits.”
  /(?:^|[.:;!?] )(?:What|Whatever|Who|Whoever|Whose)\b(?![^.!?]*\?)/g,
  // A preposition in front: “Of a source nothing is said.”
  /(?:^|[.:;] )(?:Of|From|By|On|With|In|To) (?:an?|the|them|it|these|those|what|all|many|several|both)\b/g,
  // “Where” for “if” or “when”.
  /(?:^|[.:;] )Where\b|\b(?:none|null|nothing|only|but|not|false|true|unless|except),? where\b/gi,
  /\b(?:tells?|told|nobody|whoever|someone else|anybody|besides?|likewise|anew|meanwhile)\b/gi,
  /\bso (?:many|much|long|large|far|few|soon|little)\b(?! (?:as|that)\b)/gi,
  /\b(?:any more|no more|once more|for good|at last|after all|by then|for want of|in one go)\b/gi,
  /\b(?:com(?:es?|ing)|came) (?:to nothing|to stand|about)\b|\b(?:goes|go) on\b|\blies\b|\bstands? (?:in|for|beside)\b/gi,
  /\bas they stand\b|\bin (?:the )?place of\b|\b(?:take[ns]?|took) up\b|\b(?:gives?|given|gave) up\b|\bput down\b/gi,
];

/** Pronouns, participles and prepositions: as a name they say nothing about the thing. */
const emptyNames = new Set(
  `one some own other others another all each both none these those them this that it what who such same
   first last next rest more most less few many any found known given wanted told kept held named asked said
   seen heard meant shown taken made left ended ending waiting looked open close before after since until
   now then again here there alone apart along together over above below under beside at of from to with by
   in on`.split(/\s+/),
);

/** @param {...string} paths @returns {string[]} tracked files, relative to the project's folder */
const trackedFiles = (...paths) =>
  execFileSync('git', ['ls-files', ...paths], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));

const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');

/** The comments of a source file, each as a line. @param {string} file */
const commentsOf = (file) =>
  [...read(file).matchAll(/\/\*\*?([\s\S]*?)\*\/|(?<=^|\s)\/\/(.*)$/gm)]
    .map(([, block, line]) => (block ?? line ?? '').replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim())
    .join('\n');

const proseOf = (/** @type {string} */ file) => read(file).replaceAll(/```[\s\S]*?```/g, '');

const folders = ['main', 'preload', 'renderer', 'shared', 'strings', 'scripts', 'tools'];
const isDocument = (/** @type {string} */ file) =>
  file.endsWith('.md') && !/\/reference\/|help\/de\//.test(file);
/** @type {Record<string, [string, string][]>} */
const texts = {
  comments: trackedFiles(...folders)
    .filter((file) => /\.(?:ts|mjs|svelte)$/.test(file))
    .map((file) => [file, commentsOf(file)]),
  documents: trackedFiles('docs', 'main', 'test', 'CONTRIBUTING.md', 'SECURITY.md')
    .filter(isDocument)
    .map((file) => [file, proseOf(file)]),
  CHANGELOG: [['CHANGELOG.md', proseOf('CHANGELOG.md')]],
  README: [['README.md', proseOf('README.md')]],
};

const isShown = process.argv.includes('--show');
/** @type {Record<string, number>} */
const figures = {};
for (const [name, files] of Object.entries(texts)) {
  const words = files.reduce((sum, [, text]) => sum + (text.match(/\S+/g) ?? []).length, 0);
  let hits = 0;
  for (const [file, text] of files)
    for (const phrase of phrases)
      for (const { 0: match, index } of text.matchAll(new RegExp(phrase, `${phrase.flags}m`))) {
        hits += 1;
        if (isShown)
          console.log(`${file}: …${text.slice(Math.max(0, index - 20), index + match.length + 50)}…`);
      }
  figures[name] = (1000 * hits) / words;
}
figures.names = shareOfEmptyNames();

let isExceeded = false;
for (const [name, allowedFigure] of Object.entries(budget)) {
  const figure = Math.round((figures[name] ?? 0) * 10) / 10;
  const unit = name === 'names' ? '%' : 'per 1,000 words';
  isExceeded ||= figure > allowedFigure;
  console.log(
    `${name}: ${figure} ${unit}, budget ${allowedFigure}${figure > allowedFigure ? ': EXCEEDED' : ''}`,
  );
}
if (isExceeded) console.log('Write it plainer, as CONTRIBUTING.md describes, rather than raise the budget.');
process.exitCode = isExceeded ? 1 : 0;

/** In percent of all names that the product's TypeScript declares. */
function shareOfEmptyNames() {
  let names = 0;
  let empty = 0;
  for (const file of trackedFiles('main', 'preload', 'renderer', 'shared', 'strings')) {
    if (!file.endsWith('.ts') || /\.(?:test|d)\.ts$/.test(file)) continue;
    const visit = (/** @type {ts.Node} */ node) => {
      const name = declaredName(node);
      if (name !== undefined) names += 1;
      if (name !== undefined && emptyNames.has(name)) {
        empty += 1;
        if (isShown) console.log(`${file}: name ${name}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest));
  }
  return (100 * empty) / names;
}

/** @param {ts.Node} node @returns {string | undefined} */
function declaredName(node) {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node);
  if (!isDeclaration || !node.name) return undefined;
  const isName = ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name);
  return isName ? node.name.text.replace('#', '') : undefined;
}
