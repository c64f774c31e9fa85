import { expect, it } from 'vitest';
import { manyTilesSource, placedSource } from '../../../../gallery/samples/sample-sources.ts';
import type { Seen, SourceSeenView } from '../../../../preload/contract.ts';
import { type Api, ApiError } from '../../../../renderer/api.ts';
import type { Decision } from '../../../../renderer/state/new-asset/draft/decisions.ts';
import { draftInputs } from '../../../../renderer/state/new-asset/draft/draft.ts';
import { NewAssetState } from '../../../../renderer/state/new-asset/new-asset.svelte.ts';
import { maxFootprints, packFootprints } from '../../../../shared/source.ts';

function openSheet(
  answer: (name: string, input: unknown) => unknown = () => ({ ...placedSource, footprints: [] }),
) {
  let listener: (view: SourceSeenView) => void = () => {};
  const api = {
    call: async (name: string, input: unknown) => answer(name, input),
    on: (name: string, heard: typeof listener) => {
      if (name === 'source.seen') listener = heard;
    },
  } as unknown as Api;
  return { newAsset: new NewAssetState(api), tell: (view: SourceSeenView) => listener(view) };
}

const seenFacts = manyTilesSource.seen as Seen;
const footprintsNamed = (prefix: string, count: number) =>
  packFootprints(
    Array.from({ length: count }, (_, at) => ({
      key: `${prefix}${at}`,
      ring: manyTilesSource.footprints[0]?.ring ?? [],
    })),
  );

/** The request's options and changes of files. */
function requestOf({ form, droppedSource }: NewAssetState): Readonly<Record<string, unknown>> {
  const { view } = droppedSource;
  const [input] = view?.kind === 'found' && form.draft ? draftInputs(view.source, form.draft, false) : [];
  return { options: JSON.parse(input?.options ?? '{}'), ...(input?.changes && { changes: input.changes }) };
}

it('NewAssetState keeps the first footprints next to a density', async () => {
  const { newAsset, tell } = openSheet();
  await newAsset.open(['/data/tiles']);
  tell({ round: 1, seen: seenFacts, footprints: footprintsNamed('a', 4_000), density: null });
  tell({ round: 1, seen: seenFacts, footprints: footprintsNamed('b', 4_000), density: null });
  tell({ round: 1, seen: seenFacts, footprints: footprintsNamed('c', 0), density: { size: 1, cells: [] } });
  expect(newAsset.droppedSource.view).toMatchObject({ source: { density: { size: 1 } } });
  expect(newAsset.files.placedKeys.size).toBe(maxFootprints);
  expect(newAsset.files.placedKeys.has('a0')).toBe(true);
});

it('NewAssetState keeps a finding hidden when its values change', async () => {
  const { newAsset, tell } = openSheet();
  await newAsset.open(['/data/tiles']);
  const foundKeys = (system: string) => {
    const values = { system, area: '' };
    const findings = [{ id: 'outside-area' as const, values, count: 1, looked: 9, total: 9, keys: ['a'] }];
    tell({ round: 1, seen: { ...seenFacts, findings }, footprints: footprintsNamed('a', 0), density: null });
    return newAsset.files.shownOf(null).map(({ finding }) => finding);
  };
  expect(foundKeys('EPSG:25832')).toEqual(['outside-area']);
  newAsset.files.hide('outside-area', null);
  expect(foundKeys('EPSG:25832')).toEqual([]);
  expect(foundKeys('EPSG:25833')).toEqual([]);
  expect(newAsset.files.findings).toHaveLength(1);
  newAsset.form.takeWayOut(newAsset.files.findings[0]?.id ?? '', { kind: 'leave-out' });
  expect(foundKeys('EPSG:25833')).toEqual(['outside-area']);
  newAsset.form.undoDecision(newAsset.files.findings[0]?.id ?? '');
  expect(foundKeys('EPSG:25833')).toEqual([]);
  newAsset.files.showHidden();
  expect(foundKeys('EPSG:25833')).toEqual(['outside-area']);
});

