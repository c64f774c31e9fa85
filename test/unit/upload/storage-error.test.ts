import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  classifyFault,
  type FaultKind,
  StorageError,
  type StorageFault,
  toTransferError,
} from '../../../main/upload/storage-error.ts';

const alive = { now: 0, endsAt: 3_600_000 };
const nearlyOver = { now: 3_541_000, endsAt: 3_600_000 };

describe('classifyFault', () => {
  it.each<[FaultKind, StorageFault]>([
    ['expired', { status: 400, code: 'ExpiredToken' }],
    ['expired', { status: 400, code: 'InvalidToken' }],
    ['denied', { status: 403, code: 'AccessDenied' }],
    ['denied', { status: 403, code: 'SignatureDoesNotMatch' }],
    ['denied', { status: 404, code: 'NoSuchBucket' }],
    ['denied', { status: 403 }],
    ['skewed', { status: 403, code: 'RequestTimeTooSkewed' }],
    ['gone', { status: 404, code: 'NoSuchUpload' }],
    ['gone', { status: 404, code: 'NoSuchKey' }],
    ['gone', { status: 404, code: 'NotFound' }],
    ['corrupt', { status: 400, code: 'BadDigest' }],
    ['refused', { status: 400, code: 'InvalidDigest' }],
    ['refused', { status: 400, code: 'KeyTooLongError' }],
    ['refused', { status: 501, code: 'NotImplemented' }],
    ['invalid-parts', { status: 400, code: 'InvalidPart' }],
    ['again', { status: 503, code: 'SlowDown' }],
    ['again', { status: 400, code: 'RequestTimeout' }],
    ['again', { status: 408 }],
    ['again', { status: 429 }],
    ['again', { status: 500, code: 'InternalError' }],
    ['again', { status: 502 }],
    ['again', { status: 200, message: 'not XML' }],
    ['again', { code: 'ECONNRESET' }],
    ['again', { code: 'TimeoutError' }],
    ['again', {}],
    ['again', { status: 500, code: 'constructor' }],
    ['offline', { code: 'ENETUNREACH' }],
    ['offline', { code: 'ENOTFOUND' }],
    ['offline', { code: 'EHOSTUNREACH' }],
    ['again', { code: 'ECONNREFUSED' }],
    ['again', { code: 'Stalled' }],
  ])('says %s of %o', (kind, fault) => {
    expect(classifyFault(fault, alive)).toBe(kind);
  });

  it.each<StorageFault>([
    { status: 403 },
    { status: 403, code: 'AccessDenied' },
    { status: 403, code: 'InvalidAccessKeyId' },
  ])('takes %o for the end of the credentials within a minute of their known end', (fault) => {
    expect(classifyFault(fault, nearlyOver)).toBe('expired');
    expect(classifyFault(fault, { now: 3_539_000, endsAt: 3_600_000 })).toBe('denied');
  });

  it.each(['ECONNREFUSED', 'ETIMEDOUT', 'Stalled'])(
    'takes %s for no network only while nothing else gets through',
    (code) => {
      expect(classifyFault({ code }, { ...alive, nothingElse: true })).toBe('offline');
      expect(classifyFault({ code }, { ...alive, nothingElse: false })).toBe('again');
      expect(classifyFault({ status: 503, code }, { ...alive, nothingElse: true })).toBe('again');
    },
  );

  it('keeps its meaning for a bucket that never was and for clocks that differ, whenever they show', () => {
    expect(classifyFault({ status: 404, code: 'NoSuchBucket' }, nearlyOver)).toBe('denied');
    expect(classifyFault({ status: 403, code: 'RequestTimeTooSkewed' }, nearlyOver)).toBe('skewed');
  });

  it('has an answer for everything, and a sentence for every answer', () => {
    const fault = fc.record(
      { status: fc.integer({ min: 100, max: 599 }), code: fc.string(), message: fc.string() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fault, fc.integer(), fc.integer(), (given, now, endsAt) => {
        const kind = classifyFault(given, { now, endsAt });
        const error = toTransferError(new StorageError(given), kind, { storage: 'store', file: '/a.gml' });
        expect(error.message).not.toContain('{subject}');
      }),
    );
  });
});

describe('toTransferError', () => {
  it('names the storage when it can’t be reached and the file when it was refused', () => {
    const about = { storage: 'store.example', file: '/data/a.gml' };
    const reset = toTransferError(new StorageError({ code: 'ECONNRESET' }), 'again', about);
    const denied = toTransferError(new StorageError({ status: 403, code: 'AccessDenied' }), 'denied', about);

    expect(reset).toMatchObject({
      code: 'storage-unreachable',
      message: expect.stringContaining('store.example'),
    });
    expect(denied).toMatchObject({
      code: 'storage-denied',
      message: expect.stringContaining('/data/a.gml'),
      remote: { status: 403, code: 'AccessDenied' },
    });
  });
});
