import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toErrorRecord } from '../../../main/errors.ts';
import { errorMessage } from '../../../main/say.ts';
import {
  classifyFault,
  type FaultKind,
  StorageError,
  type StorageFault,
  toTransferError,
} from '../../../main/storage/storage-error.ts';

const alive = { lifeOver: false };
const lifeIsOver = { lifeOver: true };
const authoritative = { fromStorage: true } as const;

it.each<[FaultKind, StorageFault]>([
  ['expired', { status: 400, code: 'ExpiredToken' }],
  ['expired', { status: 400, code: 'TokenRefreshRequired' }],
  ['denied', { status: 400, code: 'InvalidToken' }],
  ['denied', { status: 403, code: 'InvalidAccessKeyId' }],
  ['denied', { status: 403, code: 'AccessDenied' }],
  ['again', { status: 307, code: 'TemporaryRedirect' }],
  ['again', { status: 307 }],
  ['elsewhere', { status: 301, code: 'PermanentRedirect' }],
  ['elsewhere', { status: 301 }],
  ['elsewhere', { status: 400, code: 'AuthorizationHeaderMalformed' }],
  ['denied', { status: 403, code: 'SignatureDoesNotMatch' }],
  ['denied', { status: 404, code: 'NoSuchBucket' }],
  ['denied', { status: 403 }],
  ['skewed', { status: 403, code: 'RequestTimeTooSkewed' }],
  ['gone', { status: 404, code: 'NoSuchUpload' }],
  ['gone', { status: 404, code: 'NoSuchKey' }],
  ['gone', { status: 404 }],
  ['corrupt', { status: 400, code: 'BadDigest' }],
  ['refused', { status: 400, code: 'InvalidDigest' }],
  ['refused', { status: 400, code: 'KeyTooLongError' }],
  ['refused', { status: 404, code: 'NotFound' }],
  ['refused', { status: 501, code: 'NotImplemented' }],
  ['invalid-parts', { status: 400, code: 'InvalidPart' }],
  ['again', { status: 503, code: 'SlowDown' }],
  ['again', { status: 400, code: 'RequestTimeout' }],
  ['again', { status: 500, code: 'InternalError' }],
  ['again', { status: 500, code: 'constructor' }],
])('classifyFault returns %s for %o from storage', (kind, fault) => {
  expect(classifyFault({ ...fault, ...authoritative }, alive)).toBe(kind);
});

