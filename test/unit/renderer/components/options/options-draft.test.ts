import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noOptions, optionsOf } from '../../../../../renderer/state/options/options.ts';
import {
  blankOptions,
  describeOptions,
  type OptionsDraft,
  optionsDraftOf,
  optionsProblems,
  optionsText,
} from '../../../../../renderer/state/options/options-draft.ts';
import { kinds } from '../../../../../shared/kinds.ts';

const degree = (maximum: number) => fc.double({ min: -maximum, max: maximum, noNaN: true }).map(String);
const place = fc.record({ longitude: degree(180), latitude: degree(90), height: degree(9_000) });
const noPosition = fc.constant({ longitude: '', latitude: '', height: '' });
const values = fc
  .record({
    inputCrs: fc.constantFrom('', 'EPSG:25833'),
    textureFormat: fc.constantFrom('', 'AUTO', 'WEBP'),
    geometryCompression: fc.constantFrom('', 'DRACO', 'any other'),
    instancing: fc.boolean(),
    place: fc.oneof(place, noPosition),
  })
  .map(({ place, ...otherFields }) => ({ ...noOptions, ...otherFields, ...place }));
const furtherText = fc
  .dictionary(
    fc.constantFrom('inputCrs', 'textureFormat', 'instancing', 'position', 'own', 'geometryCompression'),
    fc.jsonValue(),
  )
  .map((record) => JSON.stringify(record));
const sourceType = fc.constantFrom(...kinds.map((kind) => kind.sourceType), 'A_NEW_KIND');

describe('stored options', () => {
  it('round-trip, whatever the form shows of them', () => {
    fc.assert(
      fc.property(values, furtherText, sourceType, (options, furtherOptions, type) => {
        const draft: OptionsDraft = { options, furtherOptions };
        fc.pre(optionsProblems(draft, optionsOf([type])).size === 0);
        const text = optionsText(draft, type);
        const secondDraft = optionsDraftOf(text, type);
        expect(optionsProblems(secondDraft, optionsOf([type]))).toEqual(new Map());
        expect(JSON.parse(optionsText(secondDraft, type))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('stored options stay JSON when the kind of data has no form for them', () => {
    const { options, furtherOptions } = optionsDraftOf('{"inputCrs":"EPSG:1"}', 'CITYGML');
    expect(options).toEqual(noOptions);
    expect(JSON.parse(furtherOptions)).toEqual({ inputCrs: 'EPSG:1' });
    expect(optionsDraftOf('{}', 'CITYGML')).toEqual(blankOptions);
  });

  it('stored options are described in words', () => {
    expect(describeOptions('{"textureFormat":"WEBP","instancing":true,"own":[1,2]}')).toEqual([
      'Textures: WEBP',
      'Use instancing for repeated geometry',
      'own: [1,2]',
    ]);
    expect(describeOptions('{')).toEqual([]);
  });
});
