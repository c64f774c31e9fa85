import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bodyNotUnderstood,
  meaningOf,
  meaningOfUnread,
  type ServiceRequest,
  type SignInRequest,
  signInMeaningOf,
} from '../../../main/service/answer-meaning.ts';
import { isTransient } from '../../../main/service/who-answered.ts';

const requests: readonly ServiceRequest[] = ['list', 'create', 'read', 'complete', 'change'];
const signInRequests: readonly SignInRequest[] = ['register', 'exchange', 'refresh'];
const bodyText = '{"code":"SomeCode","message":"Words."}';
const foreignTexts = [
  '',
  '<html>Log in to Hotel Wi-Fi</html>',
  'Access denied by policy',
  '{"error":"blocked","reason":"policy"}',
  '{"message":"no route"}',
  '{"code":404,"message":"not found"}',
  '["code"]',
  '{"code":"InvalidCredentials","message":',
];

it('meaningOf() for responses of the service is InvalidCredentials under any status', () => {
  const text = '{"code":"InvalidCredentials","message":"The access token is invalid."}';
  for (const status of [200, 400, 401, 403, 500])
    for (const request of requests) expect(meaningOf({ status, text }, request)).toBe('invalid-credentials');
});

it('meaningOf() for responses of others never ends anything, whatever the status and text', () => {
  const text = fc.oneof(fc.constantFrom(...foreignTexts), fc.string());
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), text, (status, responseText) => {
      for (const request of requests) {
        const code = meaningOf({ status, text: responseText }, request);
        expect(code === null || isTransient({ code })).toBe(true);
      }
      for (const request of signInRequests) {
        const code = signInMeaningOf({ status, text: responseText }, request);
        expect(code === null || isTransient({ code })).toBe(true);
      }
    }),
  );
});

it('meaningOf() for responses of others is foreign for a page under any status, and temporary without one', () => {
  for (const status of [429, 500, 502, 503])
    expect(meaningOf({ status, text: '<html>' }, 'create')).toBe('foreign-answer');
  expect(meaningOf({ status: 503, text: '' }, 'create')).toBe('service-unavailable');
  expect(meaningOf({ status: 502, text: '{"message":"x"}' }, 'create')).toBe('service-unavailable');
  expect(meaningOf({ status: 429, text: '' }, 'create')).toBe('service-busy');
});

it('meaningOf() for responses of others is the proxy’s under 407', () => {
  for (const text of ['', '<html>', bodyText])
    expect(meaningOf({ status: 407, text }, 'read')).toBe('proxy-authentication');
});

it('meaningOf() for responses of others differs from a service response that can’t be parsed', () => {
  for (const text of ['', '<html>', '[]', '{}', '{"status":"ok"}'])
    expect(meaningOfUnread({ text })).toBe('foreign-answer');
  for (const text of ['{"items":7}', '{"id":"7"}', bodyText])
    expect(meaningOfUnread({ text })).toBe('unexpected-answer');
});

describe('meaningOf() for OAuth endpoints', () => {
  const error = (name: string) => JSON.stringify({ error: name });

  it('meaningOf() for OAuth endpoints is a refusal only with an error of OAuth or the service', () => {
    const codes = {
      register: 'registration-failed',
      exchange: 'sign-in-failed',
      refresh: 'invalid-credentials',
    };
    for (const request of signInRequests)
      for (const text of [error('invalid_grant'), '{"code":"InvalidGrant","message":"no"}'])
        for (const status of [200, 400, 401, 403])
          expect(signInMeaningOf({ status, text }, request)).toBe(codes[request]);
  });

  it('meaningOf() for OAuth endpoints keeps a client that the service temporarily does not know', () => {
    for (const text of [error('invalid_client'), '{"code":"InvalidClient","message":"no"}'])
      expect(signInMeaningOf({ status: 401, text }, 'refresh')).toBe('client-unknown');
    expect(signInMeaningOf({ status: 400, text: error('server_error') }, 'refresh')).toBe(
      'service-unavailable',
    );
    expect(signInMeaningOf({ status: 429, text: error('invalid_request') }, 'refresh')).toBe('service-busy');
  });

  it('meaningOf() for OAuth endpoints detects an unsupported request body', () => {
    const notUnderstood = [
      { status: 415, text: '' },
      { status: 415, text: bodyText },
      { status: 400, text: error('invalid_request') },
      { status: 400, text: error('unsupported_grant_type') },
      { status: 400, text: '{"code":"InvalidRequest","message":"grant_type is required."}' },
      { status: 400, text: '{"message":"grant_type is required"}' },
      { status: 422, text: '<html>' },
    ];
    for (const answer of notUnderstood) expect(bodyNotUnderstood(answer)).toBe(true);
    const understoodAnswers = [
      { status: 400, text: error('invalid_grant') },
      { status: 401, text: '' },
      { status: 403, text: '<html>' },
      { status: 503, text: '' },
      { status: 200, text: '' },
    ];
    for (const answer of understoodAnswers) expect(bodyNotUnderstood(answer)).toBe(false);
  });
});
