import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Step } from '../../gallery/scenario.ts';

type Catalogue = { readonly [key: string]: string | Catalogue };

const strings = join(import.meta.dirname, '..', '..', 'strings');
const read = (file: string): Catalogue => JSON.parse(readFileSync(join(strings, file), 'utf8'));

interface Pair {
  readonly english: RegExp;
  readonly names: readonly string[];
  readonly german: string;
}

/** What steps press is named in English; in a German window it is called as the catalogue has it. Names of things, which no catalogue knows, stay. */
export function inGerman(step: Step): Step {
  if ('press' in step) return { ...step, named: translated(step.named) };
  if ('scrollTo' in step) return { scrollTo: translated(step.scrollTo) };
  return 'into' in step ? { ...step, into: translated(step.into) } : step;
}

function translated(text: string): string {
  for (const { english, names, german } of pairs) {
    const values = english.exec(text)?.slice(1);
    if (!values) continue;
    const words = names.reduce((said, name, index) => said.replace(`{${name}}`, values[index] ?? ''), german);
    // As a browser gives the names of controls.
    return words.replaceAll('\u00a0', ' ');
  }
  return text;
}

/** Messages with plurals and numbers are pressed by nobody. Those without values come first: they say most. */
const pairs: readonly Pair[] = [...messages(read('en.json'), read('de.json'))]
  .filter(([english]) => !english.includes(', plural') && !english.includes(', number'))
  .map(([english, german]) => {
    const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const pieces = english.split(/\{\w+\}/).map((piece) => piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    return { english: new RegExp(`^${pieces.join('(.+)')}$`), names, german };
  })
  .filter(({ english }) => !/^\^(?:\(\.\+\)\W*)+\$$/.test(english.source))
  .sort((a, b) => a.names.length - b.names.length);

function* messages(english: Catalogue, german: Catalogue): Iterable<readonly [string, string]> {
  for (const [key, value] of Object.entries(english)) {
    const other = german[key];
    if (typeof value === 'string' && typeof other === 'string') yield [value, other];
    else if (typeof value === 'object' && typeof other === 'object') yield* messages(value, other);
  }
}
