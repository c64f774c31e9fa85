import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sayPhrase } from '../../../../../renderer/say.ts';
import { readFurtherOptions } from '../../../../../renderer/state/options/further-options.ts';
import {
  choicesOf,
  hintOf,
  isSwitch,
  noOptions,
  optionsOf,
  positionOf,
  wrongAxis,
} from '../../../../../renderer/state/options/options.ts';
import { optionNames } from '../../../../../shared/tiling-options.ts';

it('options with a form are the union of those of all source types', () => {
  expect(optionsOf(['TERRAIN_DATABASE'])).toEqual(['attribution']);
  expect(optionsOf(['BIM_CAD', 'RASTER_IMAGERY'])).toEqual(optionsOf(['BIM_CAD']));
  expect(optionsOf(['3DTILES', 'RASTER_IMAGERY'])).toEqual(['inputCrs', 'attribution', 'tilesetJson']);
});

it.each([
  [{ longitude: '181', latitude: '0', height: '0' }, 'longitude'],
  [{ longitude: '', latitude: '5', height: '0' }, 'longitude'],
  [{ longitude: '0', latitude: '-91', height: '0' }, 'latitude'],
  [{ longitude: '0', latitude: '0', height: 'high' }, 'height'],
])('options with a form reject an incomplete position and name the wrong number: %j', (entered, axis) => {
  const values = { ...noOptions, ...entered };
  expect(positionOf(values)).toContain(axis);
  expect(wrongAxis(values)).toBe(axis);
});

it('options with a form have all their texts', () => {
  const hints = optionNames.map((name) => hintOf(name) ?? '');
  const choices = optionNames.flatMap((name) =>
    isSwitch(name) || name === 'position' ? [] : choicesOf(name).map(({ label }) => label),
  );
  expect([...hints, ...choices].filter((text) => text.startsWith('options.'))).toEqual([]);
});

it('options with a form have no wrong number without a position', () => {
  expect([positionOf(noOptions), wrongAxis(noOptions)]).toEqual([null, null]);
});

it.each([
  ['', {}],
  [' \n', {}],
  ['{"a": {"b": [1, "x"]}}', { a: { b: [1, 'x'] } }],
  ['{"a": {"a": 1}, "b": {"a": 2}}', { a: { a: 1 }, b: { a: 2 } }],
])('readFurtherOptions() accepts %j', (text, value) =>
  expect(readFurtherOptions(text, [])).toEqual({ ok: true, value }),
);

it.each([
  ['{\n  "a": 1,\n  "b" 2\n}', 'Line 3: “:” is missing.'],
  ['{"a": 1,}', 'Line 1: a key in double quotes is missing.'],
  ['{"a": 1\n "b": 2}', 'Line 2: “,” is missing.'],
  ['{"a": 1.}', 'Line 1: “1.” is not valid JSON.'],
  ['{"a": "\\q"}', 'Line 1: the character after a backslash is not valid.'],
  ['{"a": "\t"}', 'Line 1: control characters are not allowed in text.'],
  ['{\n  "a": 1', 'Line 2: “}” is missing.'],
  ['{"a":'.repeat(20_000), 'Line 1: lists and objects are nested too deeply.'],
  ['[1]', 'Enter an object: { "name": value }.'],
  ['null', 'Enter an object: { "name": value }.'],
  ['{"x": 1,\n"sourceType": "KML"}', 'Line 2: “sourceType” has a field of its own, “Source type”.'],
  ['{\n\n"inputCrs": ""}', 'Line 3: “inputCrs” has a field of its own, “Coordinate system”.'],
  ['{"a": 1,\n "\\u0061": 2}', 'Line 2: the key “a” appears twice.'],
  ['{"a": {"b": 1,\n "b": 2}}', 'Line 2: the key “b” appears twice.'],
])('readFurtherOptions() explains what is wrong with %j, and where', (text, problem) => {
  const read = readFurtherOptions(text, ['inputCrs']);
  expect(read.ok ? null : sayPhrase(read.problem)).toEqual(
    typeof problem === 'string' ? problem : expect.stringMatching(problem),
  );
});

it('readFurtherOptions() accepts an option that the form does not show', () => {
  expect(readFurtherOptions('{"inputCrs": "EPSG:1"}', []).ok).toBe(true);
});

it('readFurtherOptions() agrees with JSON.parse() for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const read = readFurtherOptions(text, []);
      if (!read.ok) expect(sayPhrase(read.problem)).toMatch(/\.$/);
      else if (text.trim() !== '') expect(read.value).toEqual(JSON.parse(text));
    }),
  );
});
