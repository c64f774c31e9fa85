import { describe, expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import { errorFromAnswer, mayHaveArrived, remoteWords } from '../../../main/service/error-answer.ts';

const origin = 'https://api.example.com';
const answer = (status: number, text = '', retryAfterMs: number | null = null) => ({
  status,
  text,
  retryAfterMs,
});

it('errorFromAnswer names the service that should have responded', () => {
  const error = errorFromAnswer(answer(404, '<html>'), { origin, request: 'read', assetId: 12 });
  expect(error).toMatchObject({ code: 'foreign-answer', subject: origin, retryable: true });
});

it('errorFromAnswer returns null for success', () => {
  const subject = { origin, request: 'read' } as const;
  expect(errorFromAnswer(answer(200, '{"id":1,"error":"constructor"}'), subject)).toBeNull();
  expect(errorFromAnswer(answer(204), subject)).toBeNull();
});

it('remoteWords keeps the service’s own code and message', () => {
  const words = remoteWords(answer(400, '{"code":"BadName","message":"The name is empty."}'));
  expect(words).toEqual({ status: 400, code: 'BadName', message: 'The name is empty.' });
});

it('remoteWords reads the errors of OAuth endpoints', () => {
  const words = remoteWords(answer(400, '{"error":"invalid_grant","error_description":"spent"}'));
  expect(words).toEqual({ status: 400, code: 'invalid_grant', message: 'spent' });
});

it('remoteWords redacts secrets that are cut off', () => {
  const words = remoteWords(answer(500, `${'x'.repeat(170)} {"access_token":"${'s'.repeat(5000)}"}`));
  expect(words.message).not.toContain('sss');
  expect(remoteWords(answer(400, '{"code":"X","message":"bad Bearer abcdefgh"}')).message).toBe(
    'bad Bearer [redacted]',
  );
});

describe('mayHaveArrived', () => {
  const unreachableError = (code: string) =>
    new TileliftError('service-unreachable', {
      cause: new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }),
    });

  it.each(['service-unavailable', 'unexpected-answer', 'foreign-answer', 'service-unreachable'] as const)(
    'mayHaveArrived is true for %s',
    (code) => expect(mayHaveArrived(new TileliftError(code))).toBe(true),
  );

  it.each([
    'invalid-credentials',
    'scope-missing',
    'service-busy',
    'request-refused',
    'not-signed-in',
  ] as const)('mayHaveArrived is false for %s', (code) =>
    expect(mayHaveArrived(new TileliftError(code))).toBe(false),
  );

  it('mayHaveArrived distinguishes a connection that was never made from a broken one', () => {
    expect(mayHaveArrived(unreachableError('ECONNREFUSED'))).toBe(false);
    expect(mayHaveArrived(unreachableError('ENOTFOUND'))).toBe(false);
    expect(mayHaveArrived(unreachableError('ECONNRESET'))).toBe(true);
    const chromium = new Error('net::ERR_INTERNET_DISCONNECTED');
    expect(mayHaveArrived(new TileliftError('service-unreachable', { cause: chromium }))).toBe(false);
  });

  it.each([407, 429])(
    'mayHaveArrived is false for a request rejected on its way with status %i',
    (status) => {
      expect(mayHaveArrived(new TileliftError('foreign-answer', { remote: { status } }))).toBe(false);
      expect(mayHaveArrived(new TileliftError('foreign-answer', { remote: { status: 403 } }))).toBe(true);
    },
  );

  it('mayHaveArrived is true for unknown errors', () => expect(mayHaveArrived(new Error('odd'))).toBe(true));
});
