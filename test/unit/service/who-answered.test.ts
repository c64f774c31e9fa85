import { describe, expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import {
  speaksForService,
  speaksForSignIn,
  speaksForStorage,
  wasHeard,
} from '../../../main/service/who-answered.ts';

const foreignTexts = [
  '',
  '<html><body>Log in to Hotel Wi-Fi</body></html>',
  '{"error":"blocked","reason":"policy"}',
  '{"message":"no route"}',
  '{"code":404,"message":"not found"}',
  '["code","message"]',
  '"code"',
  'null',
  '{"code":"InvalidCredentials","message":',
];

describe('who speaks for the service', () => {
  it('is who sends a code and a message as JSON', () => {
    expect(speaksForService({ text: '{"code":"InvalidCredentials","message":"no"}' })).toBe(true);
    expect(speaksForService({ text: '{"code":"X","message":""}' })).toBe(true);
  });

  it.each(foreignTexts)('is not who sends %j', (text) => {
    expect(speaksForService({ text })).toBe(false);
  });

  it('is for sign-in also who sends an OAuth error', () => {
    expect(speaksForSignIn({ text: '{"error":"invalid_grant"}' })).toBe(true);
    expect(speaksForSignIn({ text: '{"code":"InvalidGrant","message":"no"}' })).toBe(true);
    expect(speaksForSignIn({ text: '<html>401</html>' })).toBe(false);
    expect(speaksForSignIn({ text: '{"error":{"code":1}}' })).toBe(false);
  });
});

describe('who speaks for storage', () => {
  const answer = { status: 403, headers: {}, code: undefined };

  it('is who names an S3 code', () => {
    expect(speaksForStorage({ ...answer, code: 'AccessDenied' }, 'PUT')).toBe(true);
    expect(speaksForStorage(answer, 'PUT')).toBe(false);
    expect(speaksForStorage({ ...answer, code: '' }, 'PUT')).toBe(false);
  });

  it('is for HEAD, whose answer has no body, who sends a header of S3', () => {
    const marked = { ...answer, headers: { 'x-amz-request-id': 'tx01' } };
    expect(speaksForStorage(marked, 'HEAD')).toBe(true);
    expect(speaksForStorage(marked, 'PUT')).toBe(false);
    expect(speaksForStorage(answer, 'HEAD')).toBe(false);
  });
});

describe('what was heard', () => {
  it('is a refusal by the service or storage, and no failure of the way to them', () => {
    expect(wasHeard(new TileliftError('request-refused'))).toBe(true);
    expect(wasHeard(new TileliftError('storage-denied'))).toBe(true);
    for (const code of ['foreign-answer', 'service-unreachable', 'certificate-untrusted'] as const)
      expect(wasHeard(new TileliftError(code))).toBe(false);
  });
});
