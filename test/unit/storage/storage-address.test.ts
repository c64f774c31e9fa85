import { expect, it } from 'vitest';
import { refusePlainStorage } from '../../../main/storage/storage-address.ts';

it.each([
  undefined,
  'https://s3.example',
  'https://s3.example:9000/base',
  'http://127.0.0.1:9000',
  'http://localhost:9000',
  'http://[::1]:9000',
])('storage at %s may be spoken to', (endpoint) => {
  expect(refusePlainStorage(endpoint, false)).toBeNull();
});

it.each([
  'http://s3.example',
  'HTTP://S3.example:9000/base',
  'http://127.0.0.2:9000',
  'http://localhost.example',
  'http://10.0.0.1',
])('storage at %s may only where that was allowed', (endpoint) => {
  expect(refusePlainStorage(endpoint, false)).toMatchObject({
    code: 'storage-plain',
    subject: new URL(endpoint).origin,
  });
  expect(refusePlainStorage(endpoint, true)).toBeNull();
});
