import { expect, it } from 'vitest';
import { sampleAssets } from '../../../../../gallery/samples/sample-assets.ts';
import type { AssetView } from '../../../../../preload/contract.ts';
import { offeredTerrains, terrainIdFrom } from '../../../../../renderer/components/options/terrains.ts';

const terrain = (id: number, status: string, percentComplete = 0): AssetView => ({
  ...(sampleAssets[0] as AssetView),
  type: 'TERRAIN',
  name: 'DGM1',
  id,
  status,
  percentComplete,
});

it('offeredTerrains() contains complete terrains and those in progress with their percentage', () => {
  const assets = [terrain(1, 'COMPLETE', 100), terrain(2, 'IN_PROGRESS', 62), terrain(3, 'NOT_STARTED')];
  expect(offeredTerrains(assets, [])).toEqual([
    { value: '1', label: 'DGM1 · 1' },
    { value: '2', label: 'DGM1 · 2', detail: 'tiling, 62\u00a0%' },
    { value: '3', label: 'DGM1 · 3', detail: 'tiling, 0\u00a0%' },
  ]);
});

it('offeredTerrains() omits failed terrains, and awaiting ones unless uploaded here', () => {
  const assets = [
    terrain(1, 'DATA_ERROR'),
    terrain(2, 'ERROR'),
    terrain(3, 'AWAITING_FILES'),
    terrain(4, 'AWAITING_FILES'),
    terrain(5, 'AWAITING_FILES'),
  ];
  const jobs = [
    { assetId: 4, status: 'uploading' },
    { assetId: 5, status: 'cancelled' },
  ] as const;
  expect(offeredTerrains(assets, jobs)).toEqual([{ value: '4', label: 'DGM1 · 4', detail: 'uploading' }]);
});

it('offeredTerrains() contains only terrains', () => {
  expect(offeredTerrains([{ ...terrain(1, 'COMPLETE'), type: 'IMAGERY' }], [])).toEqual([]);
});

it.each([
  [' 2310012 ', 2_310_012],
  ['', null],
  ['0', null],
  ['12a', null],
  ['1.5', null],
  ['-3', null],
  ['9'.repeat(16), null],
])('terrainIdFrom() reads “%s” as %s', (enteredText, id) => expect(terrainIdFrom(enteredText)).toBe(id));
