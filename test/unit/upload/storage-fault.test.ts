import { describe, expect, it } from 'vitest';
import { readStorageFault } from '../../../main/upload/storage-fault.ts';

describe('readStorageFault', () => {
  it('reads code, status and Retry-After of an S3 error', () => {
    const thrown = Object.assign(new Error('Please slow down'), {
      name: 'SlowDown',
      $metadata: { httpStatusCode: 503 },
      $response: { statusCode: 503, headers: { 'retry-after': '7' } },
    });
    expect(readStorageFault(thrown, 0)).toEqual({
      status: 503,
      code: 'SlowDown',
      message: 'Please slow down',
      retryAfterMs: 7000,
    });
  });

  it('reads a Retry-After that is a date, and ignores one that is nonsense', () => {
    const at = (header: string) =>
      readStorageFault(
        { $response: { statusCode: 503, headers: { 'retry-after': header } } },
        Date.UTC(2030, 0, 1),
      );
    expect(at('Tue, 01 Jan 2030 00:00:30 GMT').retryAfterMs).toBe(30_000);
    expect(at('soon').retryAfterMs).toBeUndefined();
  });

  it('reads the network’s code, also of several addresses that all failed', () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    expect(readStorageFault(reset, 0)).toMatchObject({ code: 'ECONNRESET' });
    expect(readStorageFault(new AggregateError([reset]), 0)).toMatchObject({ code: 'ECONNRESET' });
  });

  it('gives no code where the name says nothing', () => {
    expect(readStorageFault(new TypeError('x'), 0)).toEqual({ message: 'x' });
    expect(readStorageFault('a string', 0)).toEqual({});
    expect(readStorageFault({ name: 'AccessDenied', message: 'UnknownError' }, 0)).toEqual({
      code: 'AccessDenied',
    });
  });
});
