import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const folders = ['main', 'preload', 'renderer', 'shared', 'strings', 'gallery', 'scripts', 'tools', 'test'];
const trackedFiles = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const documents = trackedFiles.filter((file) => file.endsWith('.md'));
const sources = trackedFiles.filter(
  (file) => folders.includes(file.split('/')[0] ?? '') && /\.(?:ts|mjs|svelte|md)$/.test(file),
);
const citing = [...new Set([...sources, ...documents])].filter(
  (file) => !file.endsWith('references.test.ts'),
);

/** Numbered headings of the contract: `4`, `4.7`. */
const contractParts = new Set(
  [...read('docs/contract.md').matchAll(/^#+ (\d(?:\.\d+)?) /gm)].map(([, part]) => part),
);
/** Points of the numbered list in part 5 are cited like headings. */
const contractPoints = new Set(['5.1', '5.2', '5.3', '5.4', '5.5', '5.6']);
const headingsOf = (file: string) => [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);

/** GitHub's anchor of a heading. */
const anchorOf = (heading = '') =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Text of a comment or document on one line, so that a reference can continue on the next line. */
const flat = (file: string) => read(file).replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');

describe('references to documents', () => {
  it('references to documents: cites only parts that docs/contract.md has', () => {
    const pattern = /\b[Cc]ontract(?:, | )(?:part )?(\d(?:\.\d+)?)\b/g;
    const cited = citing.flatMap((file) =>
      [...flat(file).matchAll(pattern)].map(([, part = '']) => ({ file, part })),
    );
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(({ part }) => !contractParts.has(part) && !contractPoints.has(part))).toEqual([]);
  });

  it('references to documents: cites no design document, because the project has none', () => {
    expect(citing.filter((file) => /\(design, ["“]/.test(flat(file)))).toEqual([]);
  });

  it('references to documents: cites only headings that docs/service-facts.md has', () => {
    const headings = headingsOf('docs/service-facts.md');
    const pattern = /\bservice[- ]facts(?:\.md)?[,:]? ["“]([^"”]+)["”]/g;
    const cited = citing.flatMap((file) =>
      [...flat(file).matchAll(pattern)].map(([, heading = '']) => ({ file, heading })),
    );
    expect(cited.length).toBeGreaterThan(5);
    expect(cited.filter(({ heading }) => !headings.includes(heading))).toEqual([]);
  });

  it('references to documents: names only documents and decisions that exist', () => {
    const missing = citing.flatMap((file) => {
      const text = flat(file);
      const names = [...text.matchAll(/(?<![\w/.*-])((?:\.\.?\/)*[\w-]+(?:\/[\w.-]+)*\.md)\b/g)]
        .map(([, name = '']) => name)
        .filter(
          (name) => !documents.some((path) => `/${path}`.endsWith(`/${name.replace(/^(?:\.\.?\/)+/, '')}`)),
        );
      const numbers = [...text.matchAll(/\bdecisions? (\d{3})\b/g)]
        .map(([, number]) => number)
        .filter((number) => !documents.some((path) => path.startsWith(`docs/decisions/${number}-`)));
      return [...names, ...numbers].map((reference) => `${file}: ${reference}`);
    });
    expect(missing).toEqual([]);
  });

  it.each(documents)('%s links only to files and headings that exist', (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:|mailto:|tilelift:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
    const brokenLinks = links.filter(([, path = '', anchor]) => {
      const target = path === '' ? file : normalize(join(dirname(file), path));
      if (!existsSync(join(root, target))) return true;
      if (anchor === undefined || !target.endsWith('.md')) return false;
      return !headingsOf(target).some((heading) => anchorOf(heading) === anchor);
    });
    expect(brokenLinks.map(([link]) => link)).toEqual([]);
  });

  it('references to documents: cites each test ID (S12, G12, C12) exactly where one test has it', () => {
    const idsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, id = '']) => id);
    const cited = documents
      .filter((file) => file === 'docs/security.md' || file.startsWith('docs/reference/'))
      .flatMap((file) => idsIn(read(file), /(?<=^\|.*[ ,|])([SGC]\d+)(?=[ ,;|])/gm));
    const titled = trackedFiles
      .filter((file) => file.startsWith('test/') && file.endsWith('.test.ts'))
      .flatMap((file) => idsIn(read(file), /['"`]([SGC]\d+): /g));
    expect(cited.length).toBeGreaterThan(160);
    expect(titled.toSorted()).toEqual([...new Set(cited)].toSorted());
  });

  it('references to code: comments and documents name only source files that exist', () => {
    const missing = citing.flatMap((file) =>
      [...read(file).matchAll(/`(?:\.\.?\/)*([\w-]+(?:\/[\w.-]+)*\.(?:ts|mjs|svelte))`/g)]
        .filter(([, name]) => !sources.some((path) => `/${path}`.endsWith(`/${name}`)))
        .map(([, name]) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('references to code: documents name only code of a file that the file has', () => {
    const pattern = /`([\w/.-]+\.ts)`: ((?:`#?\w+`(?:, )?)+)/g;
    const named = documents.flatMap((file) =>
      [...read(file).matchAll(pattern)].flatMap(([, path = '', names = '']) =>
        (names.match(/\w+/g) ?? []).map((name) => ({ path, name })),
      ),
    );
    expect(named.length).toBeGreaterThan(30);
    const missing = named.filter(
      ({ path, name }) =>
        !sources.some(
          (source) => `/${source}`.endsWith(`/${path}`) && new RegExp(`\\b${name}\\b`).test(read(source)),
        ),
    );
    expect(missing).toEqual([]);
  });

  it('references to code: titles of tests name only functions and classes that exist', () => {
    const isTest = (file: string) => /^test\/.*\.test\.ts$/.test(file);
    const words = new Set(
      sources.filter((file) => !isTest(file)).flatMap((file) => read(file).match(/[\w$]{3,}/g) ?? []),
    );
    const title =
      /\b(?:describe|it)(?:\.\w+)*(?:\(\w+\))?\(\s*'(?:([\w$]+)\(\)|([A-Z][a-z]+[A-Z][A-Za-z]+)\b)/g;
    const named = trackedFiles
      .filter((file) => isTest(file) && existsSync(join(root, file)))
      .flatMap((file) =>
        [...read(file).matchAll(title)].map(([, call, type]) => ({ file, name: call ?? type ?? '' })),
      );
    expect(named.length).toBeGreaterThan(500);
    expect(named.filter(({ name }) => !words.has(name))).toEqual([]);
  });
});
