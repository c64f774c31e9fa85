import { expect, it } from 'vitest';
import { withOptionsRead } from '../../../../main/cli/upload/inputs.ts';
import { creationBody, type UploadOptions } from '../../../../main/cli/upload/options.ts';
import { UsageError } from '../../../../main/cli/usage-error.ts';
import { creationRequest } from '../../../../shared/creation-options.ts';
import { kindOf } from '../../../../shared/kinds.ts';
import { inEnglish } from '../../../../strings/sayer.ts';

const noOptions: UploadOptions = {
  ...{ clampToTerrain: false, oneEach: false, wait: true, check: false, acceptForecast: false },
  ...{ again: false, giveUpAfter: 60, exclude: [], dryRun: false },
};
const cityModel = {
  ...{ paths: ['/data/town.gml'], primary: '/data/town.gml', inDoubt: null },
  ...{ suggestion: { ...kindOf('CITYGML'), kind: 'CityGML', reason: 'a.gml' } },
};
const unknownData = { ...cityModel, paths: ['/data/a.bin'], primary: '/data/a.bin', suggestion: null };

function refusal(source: Parameters<typeof creationBody>[0], options: Partial<UploadOptions>): string {
  try {
    creationBody(source, { ...noOptions, ...options }, null);
  } catch (error) {
    if (error instanceof UsageError) return inEnglish.sayPhrase(error.phrase);
    throw error;
  }
  return '';
}

it.each([
  ['heightReference=WGS84', { heightReference: 'WGS84' }],
  ['toMeters=0.3048', { toMeters: 0.3048 }],
  ['waterMask=true', { waterMask: true }],
  ['attribution=a=b', { attribution: 'a=b' }],
])('withOptionsRead() accepts %s', (options, expected) => {
  expect(JSON.parse(withOptionsRead({ ...noOptions, options }).options ?? '')).toEqual(expected);
});

it('creationBody() refuses an asset type that the detected kind can’t become, and names both', () => {
  const text = refusal(cityModel, { type: 'TERRAIN' });
  expect(text).toContain('The files look like CITYGML, which becomes 3DTILES, not TERRAIN.');
  expect(text).toContain('RASTER_TERRAIN, TERRAIN_DATABASE');
  expect(text).not.toContain('POINT_CLOUD');
});

it('creationBody() refuses CITYGML with another asset type', () => {
  expect(refusal(cityModel, { sourceType: 'citygml', type: 'IMAGERY' })).toContain(
    'CITYGML can’t become IMAGERY',
  );
});

it('creationBody() refuses an unknown kind without an asset type, and lists the known ones', () => {
  const text = refusal(cityModel, { sourceType: 'VOXELS' });
  expect(text).toContain('“VOXELS” isn’t a kind of data that Tilelift knows: CITYGML, ');
  expect(text).toContain('--type');
});

it('creationBody() passes on an unknown asset type with an explicit kind', () => {
  const body = creationBody(unknownData, { ...noOptions, type: 'voxels', sourceType: 'VOXELS' }, null);
  expect(body).toMatchObject({ type: 'VOXELS', options: { sourceType: 'VOXELS' } });
});

it('creationBody() refuses a misspelled kind in any case, and names the intended one', () => {
  for (const options of [{}, { type: '3DTILES' }])
    expect(refusal(cityModel, { ...options, sourceType: 'cityglm' })).toBe(
      '“cityglm” isn’t a kind of data. Did you mean CITYGML?',
    );
});

it.each([
  ['KML', 'roads.kml', 'KML', { sourceType: 'KML' }],
  ['GLTF', 'ship.glb', '3D_MODEL', { sourceType: 'GLTF' }],
  ['GEOJSON', 'roads.geojson', 'GEOJSON', { sourceType: 'GEOJSON' }],
  ['CZML', 'orbit.czml', 'CZML', { sourceType: 'CZML' }],
] as const)(
  'creationBody() requests an unchanged file as %s, also alone in its folder',
  (type, name, detectedTypes, options) => {
    const suggestion = { ...kindOf(detectedTypes), kind: '', reason: '' };
    const file = { ...unknownData, paths: [name], primary: name, suggestion };
    for (const source of [file, { ...file, paths: ['/data'], primary: null, onlyFile: name }]) {
      const body = creationRequest(creationBody(source, { ...noOptions, type }, null));
      expect(body).toMatchObject({ type, options });
    }
    expect(refusal(cityModel, { type })).toContain(`which becomes 3DTILES, not ${type}`);
  },
);

it('creationBody() refuses files that don’t show their kind', () => {
  expect(refusal(unknownData, { type: 'TERRAIN' })).toContain('The files in /data/a.bin don’t show');
});

it('creationBody() accepts options if kind and type fit', () => {
  expect(refusal(cityModel, { type: '3dtiles' })).toBe('');
  expect(refusal(unknownData, { sourceType: 'VOXELS', type: '3DTILES' })).toBe('');
});
