import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import { errorFromAnswer, mayHaveArrived, remoteWords } from '../../../main/service/error-answer.ts';

const origin = 'https://api.example.com';
const answer = (status: number, text = '', retryAfterMs: number | null = null) => ({
  status,
  text,
  retryAfterMs,
});

describe('errorFromAnswer', () => {
  const said = '{"code":"SomeCode","message":"Words."}';

  it('names the missing asset as the service does', () => {
    const error = errorFromAnswer(answer(404, said), { origin, request: 'read', assetId: 12 });
    expect(error).toMatchObject({
      code: 'asset-not-found',
      message: 'Asset 12 does not exist on the service.',
    });
  });

  it('names the service that should have responded', () => {
    const error = errorFromAnswer(answer(404, '<html>'), { origin, request: 'read', assetId: 12 });
    expect(error).toMatchObject({ code: 'foreign-answer', subject: origin, retryable: true });
  });

  it('returns null for success', () => {
    const subject = { origin, request: 'read' } as const;
    expect(errorFromAnswer(answer(200, '{"id":1,"error":"constructor"}'), subject)).toBeNull();
    expect(errorFromAnswer(answer(204), subject)).toBeNull();
  });

  it('returns an error for every other status, whatever the body', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.string(), (status, text) => {
        const success = status >= 200 && status < 300;
        const error = errorFromAnswer(answer(status, text), { origin, request: 'list' });
        expect(error === null).toBe(success);
      }),
    );
  });
});

describe('remoteWords', () => {
  it('keeps the service’s own code and message', () => {
    const words = remoteWords(answer(400, '{"code":"BadName","message":"The name is empty."}'));
    expect(words).toEqual({ status: 400, code: 'BadName', message: 'The name is empty.' });
  });

  it('reads the errors of OAuth endpoints', () => {
    const words = remoteWords(answer(400, '{"error":"invalid_grant","error_description":"spent"}'));
    expect(words).toEqual({ status: 400, code: 'invalid_grant', message: 'spent' });
  });

  it('keeps the first 200 characters of other text', () => {
    expect(remoteWords(answer(502, `  <html>${'x'.repeat(300)}`)).message).toBe(`<html>${'x'.repeat(194)}`);
    expect(remoteWords(answer(502))).toEqual({ status: 502 });
  });

  it('redacts secrets that are cut off', () => {
    const words = remoteWords(answer(500, `${'x'.repeat(170)} {"access_token":"${'s'.repeat(5000)}"}`));
    expect(words.message).not.toContain('sss');
    expect(remoteWords(answer(400, '{"code":"X","message":"bad Bearer abcdefgh"}')).message).toBe(
      'bad Bearer [redacted]',
    );
  });

  it('includes Retry-After', () => {
    expect(remoteWords(answer(429, '', 5000))).toEqual({ status: 429, retryAfterMs: 5000 });
  });
});

describe('mayHaveArrived', () => {
  const unreachable = (code: string) =>
    new TileliftError('service-unreachable', {
      cause: new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }),
    });

  it.each(['service-unavailable', 'unexpected-answer', 'foreign-answer', 'service-unreachable'] as const)(
    'is true for %s',
    (code) => expect(mayHaveArrived(new TileliftError(code))).toBe(true),
  );

  it.each([
    'invalid-credentials',
    'scope-missing',
    'service-busy',
    'request-refused',
    'not-signed-in',
  ] as const)('is false for %s', (code) => expect(mayHaveArrived(new TileliftError(code))).toBe(false));

  it('distinguishes a connection that was never made from a broken one', () => {
    expect(mayHaveArrived(unreachable('ECONNREFUSED'))).toBe(false);
    expect(mayHaveArrived(unreachable('ENOTFOUND'))).toBe(false);
    expect(mayHaveArrived(unreachable('ECONNRESET'))).toBe(true);
    const chromium = new Error('net::ERR_INTERNET_DISCONNECTED');
    expect(mayHaveArrived(new TileliftError('service-unreachable', { cause: chromium }))).toBe(false);
  });

  it.each([407, 429])('is false for a request rejected on its way with status %i', (status) => {
    expect(mayHaveArrived(new TileliftError('foreign-answer', { remote: { status } }))).toBe(false);
    expect(mayHaveArrived(new TileliftError('foreign-answer', { remote: { status: 403 } }))).toBe(true);
  });

  it('is true for unknown errors', () => expect(mayHaveArrived(new Error('odd'))).toBe(true));
});
