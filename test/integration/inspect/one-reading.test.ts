import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { scanSource } from '../../../main/files/walk/scan.ts';
import type { HeaderScanProgress } from '../../../main/inspect/header-scan/header-scan.ts';
import { createInspectionHandler } from '../../../main/inspect/headers/inspection-tasks.ts';
import { decisionMs } from '../../../main/inspect/headers/look-inside.ts';
import { createSession } from '../../../main/inspect/session/session.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { archiveOf } from '../../unit/inspect/formats/archive-files.ts';
import { png } from '../../unit/inspect/formats/sample-files.ts';
import {
  cityModel,
  jpegFile,
  lasFile,
  projectedKeys,
  tiffFile,
} from '../../unit/inspect/formats/sample-heads.ts';
import { writeFiles } from '../../write-files.ts';

const openedPaths = vi.hoisted(() => [] as string[]);
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const openSync = (path: string, flags: number) => {
    openedPaths.push(path);
    return fs.openSync(path, flags);
  };
  return { ...fs, openSync };
});
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  const open = (path: string, flags: number) => {
    openedPaths.push(path);
    return fs.open(path, flags);
  };
  return { ...fs, open };
});
// Reads in this thread, where the test counts opened files.
vi.mock('../../../main/files/call-thread.ts', () => ({
  createCallThread: () => {
    const { look: readHeader } = createInspectionHandler();
    return {
      ask: (_name: string, task: Parameters<typeof readHeader>[0]) => readHeader(task),
      close: () => {},
    };
  },
}));

const tif = tiffFile({ bands: 3, geoKeys: projectedKeys(25832) });
const data = {
  'a.tif': tif,
  'a.tif.aux.xml': '<PAMDataset></PAMDataset>',
  'b.tif': tif,
  'c.laz': lasFile({ compressed: true, geoKeys: projectedKeys(25832) }),
  'd.gml': cityModel(),
  'e.jpg': jpegFile([47.5, 8.5]),
  'f.zip': archiveOf({ 'a.tif': tif, 'b.tif': tif }),
  'g.zip': archiveOf({ 'a.gml': cityModel() }),
  'h.3tz': archiveOf({ 'tileset.json': '{}' }),
  'i.kml': '<kml/>',
  'j.img': 'EHFA',
  'k/k.obj': 'mtllib k.mtl\nv 0 0 0\n',
  'k/k.mtl': 'map_Kd k.png\n',
  'k/k.png': png,
};
/** Grouping needs all their references first, far more bytes than a header. */
const models = ['k/k.obj', 'k/k.mtl'];
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  await writeFiles(folder, data);
  openedPaths.length = 0;
});

const { signal } = new AbortController();
const context = { signal, notify: () => {} };

it.each([
  [
    'the sheet',
    async () => {
      const session = createSession();
      const { pieces } = await session.show({ paths: [folder], longestMs: decisionMs }, context);
      await session.scanHeaders([{ group: 0, pieces: [...pieces.keys()] }], context);
    },
    [],
  ],
  [
    'a command',
    async () => {
      const session = createSession();
      await session.decide({ paths: [folder] });
      await session.scanDecided('all', context);
    },
    [],
  ],
  [
    'a watched folder',
    async () => {
      const session = createSession();
      session.give({ id: 1, folder, files: [...(await scanSource([folder])).files] });
      await session.inspectCompleteness(1);
      await session.propose({ id: 1, paths: [folder] });
      await session.scanGiven(1, context);
    },
    // Also checks whether the sidecar is complete.
    ['a.tif.aux.xml'],
  ],
])('opens each file once, and models twice, in %s', async (_, inspect, again) => {
  await inspect();
  const names = openedPaths
    .filter((path) => path.startsWith(folder))
    .map((path) => path.slice(folder.length + 1));
  expect(names.toSorted()).toEqual([...Object.keys(data), ...models, ...again].toSorted());
});

it('opens only files again that may be unfilled while a delivery settles', async () => {
  const session = createSession();
  session.give({ id: 1, folder, files: [...(await scanSource([folder])).files] });
  await session.inspectCompleteness(1);
  openedPaths.length = 0;
  await session.inspectCompleteness(1);
  expect(openedPaths.toSorted()).toEqual(['c.laz', 'e.jpg', 'j.img'].map((name) => join(folder, name)));
});

it('finds the control file of a download also for a file that decides the kind', async () => {
  await writeFiles(folder, { 'd.gml.aria2': 'x' });
  const session = createSession();
  const { pieces } = await session.show({ paths: [folder] }, context);
  const ids = new Set<string>();
  const notify = ({ seen: facts }: HeaderScanProgress) => {
    for (const { id } of facts.findings) ids.add(id);
  };
  await session.scanHeaders([{ group: 0, pieces: [...pieces.keys()] }], { signal, notify });
  expect(ids).toContain('unfinished-download');
});
