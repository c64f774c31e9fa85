import { basename } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inspectSource } from '../../../../main/inspect/inspect-source.ts';
import { guessOf } from '../../../../main/inspect/session/guess.ts';
import { type ShownSource, shownSource } from '../../../../main/inspect/session/requested-part.ts';
import { restorePieces } from '../../../../main/inspect/session/restore-pieces.ts';
import { sourceView } from '../../../../main/ipc/views/source-view.ts';
import type { Calls, LastChoice } from '../../../../preload/contract.ts';
import { type Api, ApiError } from '../../../../renderer/api.ts';
import {
  bringBack,
  leaveOutAsset,
  mergeAssets,
  piecesLeftOut,
  separateAsset,
} from '../../../../renderer/state/new-asset/draft/proposal.ts';
import { NewAssetState } from '../../../../renderer/state/new-asset/new-asset.svelte.ts';

/** The content of each path; a name with an extension is a file. */
const drops: Readonly<Record<string, readonly string[]>> = {
  '/data/Flight': ['a.tif', 'b.tif', 'c.tif', 'scan.las', 'notes.docx', 'film.mp4'],
  '/data/Second': ['d.tif', 'scan2.laz'],
  '/data/City': ['lod2.gml', 'lod1.gml'],
  '/data/e.tif': ['e.tif'],
  '/data/f.tif': ['f.tif'],
  '/data/church.obj': ['church.obj'],
  '/data/Odd': ['x.odd', 'y.odd'],
};

async function inspect(paths: readonly string[]) {
  const files = paths.flatMap((path) =>
    (drops[path] ?? []).map((name, at) => {
      const isFile = basename(path) === name;
      const parentName = isFile ? name : paths.length > 1 ? `${basename(path)}/${name}` : name;
      return { key: parentName, path: isFile ? path : `${path}/${name}`, size: 100 + at, mtimeMs: 1 };
    }),
  );
  const scan = { files, bytes: files.reduce((sum, { size }) => sum + size, 0), ignored: [] };
  return inspectSource(paths, { scan: async () => scan, inspectFirstFiles: async () => new Map() });
}

