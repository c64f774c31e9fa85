import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentSpeech, sayPhrase, speak } from '../../../main/say.ts';
import {
  type JsonPath,
  offsetOf,
  type PositionedJson,
  positionOf,
  readJson,
  readStrictJson,
} from '../../../shared/json-positions.ts';

function faultLine(text: string): number | null {
  const { fault } = readStrictJson(text);
  return fault && positionOf(text, fault.offset).line;
}

function wholeJson(json: PositionedJson) {
  if (json.fault) throw new Error(sayPhrase(json.fault.what));
  return json;
}

/** Returns a function for the line of a path. */
function lineFinder(text: string): (path: JsonPath) => number {
  const { tree } = wholeJson(readStrictJson(text));
  return (path) => positionOf(text, offsetOf(tree, path)).line;
}

it('readStrictJson() agrees with JSON.parse in any formatting', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(4), (text, indent) => {
      const value: unknown = JSON.parse(text);
      expect(wholeJson(readJson(JSON.stringify(value, undefined, indent))).value).toEqual(value);
    }),
  );
});

it('readStrictJson() returns the line of each key and element', () => {
  const lineOf = lineFinder(
    '{\n  "watch": {\n    "roots": [\n      "/a",\n\n      "/b"\n    ]\n  },\n  "caFile":\n null }',
  );
  expect(lineOf([])).toBe(1);
  expect(lineOf(['watch'])).toBe(2);
  expect(lineOf(['watch', 'roots'])).toBe(3);
  expect(lineOf(['watch', 'roots', 0])).toBe(4);
  expect(lineOf(['watch', 'roots', 1])).toBe(6);
  expect(lineOf(['caFile'])).toBe(9);
  // A missing value has its parent's line.
  expect(lineOf(['watch', 'proxy', 'server'])).toBe(2);
});

it('readStrictJson() ignores brackets and quotes in strings', () => {
  const lineOf = lineFinder('{"a": "{\\"x\\": [,",\n"b": "\\\\",\n"a.b": 1}');
  expect([lineOf(['a']), lineOf(['b']), lineOf(['a.b'])]).toEqual([1, 2, 3]);
  expect(lineOf(['a', 'b'])).toBe(1);
});

it.each([
  ['', 1],
  ['{\n"a": 1,\n}', 3],
  ['{\n"a": yes\n}', 2],
  ['{\n"a": 1\n"b": 2\n}', 3],
  ['{\n"a": "1\n}', 2],
  ['{"a"\n: 1}\n\n]', 4],
  ['[1,\n2', 2],
  ['// none\n{}', 1],
  ['{\n1: 2}', 2],
  ["{\n'a': 2}", 2],
  [`\n${'['.repeat(101)}${']'.repeat(101)}`, 2],
])('readStrictJson() returns the line of the error in %j', (text, line) =>
  expect(faultLine(text)).toBe(line),
);

it('readStrictJson() refuses duplicate keys', () => {
  expect(faultLine('{\n"only": true,\n"only": false\n}')).toBe(3);
  expect(faultLine('{"a": {"x": 1}, "b": {"x": 1}}')).toBeNull();
});

it('readStrictJson() treats __proto__ as a normal key', () => {
  expect(Object.keys(wholeJson(readJson('{"__proto__": 1}')).value as object)).toEqual(['__proto__']);
});

it('readStrictJson() refuses nesting that would overflow the stack, but nothing realistic', () => {
  const deepJson = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  expect(readJson(deepJson(100_000)).fault).toMatchObject({ what: { key: 'jsonFault.tooDeep' } });
  expect(readJson(deepJson(100)).fault).toBeNull();
  expect(readJson(JSON.stringify('['.repeat(1_000))).fault).toBeNull();
});

describe.each(['en', 'de'] as const)('a JSON error in %s', (language) => {
  const previous = currentSpeech();
  beforeEach(() => speak({ language, locale: language }));
  afterEach(() => speak(previous));

  it.each([
    ['{"a" 1}', { en: '“:” is missing', de: '„:“ fehlt' }],
    ['{"a": 1 "b": 2}', { en: '“,” is missing', de: '„,“ fehlt' }],
    ['{"a": 1', { en: '“}” is missing', de: '„}“ fehlt' }],
    ['[1', { en: '“]” is missing', de: '„]“ fehlt' }],
    ['"a', { en: 'a closing quotation mark is missing', de: 'ein schließendes Anführungszeichen fehlt' }],
    ['{1: 2}', { en: 'a key in double quotes is missing', de: 'ein Schlüssel in Anführungszeichen fehlt' }],
    ['{"a": }', { en: 'a value is missing', de: 'ein Wert fehlt' }],
    ['{"a": yes}', { en: '“yes” is not valid JSON', de: '„yes“ ist kein gültiges JSON' }],
    ['{} ]', { en: 'there is text after the end', de: 'nach dem Ende steht noch Text' }],
    ['// none\n{}', { en: 'comments are not allowed', de: 'Kommentare sind nicht erlaubt' }],
    ['{"a": 1, "a": 2}', { en: 'the key “a” appears twice', de: 'der Schlüssel „a“ kommt zweimal vor' }],
    [
      '['.repeat(6_000),
      { en: 'lists and objects are nested too deeply', de: 'Listen und Objekte sind zu tief verschachtelt' },
    ],
  ])('describes %.20j', (text, descriptions) => {
    const { fault } = readStrictJson(text);
    expect(fault && sayPhrase(fault.what)).toBe(descriptions[language]);
  });
});
