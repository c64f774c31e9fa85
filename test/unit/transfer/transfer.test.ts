import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../main/ports.ts';
import type { BegunUpload, StoredPart, UploadChecksum } from '../../../main/storage/storage.ts';
import type { StorageFault } from '../../../main/storage/storage-error.ts';
import { countParts } from '../../../main/transfer/plan.ts';
import { transfer } from '../../../main/transfer/transfer.ts';
import type { ComparedBy, TransferFile, TransferRecord } from '../../../main/transfer/transfer-model.ts';
import type { TransferProgress } from '../../../main/transfer/transfer-progress.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { withWaitCheck } from '../../wait-check.ts';
import { FakeStorage, fault } from './fake-storage.ts';

let folder: string;
let storage: FakeStorage;
let delays: number[];
let now: number;
/** Jump of the wall clock, ms. */
let jumpedMs: number;

beforeEach(() => {
  folder = temporaryFolder();
  storage = new FakeStorage();
  delays = [];
  now = 0;
  jumpedMs = 0;
});

const clock = withWaitCheck<Clock>({
  now: () => now + jumpedMs,
  elapsed: () => now,
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    delays.push(ms);
    now += ms;
  },
});

interface FileState {
  uploadId: string | null;
  parts: Map<number, StoredPart>;
  uploadChecksum: UploadChecksum;
  completeSent: boolean;
}

/** A record like the journal's, from which a next start can resume. */
class MemoryRecord implements TransferRecord {
  readonly files: TransferFile[];
  readonly done = new Set<number>();
  /** By file, as in the receipt. */
  readonly checksums = new Map<number, string | null>();
  readonly comparedBy = new Map<number, ComparedBy | null>();
  readonly notes: string[] = [];
  readonly #state = new Map<number, FileState>();

  constructor(files: TransferFile[]) {
    this.files = files;
    for (const file of files) {
      const parts = new Map(file.parts.map((part) => [part.number, part]));
      const { uploadId, uploadChecksum, completeSent } = file;
      this.#state.set(file.id, { uploadId, uploadChecksum, parts, completeSent });
    }
  }

  unfinished(): TransferFile[] {
    return this.files
      .filter((file) => !this.done.has(file.id))
      .map((file) => ({ ...file, ...this.of(file.id), parts: [...this.of(file.id).parts.values()] }));
  }
  of(id: number) {
    const state = this.#state.get(id);
    if (!state) throw new Error(`no file ${id}`);
    return state;
  }
  uploadBegun(id: number, { uploadId, checksum }: BegunUpload) {
    Object.assign(this.of(id), { uploadId, uploadChecksum: checksum });
  }
  completeSent(id: number) {
    this.of(id).completeSent = true;
  }
  async partConfirmed(id: number, part: StoredPart) {
    this.of(id).parts.set(part.number, part);
  }
  async fileConfirmed(id: number, etag: string | null, comparedBy: ComparedBy | null) {
    this.done.add(id);
    this.comparedBy.set(id, comparedBy);
    this.checksums.set(id, etag);
  }
  partsDropped(id: number, numbers: readonly number[]) {
    for (const number of numbers) this.of(id).parts.delete(number);
  }
  uploadForgotten(id: number) {
    this.#state.set(id, { uploadId: null, uploadChecksum: null, parts: new Map(), completeSent: false });
  }
  identityTaken() {}
  noteResent(_path: string, reason: string) {
    this.notes.push(reason);
  }
}

const partSize = 1000;
let lastFile = 0;

async function fileOf(size: number, state: Partial<TransferFile> = {}): Promise<TransferFile> {
  const id = ++lastFile;
  const path = join(folder, `file-${id}`);
  await writeFile(path, randomBytes(size));
  const { mtimeMs } = await stat(path);
  const plan = { partSize, partCount: countParts(size, partSize) };
  return {
    id,
    path,
    key: `key-${id}`,
    size,
    mtimeMs,
    plan,
    uploadId: null,
    uploadChecksum: null,
    parts: [],
    completeSent: false,
    ...state,
  };
}

type Options = Partial<Parameters<typeof transfer>[1]>;

