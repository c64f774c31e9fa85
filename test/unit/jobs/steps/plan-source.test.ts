import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../../main/files/fingerprint.ts';
import type { SourceFile } from '../../../../main/files/model.ts';
import type { ChosenChanges } from '../../../../main/inspect/changes/chosen-changes.ts';
import { openJournal } from '../../../../main/jobs/journal/journal.ts';
import type { Journal } from '../../../../main/jobs/journal/journal-model.ts';
import type { EventData, LiveJob } from '../../../../main/jobs/steps/live-job.ts';
import { planSource } from '../../../../main/jobs/steps/plan-source.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { jobRecord } from '../job-record.ts';

/** Files of the source and of a journal page. */
const [count, page] = [4_000, 500];
const running = new AbortController().signal;

let folder: string;
let journal: Journal;
beforeEach(() => {
  folder = temporaryFolder();
  journal = openJournal(join(folder, 'journal.db'));
  happened = [];
});
afterEach(() => {
  journal.close();
});

const record = jobRecord('a', { createdAt: 7 });
let happened: EventData[];
function jobWith(changes?: Partial<ChosenChanges>): LiveJob {
  journal.addJob({ ...record, ...(changes && { changes: { leftOut: [], assigned: [], ...changes } }) });
  const apply = (eventData: EventData) => void happened.push(eventData);
  return { id: 'a', record, apply } as unknown as LiveJob;
}

const fileOf = (key: string): SourceFile => ({ path: `/data/${key}`, key, size: 1_000, mtimeMs: 1.5 });
const source = Array.from({ length: count }, (_, index) => fileOf(`flight-${index % 4}/${index}.tif`));
const pathsOf = (files: readonly SourceFile[]) => files.map(({ path }) => path);

/** A scan that finds these, a few at a time, and counts the most files held in memory. */
function watchedScan(
  foundFiles: readonly SourceFile[],
  leftOut: ReadonlySet<string> = new Set(),
  atOnce = 7,
) {
  const heldFiles = { now: 0, most: 0 };
  const watched: Journal = {
    ...journal,
    addFiles: (id, files) => {
      heldFiles.now -= files.filter(({ content }) => content === undefined).length;
      journal.addFiles(id, files);
    },
  };
  const scanInPages = async (
    { paths, exactly: exactSource }: Pick<LiveJob['record'], 'paths' | 'exactly'>,
    onFiles: (files: readonly SourceFile[]) => void,
  ) => {
    const isAlong = exactSource?.keysFrom === '/along';
    const files = isAlong
      ? paths.map((path) => ({ ...fileOf(path.slice('/along/'.length)), path }))
      : foundFiles;
    for (let start = 0; start < files.length; start += atOnce) {
      const pageFiles = files.slice(start, start + atOnce);
      heldFiles.now += pageFiles.filter(({ path }) => !leftOut.has(path)).length;
      onFiles(pageFiles);
      heldFiles.most = Math.max(heldFiles.most, heldFiles.now);
      if (start % 700 === 0) await setImmediate();
    }
    const seenFiles = new Set<string>();
    const doubtfulKeys = new Set(
      files.map(({ key }) => key).filter((key) => seenFiles.size === seenFiles.add(key).size),
    );
    return { files: files.length, bytes: files.length * 1_000, links: 0, doubtful: doubtfulKeys };
  };
  return { held: heldFiles, outside: { journal: watched, scanInPages } };
}

function plannedFiles() {
  const files: SourceFile[] = [];
  for (let filesOfPage = journal.unfinishedFiles('a'); filesOfPage.length > 0; ) {
    files.push(...filesOfPage);
    filesOfPage = journal.unfinishedFiles('a', filesOfPage.at(-1)?.id);
  }
  return files;
}

