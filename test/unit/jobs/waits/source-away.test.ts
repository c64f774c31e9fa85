import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ErrorCode, TileliftError } from '../../../../main/errors.ts';
import type { JobRecord, Journal } from '../../../../main/jobs/journal/journal-model.ts';
import type { LiveJob } from '../../../../main/jobs/steps/live-job.ts';
import { type FolderCheck, FolderChecks } from '../../../../main/jobs/waits/folder-checks.ts';
import { homeOf, isBack, judgeSource } from '../../../../main/jobs/waits/source-away.ts';
import { SourceWaits } from '../../../../main/jobs/waits/source-waits.ts';
import type { TransferFile } from '../../../../main/transfer/transfer-model.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const signal = new AbortController().signal;
const folderOn = (device: string): FolderCheck => ({ kind: 'there', device });

it('homeOf() returns the dropped folder, or the folder of a dropped file', () => {
  const job = { paths: ['/usb/Kai', '/usb/a.tif'] };
  expect(homeOf(job, '/usb/Kai/x/a.jpg')).toBe('/usb/Kai');
  expect(homeOf(job, '/usb/a.tif')).toBe('/usb');
  expect(homeOf(job, '/usb/Kaiserplatz/a.jpg')).toBeNull();
});

it('homeOf() returns the watched folder for a source in it', () => {
  const exactSource = { keysFrom: '/usb/in/Kai', gitignore: [], fingerprint: null };
  expect(homeOf({ paths: ['/usb/in/Kai'], exactly: { ...exactSource, home: '/usb/in' } }, '/x')).toBe(
    '/usb/in',
  );
  expect(homeOf({ paths: ['/usb/in/Kai'], exactly: exactSource }, '/x')).toBe('/usb/in/Kai');
});

describe('FolderChecks', () => {
  afterEach(() => void vi.useRealTimers());

  it('FolderChecks counts a folder that doesn’t answer as away and checks few at once', async () => {
    vi.useFakeTimers();
    const requests: string[] = [];
    const checks = new FolderChecks((folder) => {
      requests.push(folder);
      return new Promise(() => {});
    });
    const answers = Promise.all(['/a', '/b', '/c', '/a'].map((folder) => checks.check(folder, signal)));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await answers).toEqual(Array(4).fill({ kind: 'away' }));
    expect(requests).toEqual(['/a', '/b']);
  });

  it('FolderChecks aborts its checks on quit', async () => {
    const checks = new FolderChecks(() => new Promise(() => {}));
    const quitting = new AbortController();
    const firstCheck = checks.check('/a', quitting.signal);
    quitting.abort();
    await expect(firstCheck).rejects.toThrow('aborted');
  });
});

describe('an upload that fails to read its source', () => {
  let folder: string;
  let file: TransferFile;
  let record: JobRecord;
  beforeEach(async () => {
    folder = temporaryFolder();
    const path = join(folder, 'a.tif');
    await writeFile(path, 'bytes');
    const { size, mtimeMs, ctimeMs, ino } = await stat(path);
    const identity = { fileId: `7:${ino}`, ctimeMs };
    file = { id: 1, path, key: 'a.tif', size, mtimeMs, identity } as TransferFile;
    record = { id: 'job', paths: [folder] } as unknown as JobRecord;
  });

  const judge = (folderCheck: FolderCheck, code: ErrorCode = 'source-changed', subject = file.path) => {
    const pages = [[file], []];
    const journal = { unfinishedFiles: () => pages.shift() ?? [] } as unknown as Journal;
    const checks = new FolderChecks(async () => folderCheck);
    return judgeSource(
      new TileliftError(code, { subject }),
      record,
      { journal, folderChecks: checks },
      signal,
    );
  };
  const awayFolder = () => ({ kind: 'away', home: folder, device: '7', file: file.path });

  it('an upload that fails to read its source waits while the folder is away', async () => {
    expect(await judge({ kind: 'away' })).toEqual(awayFolder());
    expect(await judge({ kind: 'away' }, 'source-stalled')).toEqual(awayFolder());
  });

  it('an upload that fails to read its source continues when the file is unchanged after a short absence', async () => {
    expect(await judge(folderOn('7'))).toEqual({ kind: 'back', times: 3 });
  });

  it('an upload that fails to read its source fails when the file was replaced, or changed under its old time', async () => {
    await writeFile(file.path, 'other');
    await utimes(file.path, file.mtimeMs / 1000, file.mtimeMs / 1000);
    expect(await judge(folderOn('7'))).toEqual({ kind: 'itself' });
  });

  it('an upload that fails to read its source fails when the file is gone from its folder', async () => {
    await rm(file.path);
    expect(await judge(folderOn('7'))).toEqual({ kind: 'itself' });
  });

  it('an upload that fails to read its source waits while only the mount point of the drive is there', async () => {
    await rm(file.path);
    expect(await judge(folderOn('8'))).toEqual(awayFolder());
    const checks = new FolderChecks(async () => folderOn('8'));
    const place = { home: folder, device: '7', file: file.path };
    expect(await isBack(place, checks, signal)).toBe(false);
    await writeFile(file.path, 'bytes');
    expect(await isBack(place, checks, signal)).toBe(true);
  });

  it('an upload that fails to read its source blames an answering drive for files it can’t read', async () => {
    expect(await judge(folderOn('7'), 'source-stalled')).toEqual({ kind: 'itself' });
  });

  it("an upload that fails to read its source ignores errors that aren’t the source's", async () => {
    expect(await judge({ kind: 'away' }, 'storage-denied')).toEqual({ kind: 'itself' });
    expect(await judge({ kind: 'away' }, 'source-changed', '/elsewhere/a.tif')).toEqual({ kind: 'itself' });
  });

  it('an upload that fails to read its source checks again when the files together don’t match the fingerprint', async () => {
    record = {
      ...record,
      exactly: { keysFrom: folder, gitignore: [], fingerprint: 'x', home: folder },
    } as JobRecord;
    expect(await judge(folderOn('7'), 'source-changed', folder)).toEqual({ kind: 'back', times: 1 });
  });
});

describe('SourceWaits', () => {
  const hourMs = 3_600_000;
  const endsAfter = async (perSleep: { readonly wallMs: number; readonly elapsedMs: number }) => {
    let wallMs = 0;
    let elapsedMs = 0;
    const clock = {
      now: () => wallMs,
      elapsed: () => elapsedMs,
      sleep: async () => {
        if (Math.abs(wallMs) > 10 * hourMs) throw new Error('It still waits.');
        wallMs += perSleep.wallMs;
        elapsedMs += perSleep.elapsedMs;
      },
    };
    await new Promise<void>((resolve, reject) => {
      const checks = new FolderChecks(async () => ({ kind: 'away' }));
      const waits = new SourceWaits({
        checks,
        clock,
        onBack: reject,
        onExpired: () => resolve(),
        onTrouble: reject,
      });
      const job = { id: 'job', wait: () => {}, wakeUp: () => {} } as unknown as LiveJob;
      waits.beginWait(job, { home: '/usb', device: null, file: null }, hourMs);
    });
    return { wallMs, elapsedMs };
  };

  it('SourceWaits ends with the credentials, by the clock that says so first', async () => {
    // Suspended: on Linux, monotonic time stops.
    expect(await endsAfter({ wallMs: hourMs, elapsedMs: 0 })).toEqual({ wallMs: hourMs, elapsedMs: 0 });
    expect((await endsAfter({ wallMs: -hourMs, elapsedMs: hourMs / 4 })).elapsedMs).toBe(hourMs);
  });
});
