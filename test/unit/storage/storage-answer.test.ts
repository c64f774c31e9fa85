import { describe, expect, it } from 'vitest';
import { networkFault } from '../../../main/storage/connection-fault.ts';
import { confirmedBytes, refusalOf, type SentSums } from '../../../main/storage/storage-answer.ts';
import { StorageFacts } from '../../../main/storage/storage-facts.ts';

const md5 = 'd41d8cd98f00b204e9800998ecf8427e';
const otherSum = '0'.repeat(32);
const answer = (status: number, headers: Record<string, string> = {}, body = '') => ({
  status,
  headers,
  body,
});
const markedHeaders = { 'x-amz-request-id': '1' };
const newFacts = () => new StorageFacts(new SharedArrayBuffer(StorageFacts.bytes));
const confirm = (headers: Record<string, string>, facts = newFacts()) =>
  confirmedBytes(answer(200, headers), { md5, crc32: null }, 'part', facts, 0)?.etag;
/** Refusal of a PUT. */
const refusal = (status: number, headers: Record<string, string> = {}, body = '', now = 0) =>
  refusalOf(answer(status, headers, body), 'PUT', now);

it('confirmedBytes() returns the sent MD5, quoted or not', () => {
  expect(confirm({ etag: `"${md5}"` })).toBe(md5);
  expect(confirm({ etag: md5.toUpperCase() })).toBe(md5.toUpperCase());
});

it('confirmedBytes() refuses another MD5', () => {
  expect(() => confirm({ etag: `"${otherSum}"`, ...markedHeaders })).toThrow('differs');
});

it('confirmedBytes() refuses a response without proof that storage sent it', () => {
  expect(() => confirm({ etag: otherSum })).toThrow('without a sign of storage');
  expect(() => confirm({ etag: 'W/"5f-1a2b"' })).toThrow('without a sign of storage');
  expect(() => confirm({})).toThrow('without a sign of storage');
  expect(() => confirm(markedHeaders)).toThrow('without a sign of storage');
  expect(() => confirm({ etag: otherSum, 'x-amz-cf-id': 'a' })).toThrow('without a sign of storage');
  expect(confirm({ etag: 'opaque', ...markedHeaders })).toBe('opaque');
});

it('confirmedBytes() accepts any ETag of a store that marks nothing, but no page', () => {
  const read = (body: string, headers: Record<string, string> = { etag: '"opaque"' }) =>
    confirmedBytes(answer(200, headers, body), { md5, crc32: null }, 'part', newFacts(), 0, true);
  expect(read('')).toEqual({ etag: 'opaque', isMd5: false, crc32: null });
  expect(() => read('<html>Sign in</html>')).toThrow('without a sign of storage');
  expect(() => read('', {})).toThrow('without a sign of storage');
});

it('confirmedBytes() accepts a match of the size after two ETags in a row that are no MD5s', () => {
  const facts = newFacts();
  expect(() => confirm({ etag: otherSum, ...markedHeaders }, facts)).toThrow('differs');
  expect(confirm({ etag: otherSum, ...markedHeaders }, facts)).toBe(otherSum);
  expect(facts.etags).toBe('other');
  expect(confirm({ etag: '1'.repeat(32), ...markedHeaders }, facts)).toBe('1'.repeat(32));
});

it('confirmedBytes() keeps comparing after one matching MD5', () => {
  const facts = newFacts();
  confirm({ etag: md5 }, facts);
  for (const _ of [1, 2, 3])
    expect(() => confirm({ etag: otherSum, ...markedHeaders }, facts)).toThrow('differs');
  expect(facts.etags).toBe('md5');
});

it('confirmedBytes() accepts an ETag from storage that encrypts with its own keys', () => {
  expect(confirm({ etag: otherSum, 'x-amz-server-side-encryption': 'aws:kms' })).toBe(otherSum);
  expect(confirm({ etag: otherSum, 'x-amz-server-side-encryption-customer-algorithm': 'AES256' })).toBe(
    otherSum,
  );
});

