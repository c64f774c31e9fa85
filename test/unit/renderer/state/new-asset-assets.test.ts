import { expect, it } from 'vitest';
import { assetSeen, largeSource } from '../../../../gallery/samples/sample-sources.ts';
import { failingMixtureSource, siteSource } from '../../../../gallery/samples/sources/sample-mixture.ts';
import type {
  AssetSeen,
  NewAssetInput,
  Seen,
  SourceSeenView,
  SourceView,
} from '../../../../preload/contract.ts';
import type { Api } from '../../../../renderer/api.ts';
import { filesLeftOut } from '../../../../renderer/state/new-asset/draft/draft.ts';
import { mergeAssets, separateAsset } from '../../../../renderer/state/new-asset/draft/proposal.ts';
import { NewAssetState } from '../../../../renderer/state/new-asset/new-asset.svelte.ts';
import { packFootprints } from '../../../../shared/source.ts';

async function openSheet(
  source: SourceView,
  madeBefore: readonly { group: number; madeBefore: unknown }[] = [],
  folders: readonly string[] = [],
) {
  let listener: (view: SourceSeenView) => void = () => {};
  const calls: [name: string, input: unknown][] = [];
  const api = {
    call: async (name: string, input: unknown) => {
      calls.push([name, input]);
      if (name === 'source.folders') return folders;
      return name === 'source.inspect' ? source : name === 'source.regroup' ? madeBefore : undefined;
    },
    on: (name: string, heard: typeof listener) => {
      if (name === 'source.seen') listener = heard;
    },
  } as unknown as Api;
  const newAsset = new NewAssetState(api);
  await newAsset.open(source.paths);
  const tell = (...assets: readonly AssetSeen[]) =>
    listener({ round: 1, seen: source.seen as Seen, assets, footprints: packFootprints([]), density: null });
  const callsOf = (wantedCall: string) =>
    calls.flatMap(([name, input]) => (name === wantedCall ? [input] : []));
  return { newAsset, tell, asked: callsOf };
}

const cutFinding = { id: 'cut-off', count: 1, looked: 1, total: 1, keys: ['las/a.las'] } as const;

it('NewAssetState updates the findings of each asset and keeps the others', async () => {
  const { newAsset, tell } = await openSheet(failingMixtureSource);
  expect(newAsset.files.failingGroups).toEqual([0]);
  tell({ ...assetSeen(3, 3), findings: [cutFinding] });
  expect(newAsset.files.failingGroups).toEqual([0, 3]);
  tell(assetSeen(0, 3, 'EPSG:25832'));
  expect(newAsset.files.failingGroups).toEqual([3]);
});

it('NewAssetState sends a decision with its own asset only', async () => {
  const { newAsset, asked: callsOf } = await openSheet(failingMixtureSource);
  const [words] = newAsset.files.findingsOf(0);
  newAsset.form.takeWayOut(words?.id ?? '', { kind: 'assign', epsg: 25832 }, 0);
  expect(newAsset.files.failingGroups).toEqual([]);
  await newAsset.submit();
  const inputs = callsOf('jobs.create') as readonly NewAssetInput[];
  expect(inputs.map(({ changes }) => changes?.assigned)).toEqual([
    [{ epsg: 25832, files: { keys: ['ortho/ortho_02.tif', 'ortho/ortho_03.tif'] } }],
    ...Array(4).fill(undefined),
  ]);
});

it('NewAssetState uploads only the assets without findings', async () => {
  const { newAsset, asked: callsOf } = await openSheet(failingMixtureSource);
  await newAsset.submitFine();
  const names = (callsOf('jobs.create') as readonly NewAssetInput[]).map(({ name }) => name);
  expect(names).toEqual(
    ['DTM 1 m', 'Flight', 'Point cloud', 'LoD2 buildings'].map((name) => `Delivery 2026-11 · ${name}`),
  );
});

it('NewAssetState switches the kind of the asset that a note is about', async () => {
  const { newAsset } = await openSheet(failingMixtureSource);
  newAsset.form.takeWayOut('x', { kind: 'switch', sourceType: 'RASTER_IMAGERY' }, 1);
  const types = newAsset.form.draft?.separate.map(({ sourceType }) => sourceType);
  expect(types?.slice(0, 3)).toEqual(['RASTER_IMAGERY', 'RASTER_IMAGERY', '3D_CAPTURE']);
});

