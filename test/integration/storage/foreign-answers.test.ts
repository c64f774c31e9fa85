import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PartOrder, Storage } from '../../../main/storage/storage.ts';
import { classifyFault, StorageError } from '../../../main/storage/storage-error.ts';
import { createStorageClient } from '../../../main/workers/storage-client.ts';
import { suiteFolder } from '../../temporary-folder.ts';
import { orderWholeFile } from './part-order.ts';
import { type ForeignAnswer, foreignAnswers, type Stranger, startStranger } from './stranger.ts';

let stranger: Stranger;
let storage: Storage;
const folder = suiteFolder();
let order: PartOrder;
let answer: ForeignAnswer;

beforeAll(async () => {
  order = await orderWholeFile(folder, 'a', 'bytes');
  stranger = await startStranger(() => answer);
  const credentials = { accessKey: 'k', secretAccessKey: 's', sessionToken: 't' };
  const location = { bucket: 'b', prefix: 'p/', endpoint: stranger.endpoint, ...credentials };
  storage = createStorageClient(location, { workers: 1 });
});
afterAll(async () => {
  storage.close();
  await stranger.close();
});

const part = { number: 1, size: 5, etag: 'a'.repeat(32) };
const requests: Readonly<Record<string, () => Promise<unknown>>> = {
  'PUT of a file': () => storage.sendPart(order),
  'PUT of a part': () => storage.sendPart({ ...order, uploadId: 'u' }),
  'POST that begins an upload': () => storage.createMultipartUpload('a'),
  'GET of its parts': () => storage.listParts('a', 'u'),
  'POST that completes it': () =>
    storage.completeMultipartUpload('a', { uploadId: 'u', checksum: null }, [part]),
  'DELETE that aborts it': () => storage.abortMultipartUpload('a', 'u'),
  'HEAD of an object': () => storage.headObject('a', { expectedEtag: `${'b'.repeat(32)}-1` }),
};

describe.each(Object.entries(requests))('answer to %s', (name, request) => {
  it.each(Object.entries(foreignAnswers))(
    'attributes an answer to another server: %s',
    async (_, foreignAnswer) => {
      answer = foreignAnswer;
      // HEAD has no body, and DELETE needs none.
      const caughtError = await request().then(
        (confirmedValue: unknown) => ({ confirmed: confirmedValue }),
        (error: unknown) => error,
      );
      if (!(caughtError instanceof StorageError)) expect.fail(`${name}: ${JSON.stringify(caughtError)}`);
      expect(caughtError.fault.fromStorage).toBeUndefined();
      expect(caughtError.fault.status).toBe(foreignAnswer.status);
      for (const lifeOver of [false, true]) {
        const kind = classifyFault(caughtError.fault, { lifeOver });
        expect(kind).toBe(foreignAnswer.status === 429 || foreignAnswer.status >= 500 ? 'again' : 'foreign');
      }
    },
  );
});

it.each(Object.entries(requests))(
  '407 that no proxy was asked for: reports an unexpected 407 as a proxy error to %s',
  async (_, request) => {
    answer = { status: 407, headers: { 'Proxy-Authenticate': 'Basic realm="office"' } };
    await expect(request()).rejects.toMatchObject({ fault: { code: 'ProxyAuthentication' } });
  },
);
