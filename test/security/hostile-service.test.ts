/**
 * A harmful service or storage must not take more memory and time than an honest one, or receive any secret
 * not meant for it. `otherServer` is a second server that records everything it receives, which must never
 * include a secret.
 */
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOAuthEndpoints } from '../../main/account/tokens/oauth-endpoints.ts';
import { TileliftError } from '../../main/errors.ts';
import { type Clock, systemClock } from '../../main/ports.ts';
import type { CompletionInstruction } from '../../main/service/model.ts';
import { createServiceClient } from '../../main/service/service-client.ts';
import type { PartOrder, Storage } from '../../main/storage/storage.ts';
import { createStorageClient } from '../../main/workers/storage-client.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { withWaitCheck } from '../wait-check.ts';
import {
  dropBytes,
  endless,
  type HostileServer,
  json,
  startHostileServer,
} from './support/hostile-server.ts';

const token = 'the-access-token-of-anna';
const secrets = {
  accessKey: 'ASIAHOSTILESERVICE01',
  secretAccessKey: 'the-secret-access-key-of-this-upload',
  sessionToken: 'the-session-token-of-this-upload',
};
const grant = {
  clientId: 'dcr:1',
  redirectUri: 'tilelift://oauth/callback',
  code: 'the-code-of-this-sign-in',
  verifier: 'the-verifier-of-this-sign-in-that-is-long-enough-for-all',
  expectedState: 's',
  returnedState: 's',
};
const secretTexts = [token, ...Object.values(secrets), grant.code, grant.verifier, 'the-refresh-token'];
/** A limit of 30 s takes 0.3 s here. */
const hurried = withWaitCheck<Clock>({
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms / 100, signal),
});

let service: HostileServer;
let otherServer: HostileServer;
let storage: Storage | null = null;
let folder: string;
beforeEach(async () => {
  [service, otherServer] = await Promise.all([startHostileServer(), startHostileServer()]);
  folder = temporaryFolder();
});
afterEach(async () => {
  storage?.close();
  storage = null;
  const receivedText = JSON.stringify(otherServer.received);
  await Promise.all([service.stop(), otherServer.stop()]);
  for (const secret of secretTexts) expect(receivedText).not.toContain(secret);
});

const client = () =>
  createServiceClient({
    address: { baseUrl: service.origin, authUrl: service.origin },
    fetch,
    clock: hurried,
    bearer: async () => token,
    onInvalidCredentials: async () => {},
  });
const oauth = () => createOAuthEndpoints(service.origin, { fetch, clock: hurried });
const body = { name: 'A', type: 'IMAGERY', options: { sourceType: 'RASTER_IMAGERY' } } as const;
const asset = { id: 7, type: 'IMAGERY', name: 'A', status: 'AWAITING_FILES' };

/** Every request to a service; its outcome doesn't matter, only that there is one. */
const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['list the assets', () => client().listAssets()],
  ['create an asset', () => client().createAsset(body)],
  ['read an asset', () => client().readAsset(7)],
  ['say that all is uploaded', () => client().completeUpload(completion(service.origin))],
  ['register', () => oauth().register()],
  ['exchange the code', () => oauth().exchangeCode(grant)],
  ['refresh', () => oauth().refresh({ ...grant, refreshToken: 'the-refresh-token' })],
];
const completion = (origin: string): CompletionInstruction => ({
  method: 'POST',
  url: `${origin}/v1/assets/7/uploadComplete`,
  fields: {},
});

interface Outcome {
  readonly error: unknown;
  readonly ms: number;
  /** Additional bytes held afterwards. */
  readonly held: number;
}

async function outcomeOf(call: () => Promise<unknown>): Promise<Outcome> {
  const previous = process.memoryUsage.rss();
  const startedAt = performance.now();
  const error = await call().then(
    () => null,
    (error: unknown) => error,
  );
  return { error, ms: performance.now() - startedAt, held: process.memoryUsage.rss() - previous };
}

