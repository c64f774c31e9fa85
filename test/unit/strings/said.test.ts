import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import english from '../../../strings/en.json' with { type: 'json' };
import { leaves } from './leaves.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const sources = ['main', 'renderer', 'shared', 'strings']
  .flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)),
  )
  .filter((path) => /\.(ts|svelte)$/.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'));

/** Fields about the language file: `strings/languages.ts`. */
const fileKeys = new Set(['language.name', 'language.locale']);
/** Literal keys, and keys with an inserted part: `errors.${code}.message`. */
const writtenKeys = new Set(sources.flatMap((text) => text.match(/(?<=')[a-z]\w*(\.[\w-]+)+(?=')/gi) ?? []));
const patterns = sources
  .flatMap((text) => text.match(/(?<=`)[a-z]\w*\.[^`\s]*\$\{[^`\s]*(?=`)/gi) ?? [])
  .map((text) => new RegExp(`^${text.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w-]+')}$`));

it('the catalogue contains only used messages', () => {
  const unsaidKeys = [...leaves(english).keys()].filter(
    (key) => !fileKeys.has(key) && !writtenKeys.has(key) && !patterns.some((pattern) => pattern.test(key)),
  );
  expect(unsaidKeys).toEqual([]);
});
