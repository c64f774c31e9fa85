import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TileliftError } from '../../../../main/errors.ts';
import { fingerprintOf } from '../../../../main/files/fingerprint.ts';
import type { SourceFile } from '../../../../main/files/model.ts';
import { openJournal } from '../../../../main/jobs/journal/journal.ts';
import type { Journal } from '../../../../main/jobs/journal/journal-model.ts';
import { createConfirmations } from '../../../../main/jobs/steps/confirmations.ts';
import { filesToSend } from '../../../../main/jobs/steps/files-to-send.ts';
import type { EventData, LiveJob } from '../../../../main/jobs/steps/live-job.ts';
import { planSource } from '../../../../main/jobs/steps/plan-source.ts';
import { systemClock } from '../../../../main/ports.ts';
import type { PartOrder, Storage } from '../../../../main/storage/storage.ts';
import { transfer } from '../../../../main/transfer/transfer.ts';
import type { TransferRecord } from '../../../../main/transfer/transfer-model.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { jobRecord } from '../job-record.ts';

const count = 20_000;
const page = 500;
/** Parts waiting for the journal, and a page of files read ahead. */
const maxHeld = 2_000 + page;
const running = new AbortController().signal;

let folder: string;
let journal: Journal;
beforeEach(() => {
  folder = temporaryFolder();
  journal = openJournal(join(folder, 'journal.db'));
  journal.addJob(record);
  happened = [];
});
afterEach(() => {
  journal.close();
});

const record = jobRecord();
let happened: EventData[];
const job = {
  id: 'a',
  record,
  apply: (eventData: EventData) => void happened.push(eventData),
} as unknown as LiveJob;

const fileOf = (index: number): SourceFile => {
  const key = `flight-${index % 40}/IMG_${index}.jpg`;
  return { path: `/data/${key}`, key, size: 1_000 + (index % 7), mtimeMs: 1.5 };
};
const folders = Array.from({ length: 40 }, (_, at) =>
  Array.from({ length: count / 40 }, (_, index) => fileOf(at + index * 40)),
);
const bytes = folders.flat().reduce((sum, { size }) => sum + size, 0);

const scanOf = (foundPages: readonly (readonly SourceFile[])[], end: () => void = () => {}) => ({
  journal,
  scanInPages: async (_: unknown, onFiles: (files: readonly SourceFile[]) => void) => {
    for (const files of foundPages) {
      onFiles(files);
      await setImmediate();
    }
    end();
    return { files: count, bytes, links: 0, doubtful: new Set<string>() };
  },
});

/** Storage that accepts everything and reports each part. */
const storageUntil = (sentKeys: string[], onParts: (parts: number) => void = () => {}) =>
  ({
    name: 'counting storage',
    sendPart: async ({ key, number, length: size }: PartOrder) => {
      await setImmediate();
      onParts(sentKeys.push(key));
      return { number, size, etag: 'a'.repeat(32), isMd5: true };
    },
    roundTripMs: () => null,
    skewMs: () => 0,
    close: () => {},
  }) as unknown as Storage;

async function send(journal: Journal, storage: Storage, signal = running) {
  let [takenCount, doneCount, maxCount] = [0, 0, 0];
  const confirmations = createConfirmations(journal, systemClock);
  const files = function* () {
    for (const file of filesToSend(journal, 'a')) {
      takenCount += 1;
      maxCount = Math.max(maxCount, takenCount - doneCount);
      yield file;
    }
  };
  await transfer(files(), {
    storage,
    record: {
      fileConfirmed: async (fileId, etag, comparedBy) => {
        await confirmations.add({ fileId, part: null, etag, comparedBy });
        doneCount += 1;
      },
    } as TransferRecord,
    clock: systemClock,
    random: () => 0,
    signal,
    credentialsEndAt: Number.POSITIVE_INFINITY,
    confirmedAmount: journal.totals('a'),
  });
  return { most: maxCount };
}