it('NewAssetState leaves out existing assets, but never all', async () => {
  const { newAsset } = await openSheet(siteSource);
  newAsset.form.leaveOut(Array.from({ length: 28 }, (_, at) => at));
  expect(newAsset.form.draft?.separate.map(({ name }) => name)).toEqual(['Site 29', 'Site 30']);
  expect(newAsset.form.draft?.removed).toHaveLength(28);
  newAsset.form.leaveOut([0, 1]);
  expect(newAsset.form.draft?.separate).toHaveLength(2);
});

it('NewAssetState inspects assets that the user merged and shows the result', async () => {
  const madeBefore = { assetId: 20_099, at: 0 };
  const {
    newAsset,
    tell,
    asked: callsOf,
  } = await openSheet(failingMixtureSource, [{ group: 5, madeBefore }]);
  const { draft } = newAsset.form;
  if (!draft) throw new Error('nothing is shown');
  newAsset.form.move(mergeAssets(draft, 0, 1, failingMixtureSource));
  expect(callsOf('source.regroup')).toEqual([
    {
      round: 1,
      assets: [{ group: 5, pieces: [0, 1] }, ...[2, 3, 4].map((group) => ({ group, pieces: [group] }))],
    },
  ]);
  expect(newAsset.files.failingGroups).toEqual([]);
  tell({ ...assetSeen(5, 4), findings: [{ ...cutFinding, keys: ['ortho/ortho_02.tif'] }] });
  expect(newAsset.files.failingGroups).toEqual([0]);
  await expect.poll(() => newAsset.form.draft?.separate[0]?.source.madeBefore).toEqual(madeBefore);
  // Separated again, they match the proposal and need no inspection.
  const mergedDraft = newAsset.form.draft;
  if (!mergedDraft) throw new Error('nothing is shown');
  newAsset.form.move(separateAsset(mergedDraft, 0, failingMixtureSource));
  expect(newAsset.form.draft?.separate.map(({ group }) => group)).toEqual([0, 1, 2, 3, 4]);
  expect(callsOf('source.regroup')).toHaveLength(1);
  expect(newAsset.files.failingGroups).toEqual([0]);
});

it('NewAssetState offers to split an upload that exceeds the hour by folder, without creating an asset', async () => {
  const sites = ['/data/Site 1', '/data/Site 2', '/data/Site 3'];
  const { newAsset, asked: callsOf } = await openSheet(largeSource(2.3), [], sites);
  await newAsset.submit();
  expect([newAsset.isAsking, newAsset.splitCount]).toEqual([true, 3]);
  await newAsset.splitFurther();
  expect(newAsset.isAsking).toBe(false);
  expect(callsOf('source.inspect')).toMatchObject([{ paths: largeSource(1).paths }, { paths: sites }]);
  expect(callsOf('jobs.create')).toEqual([]);
});

it('NewAssetState splits a large upload as proposed, unless folders make smaller assets', async () => {
  const combinedSource = { ...failingMixtureSource, suggestSeparate: false };
  const { newAsset } = await openSheet(combinedSource);
  expect(newAsset.splitCount).toBe(5);
  await newAsset.splitFurther();
  expect([newAsset.form.draft?.split, newAsset.splitCount]).toEqual([true, null]);
});

it('filesLeftOut() names the files that decisions exclude from an asset and its thumbnail', async () => {
  const { newAsset } = await openSheet(failingMixtureSource);
  const leftOutOf = (index: number) => {
    const [scope, { draft }] = [newAsset.files.scopes[index], newAsset.form];
    return scope && draft ? filesLeftOut(scope, draft) : null;
  };
  expect(leftOutOf(0)).toEqual([]);
  const [words] = newAsset.files.findingsOf(0);
  newAsset.form.takeWayOut(words?.id ?? '', { kind: 'leave-out' }, 0);
  expect(leftOutOf(0)).toEqual([{ keys: ['ortho/ortho_02.tif', 'ortho/ortho_03.tif'] }]);
  expect(leftOutOf(1)).toEqual([]);
});
