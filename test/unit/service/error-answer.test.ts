import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, TileliftError } from '../../../main/errors.ts';
import { errorFromAnswer, mayHaveArrived, remoteWords } from '../../../main/service/error-answer.ts';

const origin = 'https://api.example.com';
const answer = (status: number, text = '', retryAfterMs: number | null = null) => ({
  status,
  text,
  retryAfterMs,
});

describe('errorFromAnswer', () => {
  it.each<[number, ErrorCode]>([
    [401, 'invalid-credentials'],
    [403, 'scope-missing'],
    [404, 'unexpected-answer'],
    [408, 'service-unavailable'],
    [400, 'request-refused'],
    [409, 'request-refused'],
    [422, 'request-refused'],
    [429, 'service-busy'],
    [500, 'service-unavailable'],
    [503, 'service-unavailable'],
    [302, 'unexpected-answer'],
    [0, 'unexpected-answer'],
  ])('takes status %i as %s', (status, code) => {
    expect(errorFromAnswer(answer(status), { origin })?.code).toBe(code);
  });

  it('names the asset that was not found', () => {
    const error = errorFromAnswer(answer(404), { origin, assetId: 12 });
    expect(error).toMatchObject({ code: 'asset-not-found', message: 'The service does not know asset 12.' });
  });

  it('finds nothing wrong with success', () => {
    expect(errorFromAnswer(answer(200, '{"id":1,"error":"constructor"}'), { origin })).toBeNull();
    expect(errorFromAnswer(answer(204), { origin })).toBeNull();
  });

  it('believes the code InvalidCredentials under any status', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), (status) => {
        const text = '{"code":"InvalidCredentials","message":"The access token is invalid."}';
        expect(errorFromAnswer(answer(status, text), { origin })?.code).toBe('invalid-credentials');
      }),
    );
  });

  it('has an error for every status but success, whatever the body', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.string(), (status, text) => {
        const success = status >= 200 && status < 300;
        expect(errorFromAnswer(answer(status, text), { origin }) === null).toBe(success);
      }),
    );
  });
});

describe('remoteWords', () => {
  it('keeps the service’s own code and message', () => {
    const words = remoteWords(answer(400, '{"code":"BadName","message":"The name is empty."}'));
    expect(words).toEqual({ status: 400, code: 'BadName', message: 'The name is empty.' });
  });

  it('knows the errors of OAuth endpoints', () => {
    const words = remoteWords(answer(400, '{"error":"invalid_grant","error_description":"spent"}'));
    expect(words).toEqual({ status: 400, code: 'invalid_grant', message: 'spent' });
  });

  it('keeps the first 200 characters of anything else', () => {
    expect(remoteWords(answer(502, `  <html>${'x'.repeat(300)}`)).message).toBe(`<html>${'x'.repeat(194)}`);
    expect(remoteWords(answer(502))).toEqual({ status: 502 });
  });

  it('redacts, also where a secret is cut off', () => {
    const words = remoteWords(answer(500, `${'x'.repeat(170)} {"access_token":"${'s'.repeat(5000)}"}`));
    expect(words.message).not.toContain('sss');
    expect(remoteWords(answer(400, '{"code":"X","message":"bad Bearer abcdefgh"}')).message).toBe(
      'bad Bearer [redacted]',
    );
  });

  it('says how long the service asks to wait', () => {
    expect(remoteWords(answer(429, '', 5000))).toEqual({ status: 429, retryAfterMs: 5000 });
  });
});

describe('mayHaveArrived', () => {
  const unreachable = (code: string) =>
    new TileliftError('service-unreachable', {
      cause: new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }),
    });

  it.each(['service-unavailable', 'unexpected-answer', 'service-unreachable'] as const)(
    'is true for %s',
    (code) => {
      expect(mayHaveArrived(new TileliftError(code))).toBe(true);
    },
  );

  it.each([
    'invalid-credentials',
    'scope-missing',
    'service-busy',
    'request-refused',
    'not-signed-in',
  ] as const)('is false for %s', (code) => {
    expect(mayHaveArrived(new TileliftError(code))).toBe(false);
  });

  it('tells a connection that was never made from one that broke', () => {
    expect(mayHaveArrived(unreachable('ECONNREFUSED'))).toBe(false);
    expect(mayHaveArrived(unreachable('ENOTFOUND'))).toBe(false);
    expect(mayHaveArrived(unreachable('ECONNRESET'))).toBe(true);
    const chromium = new Error('net::ERR_INTERNET_DISCONNECTED');
    expect(mayHaveArrived(new TileliftError('service-unreachable', { cause: chromium }))).toBe(false);
  });

  it('is true for what is not known', () => {
    expect(mayHaveArrived(new Error('odd'))).toBe(true);
  });
});
