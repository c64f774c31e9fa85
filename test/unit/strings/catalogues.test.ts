import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import { expect, it } from 'vitest';
import german from '../../../strings/de.json' with { type: 'json' };
import english from '../../../strings/en.json' with { type: 'json' };
import { leaves } from './leaves.ts';

const en = leaves(english);
const de = leaves(german);

const parse = (text: string) => new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst();

/** Names of a message's arguments. */
function argumentsOf(elements: readonly MessageFormatElement[]): Set<string> {
  const names = new Set<string>();
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    names.add(element.value);
    if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
    for (const { value } of Object.values(element.options))
      for (const name of argumentsOf(value)) names.add(name);
  }
  return names;
}

it('the catalogues have the same keys in the same order', () =>
  expect([...de.keys()]).toEqual([...en.keys()]));

it.each([...en])('the catalogues have the same arguments for %s', (key, text) => {
  expect(argumentsOf(parse(de.get(key) ?? ''))).toEqual(argumentsOf(parse(text)));
});

it('the catalogues have no empty message', () => {
  expect([...en, ...de].filter(([, text]) => text.trim() === '')).toEqual([]);
});

it('the catalogues use bold marks in pairs', () => {
  expect([...en, ...de].filter(([, text]) => text.split('**').length % 2 === 0)).toEqual([]);
});