function send(record: MemoryRecord, changes: Options = {}): Promise<void> {
  return sendFiles(record.unfinished(), record, changes);
}

function sendFiles(
  files: Iterable<TransferFile>,
  record: MemoryRecord,
  changes: Options = {},
): Promise<void> {
  return transfer(files, {
    storage,
    record,
    clock,
    random: () => 1,
    signal: new AbortController().signal,
    credentialsEndAt: 3_600_000,
    parallel: 3,
    ...changes,
  });
}

async function expectStored(record: MemoryRecord) {
  for (const file of record.files) {
    const storedBytes = storage.objects.get(file.key);
    expect(storedBytes?.equals(await readFile(file.path)), file.key).toBe(true);
  }
  expect(record.done.size).toBe(record.files.length);
}

/** Throws the error at the n-th call at this moment. */
const once = (call: string, moment: string, error: Error, nth = 1) => {
  let seenCount = 0;
  storage.meet = (metCall, when) => {
    if (metCall === call && when === moment && ++seenCount === nth) throw error;
  };
};

describe('transfer retry', () => {
  it('transfer retry: waits with full jitter, doubling from half a second to half a minute', async () => {
    let failuresLeft = 9;
    storage.meet = () => {
      if (failuresLeft-- > 0) throw fault({ status: 503, code: 'SlowDown' });
    };
    await send(new MemoryRecord([await fileOf(10)]));
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it.each<[string, StorageFault]>([
    ['storage that is too busy', { status: 503, code: 'SlowDown' }],
    ['a gateway without storage', { status: 503 }],
    ['a connection that breaks', { code: 'ECONNRESET' }],
  ])('G7: continues through ten minutes of %s while the credentials live', async (_, metFault) => {
    storage.meet = () => {
      if (now < 600_000) throw fault(metFault);
    };
    const record = new MemoryRecord([await fileOf(2_500), await fileOf(10)]);
    await send(record);
    await expectStored(record);
  });

  it.each<[string, StorageFault, number]>([
    ['60 s where a stranger sent it', { status: 503 }, 60_000],
    ['five minutes where storage sent it', { status: 503, code: 'SlowDown' }, 300_000],
  ])(
    'transfer retry: caps a Retry-After of a year at %s and reports it immediately',
    async (_, answer, expected) => {
      once('putObject', 'before', fault({ ...answer, retryAfterMs: 365 * 86_400_000 }));
      const reports: number[] = [];
      await send(new MemoryRecord([await fileOf(10)]), { onTrouble: (_, pauseMs) => reports.push(pauseMs) });
      expect(delays).toEqual([expected]);
      expect(reports).toEqual([expected]);
    },
  );

  it('transfer retry: ends a Retry-After when the credentials expire, and ignores later ones', async () => {
    let failuresLeft = 2;
    storage.meet = () => {
      if (failuresLeft-- > 0) throw fault({ status: 503, code: 'SlowDown', retryAfterMs: 300_000 });
    };
    await send(new MemoryRecord([await fileOf(10)]), { credentialsEndAt: 90_000 });
    expect(delays).toEqual([90_000, 1_000]);
  });

  it('transfer retry: sends other files while one is in backoff', async () => {
    const record = new MemoryRecord(await Promise.all(Array.from({ length: 20 }, () => fileOf(10))));
    once('putObject', 'before', fault({ status: 503, retryAfterMs: 60_000 }));
    const sleep = async (ms: number) => {
      delays.push(ms);
      while (storage.objects.size < 19) await nextTurn();
    };
    await send(record, { parallel: 1, clock: { ...clock, sleep } });
    await expectStored(record);
    expect(delays).toEqual([60_000]);
  });

  it('transfer retry: retries a file before starting others', async () => {
    const record = new MemoryRecord(await Promise.all(Array.from({ length: 20 }, () => fileOf(10))));
    once('putObject', 'before', fault({ status: 503 }), 3);
    const sleep = async () => {
      while (storage.objects.size < 5) await nextTurn();
    };
    await send(record, { parallel: 1, clock: { ...clock, sleep } });
    await expectStored(record);
    const order = [...storage.objects.keys()];
    expect(order.indexOf(record.files[2]?.key ?? '')).toBeLessThan(8);
  });

  it('transfer retry: starts at most eight times the limit while everything fails', async () => {
    const record = new MemoryRecord(await Promise.all(Array.from({ length: 60 }, () => fileOf(10))));
    let hasEnded = false;
    let refusedCount = 0;
    const sleep = async () => {
      while (refusedCount < 16) await nextTurn();
      for (let turn = 0; turn < 500; turn++) await nextTurn();
      hasEnded = true;
    };
    storage.meet = () => {
      if (hasEnded) return;
      refusedCount += 1;
      throw fault({ status: 503 });
    };
    await send(record, { parallel: 2, clock: { ...clock, sleep } });
    await expectStored(record);
    // The last of them was in flight.
    expect(refusedCount).toBeLessThanOrEqual(17);
  });

  it.each<[string, StorageFault]>([
    ['500 InternalError', { status: 500, code: 'InternalError' }],
    ['a page', { status: 403 }],
    ['nobody', { code: 'ECONNRESET' }],
  ])(
    'transfer retry: keeps waiting after the known end of the credentials when %s answers',
    async (_, metFault) => {
      once('putObject', 'before', fault(metFault));
      const record = new MemoryRecord([await fileOf(10)]);
      await send(record, { credentialsEndAt: 0 });
      await expectStored(record);
    },
  );

  describe.each(['AccessDenied', 'InvalidAccessKeyId'])('classifies %s', (code) => {
    const day = 86_400_000;
    it.each([
      ['a refusal while the credentials live', 0, 0, 0, 'storage-denied'],
      ['expired credentials an hour later though the wall clock was set back', 3_600_000, -day, 0, 'expired'],
      [
        'expired credentials after a suspend, in which the monotonic clock stands still',
        0,
        day,
        0,
        'expired',
      ],
      [
        'a refusal where storage has shown that the wall clock was set forward',
        0,
        day,
        -day,
        'storage-denied',
      ],
      ['expired credentials after a suspend of a computer whose clock is slow', 0, day, day, 'expired'],
      ['a refusal on a computer whose clock turns out to be slow', 0, 0, day, 'storage-denied'],
    ])('as %s', async (_, passedMs, jump, skew, expected) => {
      const record = new MemoryRecord([await fileOf(10)]);
      storage.meet = () => {
        now += passedMs;
        jumpedMs = jump;
        storage.skew = skew;
        throw fault({ status: 403, code });
      };
      const error = expected === 'expired' ? 'credentials-expired' : expected;
      await expect(send(record)).rejects.toMatchObject({ code: error });
    });
  });

  it('G9: survives a jump of the wall clock with a 500', async () => {
    storage.meet = (_call, moment) => {
      if (jumpedMs > 0 || moment === 'after') return;
      jumpedMs = 7_200_000;
      throw fault({ status: 500, code: 'InternalError' });
    };
    const record = new MemoryRecord([await fileOf(10)]);
    await send(record);
    await expectStored(record);
  });
});

describe('transfer completion', () => {
  it('G10: records the request to complete before sending it', async () => {
    const record = new MemoryRecord([await fileOf(2_500)]);
    const [id = 0] = record.files.map((file) => file.id);
    const knownChecksums: boolean[] = [];
    storage.meet = (call, moment) => {
      if (call === 'completeMultipartUpload' && moment === 'before')
        knownChecksums.push(record.of(id).completeSent);
    };
    await send(record);
    expect(knownChecksums).toEqual([true]);
  });

  it('transfer completion: resends a file whose upload someone aborted before completion when reading is denied', async () => {
    let aborted = false;
    storage.meet = (call, moment) => {
      if (call === 'headObject') throw fault({ status: 403, fromStorage: true });
      if (call !== 'completeMultipartUpload' || moment !== 'before' || aborted) return;
      aborted = true;
      storage.uploads.clear();
    };
    const record = new MemoryRecord([await fileOf(2_500)]);
    await send(record);
    await expectStored(record);
    expect(record.notes).toEqual(['upload-gone']);
  });

  it('transfer completion: resends a file when its upload is gone and another object is there', async () => {
    const file = await fileOf(2_500);
    storage.objects.set(file.key, Buffer.alloc(2_500));
    storage.etags.set(file.key, `${'0'.repeat(32)}-3`);
    let isLost = false;
    storage.meet = (call, moment) => {
      if (call !== 'completeMultipartUpload' || moment !== 'before' || isLost) return;
      isLost = true;
      storage.uploads.clear();
    };
    const record = new MemoryRecord([file]);
    await send(record);
    await expectStored(record);
    expect(record.notes).toEqual(['upload-gone']);
    expect(storage.count('uploadPart')).toBe(6);
  });

  it('transfer completion: gives up when storage keeps forgetting', async () => {
    storage.meet = (call) => {
      if (call === 'uploadPart') storage.uploads.clear();
    };
    const record = new MemoryRecord([await fileOf(2_500)]);
    await expect(send(record, { parallel: 1 })).rejects.toMatchObject({
      code: 'storage-failed',
      remote: { code: 'NoSuchUpload' },
    });
    expect(storage.count('createMultipartUpload')).toBe(3);
  });
});

describe('transfer resume', () => {
  /** Sends until the n-th part is under way, then stops without its response, as a kill would. */
  async function interruptedAt(nth: number, file: TransferFile): Promise<MemoryRecord> {
    const record = new MemoryRecord([file]);
    const stop = new AbortController();
    let seenCount = 0;
    storage.meet = (call, moment) => {
      if (call === 'uploadPart' && moment === 'after' && ++seenCount === nth) stop.abort(new Error('killed'));
      if (stop.signal.aborted) throw fault({ code: 'ECONNRESET' });
    };
    await expect(send(record, { signal: stop.signal, parallel: 1 })).rejects.toThrow('killed');
    storage.meet = () => {};
    storage.calls.length = 0;
    return record;
  }

  it('transfer resume: sends missing parts and adopts unrecorded ones in storage', async () => {
    const record = await interruptedAt(3, await fileOf(5_500));
    expect(record.unfinished()[0]?.parts).toHaveLength(2);
    await send(record);
    await expectStored(record);
    // Part 3 had arrived without its response: it is compared, not sent.
    expect(storage.count('uploadPart')).toBe(3);
    expect(storage.count('createMultipartUpload')).toBe(0);
  });

  it('resume does not adopt a part of the right size with other bytes', async () => {
    const record = await interruptedAt(3, await fileOf(5_500));
    const upload = storage.uploads.values().next().value;
    upload?.set(3, { number: 3, size: partSize, etag: '1'.repeat(32), bytes: Buffer.alloc(partSize) });
    await send(record);
    await expectStored(record);
    expect(storage.count('uploadPart')).toBe(4);
  });

  it('transfer resume: resends a confirmed part that storage has with another size or ETag', async () => {
    const record = await interruptedAt(4, await fileOf(5_500));
    const upload = storage.uploads.values().next().value;
    upload?.set(1, { number: 1, size: 7, etag: '1'.repeat(32), bytes: Buffer.alloc(7) });
    upload?.delete(2);
    await send(record);
    await expectStored(record);
    expect(record.notes).toEqual(['parts-missing']);
  });

  it('transfer resume: resends a confirmed part that storage lists with another CRC32', async () => {
    const record = await interruptedAt(3, await fileOf(5_500));
    const parts = storage.uploads.values().next().value;
    const firstPart = parts?.get(1);
    if (firstPart) parts?.set(1, { ...firstPart, crc32: 1 });
    await send(record);
    await expectStored(record);
    expect(record.notes).toEqual(['parts-missing']);
  });

  it('transfer resume: continues when storage stops comparing CRC32s, and records neither CRC32 nor MD5', async () => {
    const record = await interruptedAt(3, await fileOf(5_500));
    storage.compares = false;
    await send(record);
    await expectStored(record);
    expect([...record.comparedBy.values()]).toEqual([null]);
    const silentRecord = new MemoryRecord([await fileOf(5_500)]);
    await send(silentRecord);
    expect([...silentRecord.comparedBy.values()]).toEqual(['md5']);
    const otherRecord = new MemoryRecord([await fileOf(5_500), await fileOf(10)]);
    storage.compares = true;
    await send(otherRecord);
    expect([...otherRecord.comparedBy.values()]).toEqual(['crc32', 'crc32']);
  });

  it.each([
    ['its CRC32 is ours', (part: StoredPart) => part, 'crc32'],
    ['it gives no CRC32', ({ crc32: _, ...part }: StoredPart) => part, 'md5'],
    ['its CRC32 is another', (part: StoredPart) => ({ ...part, crc32: 1 }), 'md5'],
  ] as const)(
    'transfer resume: records the compared checksum of an adopted part: %s',
    async (_, answerPart, checksumKind) => {
      const record = await interruptedAt(3, await fileOf(5_500));
      const recordedParts = record.of(lastFile).parts;
      const storedParts = storage.uploads.values().next().value ?? new Map();
      // The responses were lost.
      const unheard = [...storedParts.values()];
      for (const { number, bytes, ...part } of unheard) {
        recordedParts.delete(number);
        storedParts.set(number, { bytes, ...answerPart({ number, ...part }) });
      }
      const sentCount = storage.count('uploadPart');
      await send(record);
      await expectStored(record);
      expect(storage.count('uploadPart') - sentCount).toBe(6 - unheard.length);
      const knownChecksums = unheard.map(({ number }) => recordedParts.get(number)?.crc32 !== undefined);
      expect(knownChecksums).toEqual(unheard.map(() => checksumKind === 'crc32'));
    },
  );

  it.each([true, false])(
    'transfer resume: counts an unreadable file as complete only after a request to complete: %s',
    async (completeSent) => {
      const record = await interruptedAt(3, await fileOf(2_500));
      const [file] = record.unfinished();
      if (!file) throw new Error('nothing is left');
      const part = {
        number: 3,
        size: 500,
        etag: [...(storage.uploads.values().next().value?.values() ?? [])][2]?.etag ?? '',
      };
      const secondRecord = new MemoryRecord([{ ...file, parts: [...file.parts, part], completeSent }]);
      storage.uploads.clear();
      storage.meet = (call) => {
        if (call === 'headObject') throw fault({ status: 403, fromStorage: true });
      };
      await send(secondRecord);
      expect(storage.count('createMultipartUpload')).toBe(completeSent ? 0 : 1);
      expect(secondRecord.done.size).toBe(1);
    },
  );

  it.each([
    ['one request', 500],
    ['several parts', 2_500],
  ])(
    'transfer resume: records no checksum of a file of %s when ETags only look like MD5s',
    async (_, size) => {
      const record = new MemoryRecord([await fileOf(size)]);
      await send(record);
      expect([...record.checksums.values()]).toEqual([expect.stringMatching(/^[0-9a-f]{32}/)]);
      const encrypted = new MemoryRecord([await fileOf(size)]);
      storage.encrypts = true;
      await send(encrypted);
      expect([...encrypted.checksums.values()]).toEqual([null]);
    },
  );

  it('transfer resume: detects that a file was already completed', async () => {
    const record = new MemoryRecord([await fileOf(2_500)]);
    record.fileConfirmed = async () => {
      throw new Error('killed');
    };
    await expect(send(record)).rejects.toThrow('killed');
    const secondRecord = new MemoryRecord(record.unfinished());
    storage.calls.length = 0;
    await send(secondRecord);
    await expectStored(secondRecord);
    expect(storage.count('uploadPart')).toBe(0);
  });

  it('transfer resume: completes every file with all bytes for any faults and stops', async () => {
    const faults = [
      { code: 'ECONNRESET' },
      { status: 500 },
      { status: 400, code: 'BadDigest' },
      { status: 403, code: 'RequestTimeTooSkewed' },
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 4_200 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.boolean(), fc.option(fc.nat({ max: 3 }), { freq: 2 })), { maxLength: 25 }),
        fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }),
        async (sizes, course, stops) => {
          storage = new FakeStorage();
          const record = new MemoryRecord(await Promise.all(sizes.map((size) => fileOf(size))));
          const plan = [...course];
          for (const stopAfter of [...stops, Number.POSITIVE_INFINITY]) {
            const stop = new AbortController();
            let calls = 0;
            // The faults change between starts.
            storage.compares = stopAfter % 3 !== 0;
            storage.meet = (_call, moment) => {
              if (++calls === stopAfter) stop.abort('killed');
              if (stop.signal.aborted) throw fault({ code: 'ECONNRESET' });
              const [isAfter, which] = plan[0] ?? [false, null];
              if (isAfter !== (moment === 'after')) return;
              plan.shift();
              if (which !== null) throw fault(faults[which] ?? {});
            };
            await send(record, { signal: stop.signal }).catch((error: unknown) => {
              if (error !== 'killed') throw error;
            });
          }
          await expectStored(record);
        },
      ),
      { numRuns: 60 },
    );
  });
});

