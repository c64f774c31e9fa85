import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scanSource } from '../../../../main/files/walk/scan.ts';
import { scanRule } from '../../../../main/watch/scan/scan-rule.ts';
import { createWatchedFolder, type WatchedFolder } from '../watched-folder.ts';

let folder: WatchedFolder;
beforeEach(async () => {
  folder = await createWatchedFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

/** Files that programs and systems leave next to data, with their real names. */
const leftovers = [
  ...['._a.tif', '.DS_Store', 'Thumbs.db', 'desktop.ini', '.directory', '.fuse_hidden0000a1b200000001'],
  ...['a.tif.crdownload', 'a.tif.download', 'a.tif.opdownload', 'a.tif.partial', 'a.tif.part'],
  ...['.a.tif.Xy3kQ9', '.envi.aB3xYz', 'a.tif.filepart', '.in.a.tif.', 'a.tif.lftp-pget-status'],
  ...['a.tif~', '.a.tif.swp', '#a.tif#', '.#a.tif', '~$a.docx', '.~lock.a.ods#'],
  ...['a.tif.HOST.1234.5678.sr.lock', 'a.gpkg-wal', 'a.gpkg-shm', 'a.gpkg-journal', 'a.tif._COPYING_'],
  ...['a.tif.upload', 'a.tif.uploading', 'a.tif.incomplete', 'a.tif.temp', 'a.tif.writing', 'a.tif.bts'],
  ...['.upload.a.tif', '.uploading-a.tif', '.incomplete_a.tif', '.temp.a.tif', '.writing.a.tif'],
];

/** Folders of file servers and systems. */
const foreignFolders = [
  ...[
    '@eaDir',
    '#recycle',
    '#snapshot',
    '.snapshot',
    '~snapshot',
    '.stversions',
    '.stfolder',
    '$RECYCLE.BIN',
  ],
  ...['System Volume Information', '.Trash-1000', '.Trashes', '.Spotlight-V100', '.fseventsd', 'lost+found'],
  ...['__MACOSX', '@Recycle', '.@__thumb', '.~tmp~', '.rsync-partial', 'a.tif.cyberducksegment'],
];

describe('scanning leftovers of programs and systems', () => {
  it('creates no source from leftovers of programs and waits for none', async () => {
    await folder.put('a.tif', ...leftovers, ...foreignFolders.map((name) => `${name}/a.tif`));
    const { sources } = await scanRule(folder.rule());
    expect(sources.map(({ path, files }) => [path, files.length])).toEqual([['a.tif', 1]]);
  });

  it('excludes leftovers of programs from a delivery at any depth', async () => {
    await folder.put(
      'flight/deep/a.tif',
      ...[...leftovers, ...foreignFolders.map((name) => `${name}/a.tif`)].map(
        (name) => `flight/deep/${name}`,
      ),
    );
    const [source] = (await scanRule(folder.rule())).sources;
    expect(source?.files.map(({ key }) => key)).toEqual(['deep/a.tif']);
  });

  it('matches no leftovers of programs with the patterns of a rule', async () => {
    await folder.put('a.tif', '@eaDir/b.tif', '#recycle/old/c.tif', '._a.tif', '.snapshot/hourly.0/a.tif');
    const rule = folder.rule({ unit: { kind: 'files', patterns: ['*.tif'] } });
    expect((await scanRule(rule)).sources.map(({ path }) => path)).toEqual(['a.tif']);
  });

  it('excludes leftovers of programs from a dropped folder too, and lists them', async () => {
    await folder.put('flight/a.tif', ...leftovers.map((name) => `flight/${name}`), 'flight/@eaDir/a.tif');
    const { files, ignored } = await scanSource([join(folder.path, 'flight')]);
    expect(Array.from(files, ({ key }) => key)).toEqual(['a.tif']);
    expect(ignored).toHaveLength(leftovers.length + 1);
  });
});

it('keeps data with names that look like leftovers', async () => {
  const data = [
    ...['.hidden.tif', 'download.tif', 'part.las', 'lock.tif', 'flight-wal.tif', 'a.partial.tif', 'swp.tif'],
    ...['recycle/a.tif', 'snapshot/a.tif', 'eaDir/a.tif', 'MACOSX/a.tif', 'a.part1.rar', 'tmp/a.tif'],
  ];
  await folder.put(...data.map((name) => `flight/${name}`));
  const [source] = (await scanRule(folder.rule())).sources;
  expect(source?.files.map(({ key }) => key)).toEqual([...data].sort());
});

it.each([
  ['entries', { kind: 'entries' }, ['a.tif', 'flight']],
  ['files', { kind: 'files', patterns: ['*.tif'] }, ['a.tif', 'flight/b.tif']],
  ['folders', { kind: 'folders', depth: 1, patterns: [] }, ['flight']],
] as const)('creates no source from a hidden entry under the unit %s', async (_kind, unit, paths) => {
  await folder.put('a.tif', '.mounted', '.hidden.tif', '.cache/c.tif', 'flight/b.tif', 'flight/.hidden.tif');
  const { sources } = await scanRule(folder.rule({ unit }), { isMeant: () => false });
  expect(sources.map(({ path }) => path)).toEqual(paths);
});

it('creates no batch from hidden files alone', async () => {
  await folder.put('.mounted');
  const rule = folder.rule({ unit: { kind: 'batch' } });
  expect((await scanRule(rule, { isMeant: () => false })).sources).toEqual([]);
});
