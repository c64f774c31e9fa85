import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../main/upload/call-answer.ts';
import { networkFault } from '../../../main/upload/network-fault.ts';
import { confirmedEtag } from '../../../main/upload/part-answer.ts';

const md5 = 'd41d8cd98f00b204e9800998ecf8427e';
const other = '0'.repeat(32);
const answer = (status: number, headers: Record<string, string> = {}, body = '') => ({
  status,
  headers,
  body,
});
const confirm = (headers: Record<string, string>, isPart = true) =>
  confirmedEtag(answer(200, headers), md5, isPart, 0);

describe('what storage confirms', () => {
  it('is the MD5 that was sent, quoted or not', () => {
    expect(confirm({ etag: `"${md5}"` })).toBe(md5);
    expect(confirm({ etag: md5.toUpperCase() })).toBe(md5.toUpperCase());
  });

  it('is refused where it is another MD5', () => {
    expect(() => confirm({ etag: `"${other}"` })).toThrow('differs');
  });

  it('is believed where storage encrypts with keys of its own', () => {
    expect(confirm({ etag: other, 'x-amz-server-side-encryption': 'aws:kms' })).toBe(other);
    expect(confirm({ etag: other, 'x-amz-server-side-encryption-customer-algorithm': 'AES256' })).toBe(other);
  });

  it('needs an ETag for a part, which can’t be completed without; a whole file does not', () => {
    expect(() => confirm({})).toThrow('No ETag');
    expect(confirm({}, false)).toBe(md5);
  });
});

describe('what storage refuses', () => {
  it('is read by code, message and Retry-After', () => {
    const body =
      '<?xml version="1.0"?>\n<Error><Code>SlowDown</Code><Message>Less &amp; slower</Message></Error>';
    expect(refusalOf(answer(503, { 'retry-after': '7' }, body), 0)).toEqual({
      status: 503,
      code: 'SlowDown',
      message: 'Less & slower',
      retryAfterMs: 7_000,
    });
  });

  it('may come without words', () => {
    expect(refusalOf(answer(403), 0)).toEqual({ status: 403 });
    expect(refusalOf(answer(500, {}, '<Error><Code>InternalError</Code><Message/></Error>'), 0)).toEqual({
      status: 500,
      code: 'InternalError',
    });
  });

  it('may ask to wait until a date; nonsense is ignored', () => {
    const at = (date: string) =>
      refusalOf(answer(503, { 'retry-after': date }), Date.UTC(2030, 0, 1))?.retryAfterMs;
    expect(at('Tue, 01 Jan 2030 00:00:30 GMT')).toBe(30_000);
    expect(at('soon')).toBeUndefined();
  });

  it('is an error inside an answer of 200 too', () => {
    const body = '<?xml version="1.0"?><Error><Code>InternalError</Code></Error>';
    expect(refusalOf(answer(200, {}, body), 0)).toEqual({ status: 200, code: 'InternalError' });
    expect(refusalOf(answer(200, {}, '<ListPartsResult/>'), 0)).toBeNull();
  });
});

describe('what the network did', () => {
  it('is its code, also of several addresses that all failed', () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    expect(networkFault(reset)).toEqual({ code: 'ECONNRESET', message: 'read ECONNRESET' });
    expect(networkFault(new AggregateError([reset]))).toMatchObject({ code: 'ECONNRESET' });
    expect(networkFault('a string')).toEqual({ message: 'a string' });
  });
});