it('transfer progress ends with every byte confirmed and never steps back', async () => {
  const record = new MemoryRecord([await fileOf(5_500), await fileOf(0), await fileOf(300)]);
  const seenProgress: TransferProgress[] = [];
  await send(record, { onProgress: (progress) => seenProgress.push(progress) });
  expect(seenProgress.at(-1)).toMatchObject({ acknowledged: 5_800, onWire: 0, partsDone: 8, partsOnWire: 0 });
  const acknowledged = seenProgress.map((progress) => progress.acknowledged);
  expect(acknowledged).toEqual(acknowledged.toSorted((a, b) => a - b));
  const sums = seenProgress.map((progress) => progress.acknowledged + progress.onWire);
  expect(sums).toEqual(sums.toSorted((a, b) => a - b));
  expect(Math.max(...seenProgress.map((progress) => progress.partsOnWire))).toBeLessThanOrEqual(3);
});

describe('transfer of a file stream', () => {
  /** Sends the files and returns the most that were requested but not done. */
  async function mostAskedFor(record: MemoryRecord, changes: Options = {}): Promise<number> {
    let [takenCount, maxCount] = [0, 0];
    const files = function* () {
      for (const file of record.unfinished()) {
        maxCount = Math.max(maxCount, ++takenCount - record.done.size);
        yield file;
      }
    };
    await sendFiles(files(), record, changes);
    return maxCount;
  }

  it('transfer of a file stream: requests files only as there is room, so that a million never fill memory', async () => {
    const record = new MemoryRecord(await Promise.all(Array.from({ length: 60 }, () => fileOf(10))));
    // The files with parts in flight, and the next one.
    expect(await mostAskedFor(record)).toBeLessThanOrEqual(4);
    await expectStored(record);
  });

  it('transfer of a file stream: requests 32 small files at a time to keep threads busy', async () => {
    const record = new MemoryRecord(await Promise.all(Array.from({ length: 100 }, () => fileOf(10))));
    expect(await mostAskedFor(record, { parallel: 64 })).toBe(33);
  });

  it('transfer of a file stream: fails when the files can’t be read, after parts in flight end', async () => {
    const record = new MemoryRecord([await fileOf(10), await fileOf(10)]);
    const files = function* () {
      yield* record.unfinished();
      throw new Error('no journal');
    };
    await expect(sendFiles(files(), record)).rejects.toThrow('no journal');
    const endedCount = record.done.size;
    await new Promise(setImmediate);
    expect(record.done.size).toBe(endedCount);
  });

  it('transfer of a file stream: counts from what was confirmed of all files', async () => {
    const seenProgress: TransferProgress[] = [];
    const record = new MemoryRecord([await fileOf(10)]);
    const confirmedAmount = { bytes: 4_000, parts: 4 };
    await send(record, { confirmedAmount, onProgress: (progress) => seenProgress.push(progress) });
    expect([seenProgress[0]?.acknowledged, seenProgress.at(-1)?.acknowledged]).toEqual([4_000, 4_010]);
    expect(seenProgress.at(-1)?.partsDone).toBe(5);
  });
});

it('transfer failure leaves nothing in flight', async () => {
  const record = new MemoryRecord([await fileOf(9_500)]);
  once('uploadPart', 'before', fault({ status: 403, code: 'AccessDenied' }), 4);
  await expect(send(record)).rejects.toMatchObject({ code: 'storage-denied' });
  const calls = storage.calls.length;
  await new Promise((resolve) => setImmediate(resolve));
  expect(storage.calls).toHaveLength(calls);
});