/** Expects an end soon, with our own message, and memory of a few times the largest response. */
function expectBounded({ error, ms, held: heldBytes }: Outcome): void {
  if (error !== null) expect(error).toBeInstanceOf(TileliftError);
  expect(JSON.stringify((error instanceof TileliftError && error.remote) || null).length).toBeLessThan(5_000);
  expect(ms).toBeLessThan(20_000);
  expect(heldBytes).toBeLessThan(400 * 1024 * 1024);
}

describe.each(calls)('a hostile service that is asked to %s', (_name, call) => {
  it.each([301, 307])(
    'S101: a hostile service can’t redirect the request to another server: %i',
    async (status) => {
      service.answer = (request, response) =>
        void response.writeHead(status, { location: `${otherServer.origin}${request.url}` }).end();
      expectBounded(await outcomeOf(call));
      expect(otherServer.received).toEqual([]);
    },
  );

  it.each([
    ['a body without end', endless(Buffer.alloc(64 * 1024, 'x'))],
    ['an array without end', endless('[[[[[[[['.repeat(4_096), '{"items":[')],
    ['a byte now and then', dropBytes(50)],
    [
      'a header without end',
      (_: unknown, response: { socket: { write(text: string): void } | null }) => flood(response.socket),
    ],
    ['nothing at all', () => {}],
    [
      'JSON of great depth',
      (_: unknown, response: { end(text: string): void }) =>
        response.end(`${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`),
    ],
    [
      'JSON of great width',
      json({
        items: Array.from({ length: 100_000 }, () => asset),
        code: 'x'.repeat(1_000_000),
        message: '\\'.repeat(1_000_000),
        error: 'e',
      }),
    ],
    ['XML whose entities grow', (_: unknown, response: { end(text: string): void }) => response.end(xmlBomb)],
    [
      'backslashes',
      (_: unknown, response: { writeHead(status: number): { end(text: string): void } }) =>
        response.writeHead(500).end('\\'.repeat(5_000_000)),
    ],
  ] as const)('a hostile service gains neither memory nor time with %s', async (_what, answer) => {
    service.answer = answer as HostileServer['answer'];
    expectBounded(await outcomeOf(call));
  });
});

const xmlBomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'
  .split('')
  .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`)
  .join('')}]><OAuth><access_token>&j;</access_token><token_type>bearer</token_type></OAuth>`;

function flood(socket: { write(text: string): void } | null): void {
  socket?.write('HTTP/1.1 200 OK\r\n');
  for (let count = 0; count < 20_000; count += 1) socket?.write(`x-${count}: ${'y'.repeat(100)}\r\n`);
}

describe('a hostile response to creating an asset', () => {
  const created = (change: object) => ({
    assetMetadata: asset,
    uploadLocation: { bucket: 'b', prefix: 'sources/7/', ...secrets, endpoint: service.origin },
    onComplete: completion(service.origin),
    ...change,
  });

  it.each([
    () => `${otherServer.origin}/v1/assets/7/uploadComplete`,
    () => `${otherServer.origin.replace('//', '//127.0.0.1@')}/x`,
    () => `${service.origin}@${new URL(otherServer.origin).host}/v1/assets/7/uploadComplete`,
    () => `//${new URL(otherServer.origin).host}/x`,
    () => `\\\\${new URL(otherServer.origin).host}\\x`,
    () => 'file:///etc/passwd',
    () => 'javascript:alert(1)',
    () => `http:${new URL(otherServer.origin).host}`,
    () => 'http://[',
    () => `${service.origin}.invalid/x`,
  ])(
    'a hostile response to creating an asset can’t send the token to another completion address: %s',
    async (urlOf) => {
      const onComplete = { method: 'POST', url: urlOf(), fields: {} };
      service.answer = json(created({ onComplete }));
      const outcome = await outcomeOf(async () => {
        const { onComplete } = await client().createAsset(body);
        service.answer = json({});
        await client().completeUpload(onComplete);
      });
      expectBounded(outcome);
      expect(otherServer.received).toEqual([]);
    },
  );
});

