import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createInspectionThread } from '../../../main/inspect/headers/inspection-thread.ts';
import { guessMs, inspectFirstFiles } from '../../../main/inspect/headers/look-inside.ts';
import { type Clock, systemClock } from '../../../main/ports.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { cityModel, lasFile, projectedKeys, tiffFile } from '../../unit/inspect/formats/sample-heads.ts';
import { writeFiles } from '../../write-files.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
});

const thread = createInspectionThread();
afterAll(() => thread.close());

/** Half a second of test time, which never passes because the machine may be slow. */
const patientClock: Clock = { ...systemClock, sleep: () => new Promise(() => {}) };

async function fillFolder(files: Readonly<Record<string, string | Buffer>>) {
  await writeFiles(folder, files);
  return Object.keys(files).map((key) => ({ key, path: join(folder, key), size: 1, mtimeMs: 0 }));
}

it('the header inspection reads headers, and directories behind the pixels', async () => {
  const files = await fillFolder({
    'a.gml': cityModel(),
    'b.tif': tiffFile({ directoryAt: 3_000_000, geoKeys: projectedKeys(25832) }),
    'c.las': lasFile({ wkt: 'GEOGCS["WGS 84"]', behind: 200_000 }),
    'notes.txt': 'nothing',
  });
  const results = await inspectFirstFiles([files], files, patientClock, thread.ask, guessMs);
  expect(
    [...results.values()].map(({ key, head }) => [key, head && 'system' in head && head.system]),
  ).toEqual([
    ['a.gml', 'EPSG:25832'],
    ['c.las', 'WGS 84'],
    ['b.tif', 'EPSG:25832'],
  ]);
});

it('the header inspection treats missing files, empty files and folders as unreadable', async () => {
  const files = await fillFolder({ 'empty.tif': '', 'x/y.tif': 'II' });
  const goneFile = { key: 'gone.tif', path: join(folder, 'gone.tif'), size: 1, mtimeMs: 0 };
  const oddFile = { key: 'odd.tif', path: join(folder, 'x'), size: 1, mtimeMs: 0 };
  const allFiles = [...files, goneFile, oddFile];
  const results = await inspectFirstFiles([allFiles], allFiles, patientClock, thread.ask, guessMs);
  expect([...results.values()].map(({ head }) => head)).toEqual([null, null, null, null]);
});

it('the header inspection reads the same files in any listing order', async () => {
  const names = Array.from({ length: 41 }, (_, at) => `${at}.gml`);
  const files = await fillFolder(Object.fromEntries(names.map((name) => [name, cityModel()])));
  const chosenKeys = async (listedFiles: typeof files) =>
    [
      ...(await inspectFirstFiles([listedFiles], listedFiles, patientClock, thread.ask, guessMs)).keys(),
    ].toSorted();
  expect(await chosenKeys(files.toReversed())).toEqual(await chosenKeys(files));
});

it('the header inspection returns partial results when its time is over', async () => {
  const files = await fillFolder({ 'a.gml': cityModel() });
  const expiredClock: Clock = { ...systemClock, sleep: async () => {} };
  expect((await inspectFirstFiles([files], files, expiredClock, thread.ask, guessMs)).size).toBe(0);
});
