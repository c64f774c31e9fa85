import { describe, expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import {
  hasStorageMark,
  isAuthoritative,
  isServiceResponse,
  isSignInResponse,
  isStorageResponse,
  provesDocument,
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

it('service responses contain a code and a message as JSON', () => {
  expect(isServiceResponse({ text: '{"code":"InvalidCredentials","message":"no"}' })).toBe(true);
  expect(isServiceResponse({ text: '{"code":"X","message":""}' })).toBe(true);
});

it.each(foreignTexts)('service responses are not %j', (text) =>
  expect(isServiceResponse({ text })).toBe(false),
);

it('service responses include OAuth errors for sign-in', () => {
  expect(isSignInResponse({ text: '{"error":"invalid_grant"}' })).toBe(true);
  expect(isSignInResponse({ text: '{"code":"InvalidGrant","message":"no"}' })).toBe(true);
  expect(isSignInResponse({ text: '<html>401</html>' })).toBe(false);
  expect(isSignInResponse({ text: '{"error":{"code":1}}' })).toBe(false);
});

describe('storage responses', () => {
  const answer = { status: 403, headers: {}, code: undefined };

  it('storage responses name an S3 code', () => {
    expect(isStorageResponse({ ...answer, code: 'AccessDenied' }, 'PUT')).toBe(true);
    expect(isStorageResponse(answer, 'PUT')).toBe(false);
    expect(isStorageResponse({ ...answer, code: '' }, 'PUT')).toBe(false);
  });

  it.each([
    ['x-amz-request-id', true],
    ['x-amz-id-2', true],
    ['x-amz-server-side-encryption', true],
    ['x-amz-cf-id', false],
    ['x-amzn-requestid', false],
    ['etag', false],
  ])('storage responses are marked by %s: %s', (name, isMarked) =>
    expect(hasStorageMark({ [name]: 'a' })).toBe(isMarked),
  );

  it('storage responses to HEAD without a body carry an S3 header', () => {
    const markedAnswer = { ...answer, headers: { 'x-amz-request-id': 'tx01' } };
    expect(isStorageResponse(markedAnswer, 'HEAD')).toBe(true);
    expect(isStorageResponse(markedAnswer, 'PUT')).toBe(false);
    expect(isStorageResponse(answer, 'HEAD')).toBe(false);
  });
});

it.each([
  ['<ListPartsResult/>', true],
  ['<?xml version="1.0"?>\n<ListPartsResult xmlns="http://s3"><Part></Part></ListPartsResult>\n', true],
  ['  \n <?xml version="1.0" encoding="UTF-8"?><s3:ListPartsResult></s3:ListPartsResult>', true],
  ['<ListPartsResult><Part>', false],
  ['<ListPartsResultOf></ListPartsResultOf>', false],
  ['<html><ListPartsResult></ListPartsResult></html>', false],
  ['<InitiateMultipartUploadResult></InitiateMultipartUploadResult>', false],
  ['', false],
])('proof that storage acted of a listing is the complete document: %j: %s', (body, isProof) => {
  expect(provesDocument(body, 'ListPartsResult')).toBe(isProof);
});

it('isAuthoritative() is true for refusals of the service and storage, not for connection failures', () => {
  expect(isAuthoritative(new TileliftError('request-refused'))).toBe(true);
  expect(isAuthoritative(new TileliftError('storage-denied'))).toBe(true);
  for (const code of ['foreign-answer', 'service-unreachable', 'certificate-untrusted'] as const)
    expect(isAuthoritative(new TileliftError(code))).toBe(false);
});