describe('hostile storage', () => {
  const open = (endpoint: string) => {
    storage = createStorageClient(
      { bucket: 'b', prefix: 'sources/7/', ...secrets, endpoint },
      { stallMs: 500, completeMs: 500, workers: 1 },
    );
    return storage;
  };
  const order = async (): Promise<PartOrder> => {
    const path = join(folder, 'a.tif');
    await writeFile(path, Buffer.alloc(200_000, 1));
    const { size, mtimeMs } = await stat(path);
    return {
      path,
      size,
      mtimeMs,
      key: 'a.tif',
      uploadId: null,
      number: 1,
      offset: 0,
      length: size,
      mayCarryCrc32: true,
      adoptable: null,
    };
  };
  const requests: readonly (readonly [string, (storage: Storage) => Promise<unknown>])[] = [
    ['begin an upload', (storage) => storage.createMultipartUpload('a.tif')],
    ['list parts', (storage) => storage.listParts('a.tif', 'u')],
    [
      'complete an upload',
      (storage) =>
        storage.completeMultipartUpload('a.tif', { uploadId: 'u', checksum: null }, [
          { number: 1, size: 1, etag: 'e' },
        ]),
    ],
    ['take a file', async (storage) => storage.sendPart(await order())],
  ];
  /** Storage faults have the engine's types; only the end matters. */
  const expectEnd = ({ error, ms, held: heldBytes }: Outcome) => {
    if (error !== null) expect(error).toBeInstanceOf(Error);
    expect(String(error).length).toBeLessThan(100_000_000);
    expect(ms).toBeLessThan(20_000);
    expect(heldBytes).toBeLessThan(400 * 1024 * 1024);
  };

  describe.each(requests)('that is asked to %s', (_name, request) => {
    it.each([302, 308])(
      'S102: hostile storage can’t redirect the request to another server: %i',
      async (status) => {
        service.answer = (request, response) =>
          void response.writeHead(status, { location: `${otherServer.origin}${request.url}` }).end();
        expectEnd(await outcomeOf(() => request(open(service.origin))));
        expect(otherServer.received).toEqual([]);
      },
    );

    it.each([
      ['a body without end', endless(Buffer.alloc(64 * 1024, 'x'))],
      ['an error document without end', endless('<Code>'.repeat(10_000), '<Error>')],
      ['a byte now and then', dropBytes(50)],
      ['nothing at all', () => {}],
      [
        'XML whose entities grow',
        (_: unknown, response: { end(text: string): void }) =>
          response.end(
            xmlBomb
              .replaceAll('OAuth', 'InitiateMultipartUploadResult')
              .replaceAll('access_token', 'UploadId'),
          ),
      ],
      [
        'XML of great depth',
        (_: unknown, response: { end(text: string): void }) => response.end('<a>'.repeat(200_000)),
      ],
    ] as const)('hostile storage gains neither memory nor time with %s', async (_what, answer) => {
      service.answer = answer as HostileServer['answer'];
      expectEnd(await outcomeOf(() => request(open(service.origin))));
    });
  });

  it('S103: hostile storage can’t make Tilelift read endless pages of parts', async () => {
    service.answer = (_request, response) =>
      void response.end(
        `<ListPartsResult><IsTruncated>true</IsTruncated><NextPartNumberMarker>1</NextPartNumberMarker><Part><PartNumber>1</PartNumber><Size>1</Size><ETag>"e"</ETag></Part></ListPartsResult>`,
      );
    expectEnd(
      await outcomeOf(() =>
        open(service.origin).listParts('a.tif', 'u', { signal: AbortSignal.timeout(10_000) }),
      ),
    );
    expect(service.received.length).toBeLessThan(2_000);
  });
});
