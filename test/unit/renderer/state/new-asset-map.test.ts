import { expect, it } from 'vitest';
import { manyTilesSource, placedSource } from '../../../../gallery/samples/sample-sources.ts';
import type { Seen, SourceSeenView } from '../../../../preload/contract.ts';
import type { Api } from '../../../../renderer/api.ts';
import { NewAssetState } from '../../../../renderer/state/new-asset.svelte.ts';
import { maxFootprints, packFootprints } from '../../../../shared/source.ts';

function opened() {
  let listener: (view: SourceSeenView) => void = () => {};
  const api = {
    call: async () => ({ ...placedSource, footprints: [] }),
    on: (_name: string, heard: typeof listener) => {
      listener = heard;
    },
  } as unknown as Api;
  return { newAsset: new NewAssetState(api), tell: (view: SourceSeenView) => listener(view) };
}

const seen = manyTilesSource.seen as Seen;
const footprintsNamed = (prefix: string, count: number) =>
  packFootprints(
    Array.from({ length: count }, (_, at) => ({
      key: `${prefix}${at}`,
      ring: manyTilesSource.footprints[0]?.ring ?? [],
    })),
  );

it('keeps the first footprints beside a density, so that what is found in these files can be shown', async () => {
  const { newAsset, tell } = opened();
  await newAsset.open(['/data/tiles']);
  tell({ round: 1, seen, footprints: footprintsNamed('a', 4_000), density: null });
  tell({ round: 1, seen, footprints: footprintsNamed('b', 4_000), density: null });
  tell({ round: 1, seen, footprints: footprintsNamed('c', 0), density: { size: 1, cells: [] } });
  expect(newAsset.view).toMatchObject({ source: { density: { size: 1 } } });
  expect(newAsset.placedKeys.size).toBe(maxFootprints);
  expect(newAsset.placedKeys.has('a0')).toBe(true);
});

it('forgets the file that was chosen with the source', async () => {
  const { newAsset } = opened();
  await newAsset.open(['/data/tiles']);
  newAsset.chooseFile('a0');
  expect(newAsset.chosenFile).toBe('a0');
  await newAsset.open(['/data/others']);
  expect(newAsset.chosenFile).toBeNull();
});
