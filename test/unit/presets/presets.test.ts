import { describe, expect, it } from 'vitest';
import { Presets } from '../../../main/presets/presets.ts';
import { maxPresets, presetsFileText, readPresetsFile } from '../../../main/presets/presets-file.ts';
import { readSettingsFile } from '../../../main/settings.ts';
import type { Preset } from '../../../shared/schemas/presets.ts';

const city: Preset = {
  ...{ id: 'a', name: 'LoD2', assetType: '3DTILES', sourceType: 'CITYGML', clampToTerrain: true },
  ...{ baseTerrainId: 7, accountId: 'mara', options: '{"textureFormat":"WEBP"}', isDefault: true },
};

function presetsWith(...presets: readonly Preset[]) {
  let storedPresets: { presets: readonly Preset[] } = { presets };
  let ids = 0;
  return new Presets(
    {
      get: () => storedPresets,
      update: (change) => {
        storedPresets = { ...storedPresets, ...change };
      },
    },
    () => `new-${++ids}`,
  );
}

it('Presets have one default per kind of data', () => {
  const presets = presetsWith(city, { ...city, id: 'k', name: 'Clouds', sourceType: 'POINT_CLOUD' });
  presets.save({ ...city, id: 'b', name: 'Plain' });
  expect(presets.list().map(({ id, isDefault }) => [id, isDefault])).toEqual([
    ['a', false],
    ['k', true],
    ['b', true],
  ]);
});

it('Presets are renamed and replace one with the same name and kind', () => {
  const presets = presetsWith(city, { ...city, id: 'b', name: 'Plain', isDefault: false });
  expect(presets.save({ ...city, id: 'b', name: 'lod2' }).map(({ id, name }) => [id, name])).toEqual([
    ['b', 'lod2'],
  ]);
  expect(presets.remove('b')).toEqual([]);
});

it('Presets are limited in number', () => {
  const presets = presetsWith(
    ...Array.from({ length: maxPresets }, (_, at) => ({ ...city, id: `${at}`, name: `${at}` })),
  );
  expect(() => presets.save(city)).toThrow(expect.objectContaining({ code: 'presets-too-many' }));
  expect(presets.list()).toHaveLength(maxPresets);
});

it('Presets skip unreadable ones, and are empty in older settings', () => {
  const { settings } = readSettingsFile({ presets: [city, { ...city, assetType: 'HOLOGRAM' }] });
  expect(settings.presets).toEqual([city]);
  expect(readSettingsFile({ bandwidth: { limit: null, timetable: [] } }).settings.presets).toEqual([]);
});

describe('a presets file', () => {
  it('round-trips without account and terrain', () => {
    const file = readPresetsFile(presetsFileText([city]));
    expect(file).toEqual({
      kind: 'presets',
      presets: [
        {
          ...{ name: 'LoD2', assetType: '3DTILES', sourceType: 'CITYGML', clampToTerrain: true },
          ...{ options: '{"textureFormat":"WEBP"}', isDefault: true },
        },
      ],
    });
    expect(presetsFileText([city])).not.toMatch(/mara|baseTerrainId/);
  });

  it('a presets file replaces presets with the same name and adds the others', () => {
    const presets = presetsWith(city);
    const file = readPresetsFile(
      presetsFileText([
        { ...city, options: '{}' },
        { ...city, name: 'Other', isDefault: false },
      ]),
    );
    const allPresets = file.kind === 'presets' ? presets.add(file.presets) : [];
    expect(allPresets.map(({ id, name, options }) => [id, name, options])).toEqual([
      ['a', 'LoD2', '{}'],
      ['new-1', 'Other', '{"textureFormat":"WEBP"}'],
    ]);
  });

  it.each([
    ['{', 1, '', 'jsonFault'],
    ['{"schemaVersion": 2,\n"presets": []}', 1, 'schemaVersion', 'rulesFile.problem.oneOf'],
    [
      '{"schemaVersion": 1, "presets": [\n{"name": "a",\n"sourceType": "KML"}]}',
      2,
      'presets[0].assetType',
      'rulesFile.problem.missing',
    ],
    [
      '{"schemaVersion": 1, "presets": [\n{"name": "a", "assetType": "3DTILES", "sourceType": "KML",\n"opions": {}}]}',
      3,
      'presets[0].opions',
      'rulesFile.problem.unknown',
    ],
    [
      '{"schemaVersion": 1, "presets": [{"name": "a", "assetType": "3DTILES", "sourceType": "KML",\n"options": {"sourceType": "X"}}]}',
      2,
      'presets[0].options',
      'rulesFile.problem.other',
    ],
    [
      '{"schemaVersion": 1, "presets": [{"name": "a", "assetType": "3DTILES", "sourceType": "KML"},\n{"name": "A", "assetType": "3DTILES", "sourceType": "KML"}]}',
      2,
      'presets[1].name',
      'presets.file.twice',
    ],
  ])('a presets file names line and field of a problem: %j', (text, line, field, key) => {
    const file = readPresetsFile(text);
    expect(file.kind).toBe('problems');
    const [firstProblem] = file.kind === 'problems' ? file.problems : [];
    expect(firstProblem).toMatchObject({ line, field });
    expect(firstProblem?.what.key.startsWith(key)).toBe(true);
  });
});