it('NewAssetState shows findings of the first files until the scan ends', async () => {
  const listeners = new Map<string, (view: unknown) => void>();
  const answer = Promise.withResolvers<unknown>();
  const newAsset = new NewAssetState({
    call: () => answer.promise,
    on: (name: string, listener: (view: unknown) => void) => listeners.set(name, listener),
  } as unknown as Api);
  const openPromise = newAsset.open(['/data/tiles']);
  const walkedView = { round: 1, fileCount: 48_000, seen: seenFacts, footprints: [] };
  listeners.get('source.walked')?.({ ...walkedView, round: 0 });
  expect(newAsset.droppedSource.view).toMatchObject({ kind: 'inspecting', walked: null });
  listeners.get('source.walked')?.(walkedView);
  expect(newAsset.droppedSource.view).toMatchObject({ kind: 'inspecting', walked: walkedView });
  answer.resolve(placedSource);
  await openPromise;
  listeners.get('source.walked')?.(walkedView);
  expect(newAsset.droppedSource.view).toMatchObject({ kind: 'found', source: { seen: placedSource.seen } });
});

it('NewAssetState forgets the selected file with its source', async () => {
  const { newAsset } = openSheet();
  await newAsset.open(['/data/tiles']);
  newAsset.files.chosenKey = 'a0';
  expect(newAsset.files.chosenKey).toBe('a0');
  await newAsset.open(['/data/others']);
  expect(newAsset.files.chosenKey).toBeNull();
});

it.each([
  {
    fix: { kind: 'position', longitude: 9.5, latitude: 52.25, height: 0 },
    id: 'local-coordinates',
    sourceType: '3D_MODEL',
    options: { longitude: '9.5', latitude: '52.25', height: '0' },
    title: 'Position entered',
    labels: ['Use as position'],
  },
  {
    fix: { kind: 'tileset-root', key: 'scene.json' },
    id: 'tileset-name',
    sourceType: '3DTILES',
    options: { tilesetJson: 'scene.json' },
    title: 'Tileset root entered',
    labels: ['Start with scene.json'],
  },
  {
    fix: { kind: 'option', option: 'heightReference' },
    id: 'no-vertical',
    sourceType: 'RASTER_TERRAIN',
    options: { heightReference: 'MEAN_SEA_LEVEL' },
    title: 'Heights above: Mean sea level',
    labels: ['Mean sea level', 'WGS84 ellipsoid'],
  },
] as const)('NewAssetState fills in the option that solves $id, which Undo removes', async (solution) => {
  const { newAsset, tell } = openSheet();
  await newAsset.open(['/data/tiles']);
  const { fix, id, sourceType, options, title, labels } = solution;
  const findings = [
    { id, values: { system: 'x', names: 'scene.json' }, count: 1, looked: 9, total: 9, keys: ['a'], fix },
  ];
  newAsset.form.change({ assetType: sourceType === 'RASTER_TERRAIN' ? 'TERRAIN' : '3DTILES', sourceType });
  tell({ round: 1, seen: { ...seenFacts, findings }, footprints: footprintsNamed('a', 0), density: null });
  const [words] = newAsset.files.findings;
  expect(words?.ways.map(({ label }) => label)).toEqual(labels);
  newAsset.form.takeWayOut(words?.id ?? '', words?.ways[0]?.way as Decision);
  expect(newAsset.form.draft?.options).toMatchObject(options);
  if (id === 'no-vertical') expect(requestOf(newAsset)).toEqual({ options });
  expect(newAsset.files.findings[0]?.decided?.title).toBe(title);
  newAsset.form.undoDecision(words?.id ?? '');
  const emptied = Object.fromEntries(Object.keys(options).map((name) => [name, '']));
  expect(newAsset.form.draft?.options).toMatchObject(emptied);
});

it('NewAssetState offers a height reference only for kinds of data with that option', async () => {
  const { newAsset, tell } = openSheet();
  await newAsset.open(['/data/tiles']);
  const fix = { kind: 'option', option: 'heightReference' } as const;
  const findings = [{ id: 'no-vertical' as const, count: 1, looked: 9, total: 9, keys: ['a'], fix }];
  newAsset.form.change({ assetType: '3DTILES', sourceType: 'POINT_CLOUD' });
  tell({ round: 1, seen: { ...seenFacts, findings }, footprints: footprintsNamed('a', 0), density: null });
  expect(newAsset.files.findings.map(({ ways: fixWays }) => fixWays)).toEqual([[]]);
});