const webp: LastChoice = {
  ...{ assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY', clampToTerrain: false, baseTerrainId: null },
  options: '{"quality":"high"}',
};

/** A sheet with the main process's real proposals. `lastTime`: options were chosen for such data before. */
function sheet({ lastTime = false } = {}) {
  let shown: ShownSource | null = null;
  let previous: ShownSource | null = null;
  const requests: Calls['source.inspect']['input'][] = [];
  const gates: (() => void)[] = [];
  let [isHeld, created, mostCreated] = [false, 0, Number.POSITIVE_INFINITY];
  const call = async (name: string, input: Calls['source.inspect']['input']) => {
    if (name === 'jobs.create') created += 1;
    if (name === 'jobs.create' && created > mostCreated)
      throw new ApiError({ code: 'journal-full', retryable: true });
    if (name === 'source.regroup') return [];
    if (name !== 'source.inspect') return;
    requests.push(input);
    previous = input.included ? (shown ?? previous) : null;
    shown = null;
    if (isHeld) await new Promise<void>((go) => gates.push(go));
    const inspectedSource = await inspect(input.paths);
    const restoredPieces = restorePieces(inspectedSource, previous, input.included ?? []);
    const source = { ...inspectedSource, allPieces: restoredPieces.pieces };
    shown = shownSource(source);
    const guess = guessOf(source, (groups) => groups);
    const view = sourceView(guess, { forecast: () => null, recall: () => (lastTime ? webp : null) });
    return { ...view, ...(input.included && { piecesAgain: restoredPieces.places }) };
  };
  const newAsset = new NewAssetState({ call, on: () => {} } as unknown as Api);
  return {
    newAsset,
    requests,
    hold: () => {
      isHeld = true;
    },
    refuseCreation: (afterCount: number) => {
      mostCreated = afterCount;
    },
    letGo: () => {
      isHeld = false;
      for (const go of gates.splice(0)) go();
    },
  };
}

const source = ({ droppedSource }: NewAssetState) => {
  if (!droppedSource.source) throw new Error(`the sheet is ${droppedSource.view.kind}`);
  return droppedSource.source;
};
const draftOf = ({ form }: NewAssetState) => {
  if (!form.draft) throw new Error('there is no draft');
  return form.draft;
};
const keysOf = (newAsset: NewAssetState, pieces: readonly number[]) =>
  pieces
    .flatMap((at) => source(newAsset).pieces[at]?.names ?? [])
    .map((key) => basename(key))
    .sort()
    .join(' ');
/** `Flight: a.tif b.tif`, for each asset. */
const assets = (newAsset: NewAssetState) =>
  draftOf(newAsset).separate.map(({ name, pieces }) => `${name}: ${keysOf(newAsset, pieces)}`);

it('an asset whose kind the user named stays after further drops', async () => {
  const { newAsset } = sheet();
  await newAsset.open(['/data/Odd']);
  newAsset.form.change({ assetType: '3DTILES', sourceType: '3D_MODEL' });
  await newAsset.add(['/data/City']);
  expect(
    draftOf(newAsset).separate.map(({ sourceType, source: { fileCount } }) => [sourceType, fileCount]),
  ).toEqual([
    ['3D_MODEL', 2],
    ['CITYGML', 2],
  ]);
  await newAsset.add(['/data/Second']);
  expect(draftOf(newAsset).separate[0]).toMatchObject({ sourceType: '3D_MODEL', source: { fileCount: 2 } });
});

it('unedited assets follow the proposal', async () => {
  const [{ newAsset }, { newAsset: plain }] = [sheet(), sheet()];
  await newAsset.open(['/data/Flight']);
  await newAsset.add(['/data/e.tif']);
  await plain.open(['/data/Flight', '/data/e.tif']);
  expect(assets(newAsset)).toEqual(assets(plain));
  expect(newAsset.form.isTyped).toBe(false);
});

it('a drop during an inspection is added as well', async () => {
  const { newAsset, requests, hold: holdAnswers, letGo } = sheet();
  holdAnswers();
  const openPromise = newAsset.open(['/data/Flight']);
  const firstDrop = newAsset.add(['/data/City']);
  letGo();
  await Promise.all([openPromise, firstDrop]);
  expect(requests.at(-1)?.paths).toEqual(['/data/Flight', '/data/City']);
  holdAnswers();
  const adding = [newAsset.add(['/data/e.tif']), newAsset.add(['/data/f.tif'])];
  letGo();
  await Promise.all(adding);
  expect(requests.at(-1)?.paths).toEqual(['/data/Flight', '/data/City', '/data/e.tif', '/data/f.tif']);
  expect([source(newAsset).paths.length, newAsset.adding]).toEqual([4, false]);
});

it('an asset being created is neither proposed nor left out again', async () => {
  const { newAsset, refuseCreation } = sheet();
  await newAsset.open(['/data/Flight']);
  refuseCreation(1);
  expect(await newAsset.submit()).toBe(false);
  const leftFiles = () => [
    ...assets(newAsset),
    ...piecesLeftOut(source(newAsset), draftOf(newAsset)).map((at) => keysOf(newAsset, [at])),
  ];
  expect(leftFiles().join()).not.toMatch(/\.tif/);
  await newAsset.add(['/data/City']);
  expect(leftFiles().join()).not.toMatch(/\.tif/);
  expect(leftFiles().join()).toMatch(/scan\.las.*lod1\.gml/);
});

it('a rejected last choice stays rejected after further drops', async () => {
  const { newAsset } = sheet({ lastTime: true });
  await newAsset.open(['/data/e.tif']);
  expect(newAsset.form.lastChoiceText).not.toBeNull();
  newAsset.form.forgetLastTime();
  await newAsset.add(['/data/f.tif']);
  expect([newAsset.form.lastChoiceText, draftOf(newAsset).furtherOptions]).toEqual([null, '']);
});

/** Manual changes: separate, merge, exclude, include and name. */
const move = fc.tuple(fc.nat(4), fc.nat(5), fc.nat(5));
const dropName = fc.constantFrom(...Object.keys(drops).filter((path) => path !== '/data/Odd'));

it('each piece has one place after further drops, and manual assets remain', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(move, { maxLength: 6 }),
      fc.array(dropName, { minLength: 1, maxLength: 3 }),
      async (moves, furtherDrops) => {
        const { newAsset } = sheet();
        await newAsset.open(['/data/Flight', '/data/church.obj']);
        for (const [kind, a, b] of moves) {
          const draftNow = draftOf(newAsset);
          const [at, otherIndex] = [a % draftNow.separate.length, b % draftNow.separate.length];
          if (kind === 0) newAsset.form.move(separateAsset(draftNow, at, source(newAsset)));
          else if (kind === 1) newAsset.form.move(mergeAssets(draftNow, at, otherIndex, source(newAsset)));
          else if (kind === 2) newAsset.form.move(leaveOutAsset(draftNow, at));
          else if (kind === 3) newAsset.form.move(bringBack(draftNow, b));
          else newAsset.form.changeSeparate(at, { name: `Mine ${a}` });
        }
        const shape = (list: 'separate' | 'removed') =>
          draftOf(newAsset)[list].map(({ name, pieces }) => ({
            name,
            keys: keysOf(newAsset, pieces).split(' '),
          }));
        const [separate, removedAssets, byHand] = [
          shape('separate'),
          shape('removed'),
          newAsset.form.isTyped,
        ];
        for (const path of furtherDrops) await newAsset.add([path]);
        const now = draftOf(newAsset);
        const places = [...now.separate, ...now.removed].flatMap(({ pieces }) => pieces);
        expect([...places, ...piecesLeftOut(source(newAsset), now)].sort((a, b) => a - b)).toEqual(
          source(newAsset).pieces.map((_one, at) => at),
        );
        expect(now.separate.every(({ pieces }) => pieces.length > 0)).toBe(true);
        if (!byHand) return;
        expect(shape('removed')).toEqual(removedAssets);
        // Separated assets keep their pieces.
        const shapeAfter = shape('separate');
        const homes = separate.map(({ keys }) =>
          shapeAfter.findIndex((candidate) => keys.every((key) => candidate.keys.includes(key))),
        );
        expect(homes.every((home) => home >= 0)).toBe(true);
        expect(homes).toEqual(homes.toSorted((a, b) => a - b));
        expect(new Set(homes).size).toBe(separate.length);
        for (const [at, { name }] of separate.entries())
          if (name.startsWith('Mine')) expect(shapeAfter[homes[at] ?? 0]?.name).toBe(name);
      },
    ),
    { numRuns: 150 },
  ));