it.each<[FaultKind, StorageFault]>([
  ...[200, 204, 301, 302, 307, 400, 401, 402, 403, 404, 405, 407, 410, 411, 413, 421, 451].map(
    (status): [FaultKind, StorageFault] => ['foreign', { status }],
  ),
  ['foreign', { status: 404, code: 'NoSuchUpload' }],
  ['again', { status: 408 }],
  ['again', { status: 429 }],
  ['again', { status: 500 }],
  ['again', { status: 502 }],
  ['again', { status: 503 }],
  ['again', { code: 'ECONNRESET' }],
  ['again', { code: 'TimeoutError' }],
  ['again', {}],
  ['offline', { code: 'ENETUNREACH' }],
  ['offline', { code: 'ENOTFOUND' }],
  ['offline', { code: 'EHOSTUNREACH' }],
  ['again', { code: 'ECONNREFUSED' }],
  ['again', { code: 'Stalled' }],
  ['untrusted', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  ['proxy-asks', { code: 'ProxyAuthentication' }],
  ['proxy-gone', { code: 'ProxyUnreachable' }],
])('classifyFault returns %s for %o that isn’t from storage', (kind, fault) => {
  expect(classifyFault(fault, alive)).toBe(kind);
  expect(classifyFault(fault, lifeIsOver)).toBe(kind);
});

it.each<StorageFault>([
  { status: 403 },
  { status: 403, code: 'AccessDenied' },
  { status: 403, code: 'SignatureDoesNotMatch' },
  { status: 403, code: 'UnauthorizedAccess' },
  { status: 401, code: 'Unauthorized' },
  { status: 403, code: 'InvalidAccessKeyId' },
  { status: 400, code: 'InvalidToken' },
])('classifyFault treats %o from storage as expired credentials after their known end', (fault) => {
  expect(classifyFault({ ...fault, ...authoritative }, lifeIsOver)).toBe('expired');
  expect(classifyFault({ ...fault, ...authoritative }, alive)).toMatch(/^(?:denied|refused)$/);
});

it.each(['InvalidAccessKeyId', 'InvalidToken', 'InvalidTokenId', 'RequestExpired'])(
  'classifyFault treats %s as expired for credentials that worked, and as refused for others',
  (code) => {
    const fault = { status: 403, code, ...authoritative };
    expect(classifyFault(fault, { ...alive, haveWorked: true })).toBe('expired');
    expect(classifyFault(fault, { ...alive, haveWorked: false })).toBe('denied');
    expect(classifyFault({ status: 403, code }, { ...alive, haveWorked: true })).toBe('foreign');
  },
);

it.each(['ECONNREFUSED', 'ETIMEDOUT', 'Stalled'])(
  'classifyFault treats %s as offline only while nothing else gets through',
  (code) => {
    expect(classifyFault({ code }, { ...alive, noOtherAnswer: true })).toBe('offline');
    expect(classifyFault({ code }, { ...alive, noOtherAnswer: false })).toBe('again');
    expect(classifyFault({ status: 503, code }, { ...alive, noOtherAnswer: true })).toBe('again');
  },
);

it.each<[FaultKind, StorageFault]>([
  ['denied', { status: 404, code: 'NoSuchBucket' }],
  ['skewed', { status: 403, code: 'RequestTimeTooSkewed' }],
  ['again', { status: 500, code: 'InternalError' }],
])('classifyFault returns %s for %o even after the known end of the credentials', (kind, fault) => {
  expect(classifyFault({ ...fault, ...authoritative }, lifeIsOver)).toBe(kind);
});

it('classifyFault has a kind and a message for any fault', () => {
  const fault = fc.record(
    { status: fc.integer({ min: 100, max: 599 }), code: fc.string(), message: fc.string() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fault, fc.boolean(), fc.boolean(), (storageFault, fromStorage, lifeOver) => {
      const kind = classifyFault({ ...storageFault, ...(fromStorage ? authoritative : {}) }, { lifeOver });
      const error = toTransferError(new StorageError(storageFault), kind, {
        storage: 'store',
        file: '/a.gml',
      });
      expect(error.message).not.toContain('{subject}');
    }),
  );
});

it('toTransferError names an unreachable proxy without the system’s message', () => {
  const fault = { code: 'ProxyUnreachable', message: 'ECONNREFUSED at office:3128', proxy: 'office:3128' };
  const subject = { storage: 's3.example.com', file: '/a.gml' };
  const error = toTransferError(new StorageError(fault), 'proxy-gone', subject);
  expect(error.remote).toBeUndefined();
  expect(errorMessage(toErrorRecord(error))).toBe(
    'The proxy on the way to s3.example.com (office:3128) can’t be reached or is blocking the connection.',
  );
  expect(JSON.stringify(toErrorRecord(error))).not.toContain('ECONN');
});

it('toTransferError keeps the response of a proxy', () => {
  const fault = { code: 'ProxyRefused', message: 'office:3128 answered 502.', proxy: 'office:3128' };
  const subject = { storage: 's3.example.com', file: '/a.gml' };
  expect(toTransferError(new StorageError(fault), 'proxy-gone', subject).remote).toEqual({
    message: 'office:3128 answered 502.',
  });
});

it('toTransferError names the unreachable storage or the refused file', () => {
  const subject = { storage: 'store.example', file: '/data/a.gml' };
  const reset = toTransferError(new StorageError({ code: 'ECONNRESET' }), 'again', subject);
  const deniedError = toTransferError(
    new StorageError({ status: 403, code: 'AccessDenied' }),
    'denied',
    subject,
  );

  expect(reset).toMatchObject({
    code: 'storage-unreachable',
    message: expect.stringContaining('store.example'),
  });
  expect(deniedError).toMatchObject({
    code: 'storage-denied',
    message: expect.stringContaining('/data/a.gml'),
    remote: { status: 403, code: 'AccessDenied' },
  });
});