it('NewAssetState reports an impossible decision, reverts it and forgets it with the next one', async () => {
  const requests: unknown[] = [];
  let isRefused = true;
  const error = { code: 'system-file-exists', subject: 'a.tif.aux.xml', retryable: false };
  let listener: (view: SourceSeenView) => void = () => {};
  const newAsset = new NewAssetState({
    call: async (name: string, input: unknown) => {
      if (name !== 'jobs.check') return { ...placedSource, suggestion: null };
      requests.push(input);
      if (isRefused) throw new ApiError(error as never);
    },
    on: (name: string, heard: typeof listener) => {
      if (name === 'source.seen') listener = heard;
    },
  } as unknown as Api);
  await newAsset.open(['/data/tiles']);
  newAsset.form.change({ name: '', assetType: 'TERRAIN', sourceType: 'RASTER_TERRAIN' });
  const fix = { kind: 'assign', epsg: 25832 } as const;
  const findings = [{ id: 'no-system-raster' as const, count: 1, looked: 9, total: 9, keys: ['a.tif'], fix }];
  listener({ round: 1, seen: { ...seenFacts, findings }, footprints: packFootprints([]), density: null });
  const id = newAsset.files.findings[0]?.id ?? '';
  newAsset.form.takeWayOut(id, fix);
  await expect.poll(() => newAsset.form.refusals.get(id)).toMatchObject({ code: 'system-file-exists' });
  expect(requests).toEqual([
    expect.objectContaining({
      changes: { leftOut: [], assigned: [{ epsg: 25832, files: { keys: ['a.tif'] } }] },
    }),
  ]);
  expect(newAsset.form.draft?.decisions).toEqual({});
  isRefused = false;
  newAsset.form.takeWayOut(id, { kind: 'leave-out' });
  expect(newAsset.form.refusals.size).toBe(0);
  await expect.poll(() => requests.length).toBe(2);
  expect(newAsset.form.draft?.decisions).toEqual({ [id]: { kind: 'leave-out' } });
  expect(newAsset.form.refusals.size).toBe(0);
});

it('NewAssetState places files by an assigned or considered system before the upload', async () => {
  const askedInputs: unknown[] = [];
  const ring = manyTilesSource.footprints[0]?.ring ?? [];
  const finding = {
    id: 'no-system-raster',
    count: 2,
    looked: 2,
    total: 2,
    keys: ['a.tif', 'b.tif'],
  } as const;
  const source = { ...placedSource, findings: [{ ...finding, fix: { kind: 'assign', epsg: 25832 } }] };
  const { newAsset } = openSheet((name, input) => {
    if (name !== 'source.placeAs') return source;
    askedInputs.push(input);
    return { footprints: packFootprints([{ key: 'a.tif', ring }]), unplaced: 1 };
  });
  await newAsset.open(['/data/tiles']);
  const [words] = newAsset.files.findings;
  const id = words?.id ?? '';
  newAsset.places.compare({ id, group: null }, [25832, 25833]);
  await newAsset.places.load();
  const placedFiles = () => newAsset.places.placed.map(({ label, isCandidate }) => [label, isCandidate]);
  expect(placedFiles()).toEqual([
    ['EPSG:25832', true],
    ['EPSG:25833', true],
  ]);
  newAsset.places.compare({ id, group: null }, []);
  newAsset.form.takeWayOut(id, { kind: 'assign', epsg: 25832 });
  await newAsset.places.load();
  expect(placedFiles()).toEqual([['EPSG:25832', false]]);
  expect(newAsset.places.unplacedOf(id, null)).toBe(1);
  const files = { keys: ['a.tif', 'b.tif'] };
  expect(askedInputs).toEqual([25832, 25833].map((system) => ({ system, files })));
  newAsset.form.undoDecision(id);
  expect([placedFiles(), newAsset.places.unplacedOf(id, null)]).toEqual([[], 0]);
});