describe('planSource() with user changes', () => {
  const leftOut = pathsOf(source.filter((_, index) => index % 10 === 0));
  const assignedSystems = [{ epsg: 25832, files: pathsOf(source.filter((_, index) => index % 4 === 1)) }];

  it('planSource() with user changes writes files to the journal as they are found, with at most a page in memory', async () => {
    const { held: heldFiles, outside: ports } = watchedScan(source, new Set(leftOut));
    const amount = await planSource(jobWith({ leftOut, assigned: assignedSystems }), ports, running);

    const sentFiles = source.filter((_, index) => index % 10 !== 0);
    const toldFiles = source.filter((_, index) => index % 4 === 1 && index % 10 !== 0);
    expect(heldFiles.most).toBeLessThanOrEqual(page);
    expect(heldFiles.now).toBe(0);
    const content = '<PAMDataset><SRS>EPSG:25832</SRS></PAMDataset>\n';
    expect(amount).toEqual({
      files: sentFiles.length + toldFiles.length,
      bytes: sentFiles.length * 1_000 + toldFiles.length * content.length,
    });
    const files = plannedFiles();
    expect(files.filter((file) => file.content === undefined).map(({ key }) => key)).toEqual(
      sentFiles.map(({ key }) => key),
    );
    expect(
      files
        .filter((file) => file.content !== undefined)
        .map(({ key, content, mtimeMs }) => [key, content, mtimeMs]),
    ).toEqual(toldFiles.map(({ key }) => [`${key}.aux.xml`, content, 7]));
    expect(happened.at(-1)).toMatchObject({
      ...{ kind: 'scanned', ...amount },
      ...{ leftOut: leftOut.length, added: toldFiles.length },
    });
    // The unchanged fingerprint identifies the source.
    journal.noteMade('a', 3, 1);
    expect(journal.madeOf('me', fingerprintOf(source))).toMatchObject({
      changes: { assigned: [25832], worded: false, leftOut: leftOut.length, takenAlong: 0 },
    });
  });

  it('planSource() with user changes plans only the chosen files and those taken along, each once', async () => {
    const onlyPaths = pathsOf(source.slice(0, 3));
    const companions = [{ folder: '/along', paths: ['/along/flight-1/1.tif', '/along/b.tfw'] }];
    const { held: heldFiles, outside: ports } = watchedScan(source, new Set(pathsOf(source.slice(3))));
    expect(await planSource(jobWith({ only: onlyPaths, takenAlong: companions }), ports, running)).toEqual({
      files: 4,
      bytes: 4_000,
    });
    expect(pathsOf(plannedFiles())).toEqual([...onlyPaths, '/along/b.tfw']);
    expect([heldFiles.most <= page, happened.at(-1)]).toEqual([
      true,
      expect.objectContaining({ takenAlong: 1 }),
    ]);
  });

  it.each<[string, Partial<ChosenChanges>, string]>([
    ['one of its files is gone', { only: ['/data/gone.tif'] }, 'source-missing'],
    ['nothing is left of it', { leftOut: pathsOf(source) }, 'all-left-out'],
    ['two systems fit nowhere', { assigned: [{ epsg: 99_999, files: pathsOf(source) }] }, 'system-unknown'],
  ])('planSource() with user changes fails when %s', async (_why, changes, code) => {
    const { outside: ports } = watchedScan(source);
    await expect(planSource(jobWith(changes), ports, running)).rejects.toMatchObject({ code });
    expect(journal.fileProgress('a', 1)).toMatchObject({ unfinished: [], unfinishedCount: 0 });
  });
});

describe('planSource() with two files of one key', () => {
  const twinFile = { ...fileOf('flight-0/0.tif'), path: '/other/flight-0/0.tif' };

  it('planSource() with two files of one key names both files and plans nothing', async () => {
    const { held: heldFiles, outside: ports } = watchedScan([...source, twinFile]);
    await expect(planSource(jobWith(), ports, running)).rejects.toMatchObject({
      code: 'source-keys-collide',
      subject: { list: ['/data/flight-0/0.tif', twinFile.path] },
    });
    expect(heldFiles.most).toBeLessThanOrEqual(page);
    expect(journal.fileProgress('a', 1)).toMatchObject({ unfinished: [], unfinishedCount: 0 });
  });

  it('planSource() with two files of one key sends files that only seem to share a key', async () => {
    const { outside: ports } = watchedScan(source);
    const scanInPages: typeof ports.scanInPages = async (...parameters) => ({
      ...(await ports.scanInPages(...parameters)),
      doubtful: new Set(['flight-3/3.tif']),
    });
    await planSource(jobWith(), { ...ports, scanInPages }, running);
    expect(plannedFiles()).toHaveLength(count);
  });

  it('planSource() with two files of one key ignores a file that the user left out', async () => {
    const { outside: ports } = watchedScan([...source, twinFile]);
    await planSource(jobWith({ leftOut: [twinFile.path] }), ports, running);
    expect(pathsOf(plannedFiles())).toEqual(pathsOf(source));
  });
});