describe('a source of many files', () => {
  it('a source of many files is planned page by page while it is scanned', async () => {
    let largestPage = 0;
    let [foundCount, maxCount] = [0, 0];
    let writtenCount = 0;
    const watched: Journal = {
      ...journal,
      addFiles: (id, files) => {
        largestPage = Math.max(largestPage, files.length);
        writtenCount += files.length;
        journal.addFiles(id, files);
      },
    };
    const small = folders.flat().reduce<SourceFile[][]>((pages, file, index) => {
      if (index % 7 === 0) pages.push([]);
      pages.at(-1)?.push(file);
      return pages;
    }, []);
    const scan = scanOf(small);
    const ports = {
      ...scan,
      journal: watched,
      scanInPages: (source: unknown, onFiles: (files: readonly SourceFile[]) => void) =>
        scan.scanInPages(source, (files) => {
          foundCount += files.length;
          onFiles(files);
          maxCount = Math.max(maxCount, foundCount - writtenCount);
        }),
    };
    expect(await planSource(job, ports, running)).toEqual({ files: count, bytes });
    expect([largestPage, maxCount < page, writtenCount]).toEqual([page, true, count]);
    expect(happened.at(-1)).toEqual({ kind: 'scanned', files: count, bytes, parts: count });
    // The fingerprint of a scan in one go identifies the source.
    const fingerprint = fingerprintOf(folders.flat());
    journal.noteMade('a', 7, 1);
    expect(journal.madeOf('me', fingerprint)).toMatchObject({ assetId: 7 });
  });

  const exactJob = (files: readonly SourceFile[]) =>
    ({
      ...job,
      record: { ...record, exactly: { keysFrom: '/data', gitignore: [], fingerprint: fingerprintOf(files) } },
    }) as unknown as LiveJob;

  it("a source of many files is compared with the rule's fingerprint while it is scanned, never held completely", async () => {
    const derived = ['flight-1/IMG_1.ovr', 'flight-2/b.copc.laz'].map((key) => ({
      ...{ path: `/data/${key}`, key, size: 5, mtimeMs: 1 },
    }));
    const cloud = { path: '/data/flight-2/b.LAS', key: 'flight-2/b.LAS', size: 9, mtimeMs: 1 };
    const loneFile = { path: '/data/c.copc.laz', key: 'c.copc.laz', size: 7, mtimeMs: 1 };
    const wantedSource = exactJob([...folders.flat(), cloud, loneFile]);
    // The scan finds the file it is derived from last.
    const results = [derived, [loneFile], ...folders, [cloud]];
    expect(await planSource(wantedSource, scanOf(results), running)).toEqual({
      files: count + 4,
      bytes: bytes + 5 + 5 + 9 + 7,
    });
    expect(journal.fileProgress('a', 0).unfinishedCount).toBe(count + 4);

    for (const otherSource of [
      results.slice(0, -1),
      [...results, [fileOf(count)]],
      [[...derived], ...folders, [cloud]],
    ]) {
      await expect(planSource(wantedSource, scanOf(otherSource), running)).rejects.toMatchObject({
        code: 'source-changed',
      });
      expect(journal.fileProgress('a', 0).unfinishedCount).toBe(0);
    }
  });

  it('a source of many files leaves no plan when the scan fails, and drops the earlier one', async () => {
    await planSource(job, scanOf(folders.slice(0, 3)), running);
    const end = () => {
      throw new TileliftError('source-unreadable', { subject: '/data' });
    };
    await expect(planSource(job, scanOf(folders.slice(0, 5), end), running)).rejects.toMatchObject({
      code: 'source-unreadable',
    });
    expect(journal.fileProgress('a', 1)).toMatchObject({ unfinished: [], unfinishedCount: 0 });
  });

  it('a source of many files is sent with a few of its files in memory and resumes after a kill by reading one page', async () => {
    await planSource(job, scanOf(folders), running);
    const [firstKeys, secondKeys]: [string[], string[]] = [[], []];
    const killed = new AbortController();
    const copy = join(folder, 'killed.db');
    const killAt = (parts: number) => {
      if (parts !== count / 2) return;
      // Copies the files of the moment, as a kill would leave them.
      for (const suffix of ['', '-wal'])
        if (existsSync(join(folder, `journal.db${suffix}`)))
          copyFileSync(join(folder, `journal.db${suffix}`), copy + suffix);
      killed.abort(new Error('killed'));
    };
    await expect(send(journal, storageUntil(firstKeys, killAt), killed.signal)).rejects.toThrow('killed');

    const secondJournal = openJournal(copy);
    const { doneCount, unfinishedCount } = secondJournal.fileProgress('a', 1);
    expect(doneCount + unfinishedCount).toBe(count);
    expect(doneCount).toBeGreaterThan(count / 2 - maxHeld);
    const knownKeys = new Set<string>();
    for (
      let sentPage = secondJournal.sentFiles('a');
      sentPage.length > 0;
      sentPage = secondJournal.sentFiles('a', sentPage.at(-1)?.id)
    )
      for (const { key, etag } of sentPage) if (etag) knownKeys.add(key);
    let read = 0;
    const countingJournal: Journal = {
      ...secondJournal,
      filesToSend: (...parameters) => {
        read += 1;
        return secondJournal.filesToSend(...parameters);
      },
    };
    let readBefore = 0;
    const { most: maxCount } = await send(
      countingJournal,
      storageUntil(secondKeys, (parts) => {
        if (parts === 1) readBefore = read;
      }),
    );
    expect(readBefore).toBe(1);
    expect(maxCount).toBeLessThanOrEqual(maxHeld);
    expect(new Set([...knownKeys, ...secondKeys]).size).toBe(count);
    expect(secondKeys.filter((key) => knownKeys.has(key))).toEqual([]);
    expect(secondJournal.fileProgress('a', 0)).toMatchObject({ doneCount: count, unfinishedCount: 0 });
    expect(secondJournal.totals('a')).toEqual({ bytes, parts: count });
    secondJournal.close();
  });
});