describe('confirmedBytes() with a CRC32', () => {
  const sums = { md5: null, crc32: 0xcbf43926 };
  const echo = { 'x-amz-checksum-crc32': 'y/Q5Jg==' };
  const confirmSums = (
    headers: Record<string, string>,
    { given: sentSums = sums, facts = newFacts() }: { given?: SentSums; facts?: StorageFacts } = {},
  ) =>
    confirmedBytes(
      answer(200, { etag: `"${md5}"`, ...markedHeaders, ...headers }),
      sentSums,
      'part',
      facts,
      0,
    );

  it('confirmedBytes() with a CRC32 accepts the returned CRC32', () => {
    const facts = newFacts();
    expect(confirmSums(echo, { given: { md5, crc32: sums.crc32 }, facts })).toEqual({
      etag: md5,
      isMd5: true,
      crc32: sums.crc32,
    });
    expect(facts.checksums('part')).toBe('compared');
    expect(facts.checksums('object')).toBe('unknown');
    // The CRC32 suffices from now on, since the ETags are known to be MD5s.
    expect(confirmSums(echo, { facts })).toEqual({ etag: md5, isMd5: true, crc32: sums.crc32 });
  });

  it('confirmedBytes() with a CRC32 refuses another CRC32', () => {
    expect(() => confirmSums({ 'x-amz-checksum-crc32': 'AAAAAA==' })).toThrow('differs');
    expect(() => confirmSums({ 'x-amz-checksum-crc32': 'nonsense' })).toThrow('differs');
  });

  it('confirmedBytes() with a CRC32 resends with an MD5 when storage returns no CRC32, and stops using it', () => {
    const facts = newFacts();
    facts.recordChecksum('part', 'compared');
    expect(confirmSums({}, { facts })).toBeNull();
    expect(facts.checksums('part')).toBe('ignored');
    facts.recordChecksum('part', 'compared');
    expect(facts.checksums('part')).toBe('ignored');
  });

  it('confirmedBytes() with a CRC32 returns the MD5 alone when storage returns no CRC32', () => {
    expect(confirmSums({}, { given: { md5, crc32: 5 } })).toEqual({ etag: md5, isMd5: true, crc32: null });
  });

  it('confirmedBytes() with a CRC32 marks an uncompared ETag as unknown', () =>
    expect(confirmSums(echo)).toMatchObject({ isMd5: false }));

  it.each(['unknown', 'compared', 'ignored'] as const)(
    'confirmedBytes() with a CRC32 stops using the CRC32 when storage refuses it, whatever it did before: %s',
    (knownState) => {
      const facts = newFacts();
      if (knownState !== 'unknown') facts.recordChecksum('part', knownState);
      for (const code of ['NotImplemented', 'InvalidRequest']) {
        const refusedAnswer = answer(400, markedHeaders, `<Error><Code>${code}</Code></Error>`);
        expect(confirmedBytes(refusedAnswer, sums, 'part', facts, 0)).toBeNull();
        // Only a success without the CRC32 shows that it was the reason.
        expect(facts.checksums('part')).toBe(knownState);
      }
    },
  );

  it('confirmedBytes() with a CRC32 keeps using the CRC32 after other refusals', () => {
    const facts = newFacts();
    const refusedAnswer = answer(501, markedHeaders, '<Error><Code>NotImplemented</Code></Error>');
    expect(() => confirmedBytes(refusedAnswer, { md5, crc32: null }, 'part', facts, 0)).toThrow();
    const deniedAnswer = answer(403, markedHeaders, '<Error><Code>AccessDenied</Code></Error>');
    expect(() => confirmedBytes(deniedAnswer, sums, 'part', facts, 0)).toThrow();
    expect(facts.checksums('part')).toBe('unknown');
  });
});

it('refusalOf() reads code, message and Retry-After', () => {
  const body =
    '<?xml version="1.0"?>\n<Error><Code>SlowDown</Code><Message>Less &amp; slower</Message></Error>';
  expect(refusal(503, { 'retry-after': '7' }, body)).toEqual({
    status: 503,
    fromStorage: true,
    code: 'SlowDown',
    message: 'Less & slower',
    retryAfterMs: 7_000,
  });
});

it('refusalOf() accepts an empty message', () => {
  expect(refusal(500, {}, '<Error><Code>InternalError</Code><Message/></Error>')).toEqual({
    status: 500,
    fromStorage: true,
    code: 'InternalError',
  });
});

it.each([
  '',
  '<html><body>403 Forbidden</body></html>',
  '<html><Error><Code>NoSuchUpload</Code></Error></html>',
  '<Error><Code></Code></Error>',
  '<Error><Message>no</Message></Error>',
  '<?xml version="1.0"?><Error><Code>NoSuchUpload</Code><Mess',
  '{"Code":"NoSuchUpload"}',
])('refusalOf() accepts only a complete document with a code: %j', (body) => {
  expect(refusal(404, {}, body)).not.toHaveProperty('fromStorage');
  expect(refusal(404, markedHeaders, body)).not.toHaveProperty('fromStorage');
  expect(refusal(404, {}, body)).not.toHaveProperty('code');
});

it('refusalOf() recognizes a HEAD response of storage by an S3 header', () => {
  expect(refusalOf(answer(403, markedHeaders), 'HEAD', 0)).toEqual({ status: 403, fromStorage: true });
  expect(refusalOf(answer(403), 'HEAD', 0)).toEqual({ status: 403 });
});

it('refusalOf() reads a date in Retry-After and ignores nonsense', () => {
  const at = (date: string) => refusal(503, { 'retry-after': date }, '', Date.UTC(2030, 0, 1))?.retryAfterMs;
  expect(at('Tue, 01 Jan 2030 00:00:30 GMT')).toBe(30_000);
  expect(at('soon')).toBeUndefined();
});

it('refusalOf() detects an error inside a 200 response', () => {
  const body = '<?xml version="1.0"?><Error><Code>InternalError</Code></Error>';
  expect(refusal(200, {}, body)).toEqual({ status: 200, fromStorage: true, code: 'InternalError' });
  expect(refusal(200, {}, '<ListPartsResult/>')).toBeNull();
});

it('network faults have the code of the first of several failed addresses', () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  expect(networkFault(reset)).toEqual({ code: 'ECONNRESET', message: 'read ECONNRESET' });
  expect(networkFault(new AggregateError([reset]))).toMatchObject({ code: 'ECONNRESET' });
  expect(networkFault('a string')).toEqual({ message: 'a string' });
});
