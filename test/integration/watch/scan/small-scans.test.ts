import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as Walker from '../../../../main/files/walk/scan-workers.ts';
import { createInspectionThread } from '../../../../main/inspect/headers/inspection-thread.ts';
import { createReferences } from '../../../../main/inspect/together/references.ts';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { type RuleScanOptions, scanAround, scanRule } from '../../../../main/watch/scan/scan-rule.ts';
import { createWatchedFolder } from '../watched-folder.ts';

/** Counts the folders and files that a scan reads from disk. */
const reads = vi.hoisted(() => ({ folders: 0, files: 0 }));

vi.mock('../../../../main/files/walk/scan-workers.ts', async (original) => {
  const walker = await original<typeof Walker>();
  const walkFolders: typeof Walker.walkFolders = (roots, options) =>
    walker.walkFolders(roots, {
      ...options,
      onContent: (content) => {
        const { path, isPartial, unreadable } = content;
        if (!isPartial && unreadable.every((one) => one.path !== path)) reads.folders += 1;
        reads.files += content.files.sizes.length;
        options.onContent(content);
      },
    });
  return { ...walker, walkFolders };
});

let folder: Awaited<ReturnType<typeof createWatchedFolder>>;
const thread = createInspectionThread();

beforeEach(async () => {
  folder = await createWatchedFolder();
});
afterEach(async () => {
  thread.close();
  await folder[Symbol.asyncDispose]();
});

const filesRule = () => folder.rule({ unit: { kind: 'files', patterns: ['*.tif', '*.obj'] } });

/** Scans everything, then returns what a scan around these places finds and reads. */
async function lookAround(rule: WatchRule, places: readonly string[], after: () => Promise<unknown>) {
  const options: RuleScanOptions = { references: createReferences(thread, 'watched'), gathered: new Map() };
  await scanRule(rule, options);
  await after();
  Object.assign(reads, { folders: 0, files: 0 });
  const paths = places.map((place) => join(folder.path, place));
  const { sources } = await scanAround(rule, paths, options);
  return { ...reads, sources: sources.map(({ path }) => path) };
}

it('reads only the files of the changed source among many', async () => {
  await folder.put(...Array.from({ length: 1_500 }, (_, index) => `${index}.tif`), '7.tfw', 'deep/1.tif');
  const seven = { folders: 1, files: 2, sources: ['7.tif'] };
  const change = () => folder.put('7.tif');
  expect(await lookAround(filesRule(), ['7.tif'], change)).toEqual(seven);
  expect(await lookAround(folder.rule(), ['7.tif'], change)).toEqual(seven);
});

it('reads the folder around several changes once', async () => {
  await folder.put('1.tif', '2.tif', '3.tif', '4.tif');
  const change = () => folder.put('1.tif', '2.tif', '3.tif');
  for (const rule of [filesRule(), folder.rule()])
    expect(await lookAround(rule, ['1.tif', '2.tif', '3.tif'], change)).toEqual({
      folders: 1,
      files: 3,
      sources: ['1.tif', '2.tif', '3.tif'],
    });
});

it('reads no models that a change doesn’t concern', async () => {
  const count = 40;
  for (let index = 0; index < count; index++) {
    await folder.write(`m${index}.obj`, `mtllib textures${index}/a.mtl\n`);
    await folder.write(`textures${index}/a.mtl`, 'map_Kd a.jpg\n');
  }
  const change = () => folder.put('new.tif');
  const { folders, files, sources } = await lookAround(folder.rule(), ['new.tif'], change);
  expect(sources).toEqual(['new.tif']);
  expect([folders, files]).toEqual([1, 1]);
});

it('finds a model by the files that it has referenced or references now', async () => {
  await folder.write('m.obj', 'mtllib m.mtl\n');
  await folder.write('m.mtl', 'map_Kd late.jpg\n');
  await folder.putData('other.jpg');
  const late = () => folder.putData('late.jpg');
  expect((await lookAround(folder.rule(), ['late.jpg'], late)).sources).toEqual(['m.obj']);
  const other = () => folder.write('m.mtl', 'map_Kd other.jpg\n');
  expect((await lookAround(folder.rule(), ['m.mtl'], other)).sources).toEqual(['m.obj']);
  expect((await lookAround(folder.rule(), ['late.jpg'], async () => {})).sources).toEqual(['late.jpg']);
});

it('reads a file among more models than it checks one by one', async () => {
  await folder.put(...Array.from({ length: 1_100 }, (_, index) => `${index}.obj`));
  const references = { read: async () => [], hasContent: async () => true, readBeginning: async () => null };
  const { sources, unreadable } = await scanAround(folder.rule(), [join(folder.path, '7.obj')], {
    references,
  });
  expect({ sources: sources.map(({ path }) => path), unreadable }).toEqual({
    sources: ['7.obj'],
    unreadable: [],
  });
});
