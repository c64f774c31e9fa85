import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'svelte/compiler';
import { expect, it } from 'vitest';

const renderer = join(import.meta.dirname, '..', '..', '..', 'renderer');
const components = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.svelte'),
);

/** Names and symbols without translation, and typed values: codes, patterns and addresses. */
const sameEverywhere =
  /^(Tilelift|CSV|JSON|id|API|\w+:\/\/\S*|\*\.\w+|[A-Z\d]+[_:]?[A-Z\d]+(, [A-Z\d_]+)*…?|[^\p{L}]*)$/u;
/** Attributes that users read or hear. */
const spokenKeys = new Set(
  'aria-label aria-description aria-roledescription title placeholder alt label detail'.split(' '),
);

interface Node {
  readonly type: string;
  readonly name?: string;
  readonly data?: string;
  readonly value?: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Text in the markup itself. */
function wordsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  if (typeof value !== 'object' || value === null) return [];
  if (isNode(value) && value.type === 'Attribute') {
    return spokenKeys.has(value.name ?? '') || value.name?.startsWith('on') ? wordsIn(value.value) : [];
  }
  if (isNode(value) && value.type === 'Text') {
    return (value.data ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => !sameEverywhere.test(line));
  }
  return Object.values(value).flatMap(wordsIn);
}

it.each(components)('the markup of %s contains no text', (path) => {
  const { fragment } = parse(readFileSync(join(renderer, path), 'utf8'), { modern: true });
  expect(wordsIn(fragment)).toEqual([]);
});
