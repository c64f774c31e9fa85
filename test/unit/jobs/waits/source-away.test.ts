import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ErrorCode, TileliftError } from '../../../../main/errors.ts';
import type { JobRecord, Journal } from '../../../../main/jobs/journal/journal-model.ts';
import { type FolderCheck, FolderChecks } from '../../../../main/jobs/waits/folder-checks.ts';
import { homeOf, isBack, judgeSource } from '../../../../main/jobs/waits/source-away.ts';
import type { TransferFile } from '../../../../main/transfer/transfer-model.ts';

const signal = new AbortController().signal;
const there = (device: string): FolderCheck => ({ kind: 'there', device });

describe('the folder whose absence counts', () => {
  it('is what a person dropped, or where the dropped file is', () => {
    const job = { paths: ['/usb/Kai', '/usb/a.tif'] };
    expect(homeOf(job, '/usb/Kai/x/a.jpg')).toBe('/usb/Kai');
    expect(homeOf(job, '/usb/a.tif')).toBe('/usb');
    expect(homeOf(job, '/usb/Kaiserplatz/a.jpg')).toBeNull();
  });

  it('is the watched folder, also of one source in it', () => {
    const exactly = { keysFrom: '/usb/in/Kai', gitignore: [], fingerprint: null };
    expect(homeOf({ paths: ['/usb/in/Kai'], exactly: { ...exactly, home: '/usb/in' } }, '/x')).toBe(
      '/usb/in',
    );
    expect(homeOf({ paths: ['/usb/in/Kai'], exactly }, '/x')).toBe('/usb/in/Kai');
  });
});

describe('looks at folders', () => {
  afterEach(() => void vi.useRealTimers());

  it('that don’t answer count as away, and few of them are asked', async () => {
    vi.useFakeTimers();
    const asked: string[] = [];
    const looks = new FolderChecks((folder) => {
      asked.push(folder);
      return new Promise(() => {});
    });
    const answers = Promise.all(['/a', '/b', '/c', '/a'].map((folder) => looks.check(folder, signal)));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await answers).toEqual(Array(4).fill({ kind: 'away' }));
    expect(asked).toEqual(['/a', '/b']);
  });

  it('are given up at once by whoever quits', async () => {
    const looks = new FolderChecks(() => new Promise(() => {}));
    const quitting = new AbortController();
    const look = looks.check('/a', quitting.signal);
    quitting.abort();
    await expect(look).rejects.toThrow('aborted');
  });
});

describe('an upload that stumbles over its source', () => {
  let folder: string;
  let file: TransferFile;
  let record: JobRecord;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tilelift-away-'));
    const path = join(folder, 'a.tif');
    await writeFile(path, 'bytes');
    const { size, mtimeMs, ctimeMs, ino } = await stat(path);
    const identity = { fileId: `7:${ino}`, ctimeMs };
    file = { id: 1, path, key: 'a.tif', size, mtimeMs, identity } as TransferFile;
    record = { id: 'job', paths: [folder] } as unknown as JobRecord;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const judge = (look: FolderCheck, code: ErrorCode = 'source-changed', subject = file.path) => {
    const pages = [[file], []];
    const journal = { unfinishedFiles: () => pages.shift() ?? [] } as unknown as Journal;
    const looks = new FolderChecks(async () => look);
    return judgeSource(new TileliftError(code, { subject }), record, { journal, looks }, signal);
  };
  const away = () => ({ kind: 'away', home: folder, device: '7', file: file.path });

  it('waits where the folder is away', async () => {
    expect(await judge({ kind: 'away' })).toEqual(away());
    expect(await judge({ kind: 'away' }, 'source-stalled')).toEqual(away());
  });

  it('continues where the file is there as it was: the drive was away for a moment', async () => {
    expect(await judge(there('7'))).toEqual({ kind: 'back', times: 3 });
  });

  it('has met a change where the file is another, or was written to with its old time', async () => {
    await writeFile(file.path, 'other');
    await utimes(file.path, file.mtimeMs / 1000, file.mtimeMs / 1000);
    expect(await judge(there('7'))).toEqual({ kind: 'itself' });
  });

  it('has met a change where the file is gone from its folder', async () => {
    await rm(file.path);
    expect(await judge(there('7'))).toEqual({ kind: 'itself' });
  });

  it('waits where the folder is only what the drive was mounted on, until the file is there again', async () => {
    await rm(file.path);
    expect(await judge(there('8'))).toEqual(away());
    const looks = new FolderChecks(async () => there('8'));
    const place = { home: folder, device: '7', file: file.path };
    expect(await isBack(place, looks, signal)).toBe(false);
    await writeFile(file.path, 'bytes');
    expect(await isBack(place, looks, signal)).toBe(true);
  });

  it('blames a drive that answers for what it does not give', async () => {
    expect(await judge(there('7'), 'source-stalled')).toEqual({ kind: 'itself' });
  });

  it('leaves alone what is no matter of the source', async () => {
    expect(await judge({ kind: 'away' }, 'storage-denied')).toEqual({ kind: 'itself' });
    expect(await judge({ kind: 'away' }, 'source-changed', '/elsewhere/a.tif')).toEqual({ kind: 'itself' });
  });

  it('looks once more where all files together were not what was wanted', async () => {
    record = {
      ...record,
      exactly: { keysFrom: folder, gitignore: [], fingerprint: 'x', home: folder },
    } as JobRecord;
    expect(await judge(there('7'), 'source-changed', folder)).toEqual({ kind: 'back', times: 1 });
  });
});
