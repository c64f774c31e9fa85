import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directRoute } from '../../../main/ports.ts';
import type { Storage } from '../../../main/storage/storage.ts';
import { createStorageClient, type StorageClientOptions } from '../../../main/workers/storage-client.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { orderWholeFile } from './part-order.ts';
import { type Answerer, type ForeignAnswer, type Stranger, startStranger } from './stranger.ts';

/** Real stores, each imitated by a few responses. */
let stores: Stranger[];
let clients: Storage[];
let requestLines: string[];
let folder: string;

beforeEach(async () => {
  stores = [];
  clients = [];
  requestLines = [];
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const client of clients) client.close();
  await Promise.all(stores.map((store) => store.close()));
});

const markedHeaders = { 'x-amz-request-id': 'tx1' };
const xmlns = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
const document = (root: string, content: string): ForeignAnswer => ({
  status: 200,
  headers: markedHeaders,
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${xmlns}>${content}</${root}>`,
});
const part = (number: number, etag = '&quot;abc&quot;') =>
  `<Part><PartNumber>${number}</PartNumber><Size>5</Size><ETag>${etag}</ETag></Part>`;

async function storeThat(
  answerer: Answerer,
  options: StorageClientOptions = {},
  endpoint?: string,
): Promise<Storage> {
  const store = await startStranger((request, body) => {
    requestLines.push(`${request.method} ${request.headers.host ?? ''} ${request.url}`);
    return answerer(request, body);
  });
  stores.push(store);
  const credentials = { accessKey: 'k', secretAccessKey: 's', sessionToken: 't' };
  const location = { bucket: 'tiles', prefix: 'p/', endpoint: endpoint ?? store.endpoint, ...credentials };
  const proxyFor = async () => (endpoint ? `PROXY 127.0.0.1:${store.port}` : 'DIRECT');
  const client = createStorageClient(location, { workers: 1, way: { ...directRoute, proxyFor }, ...options });
  clients.push(client);
  return client;
}

it('beginning an upload: keeps a numeric upload ID as text', async () => {
  const content = '<UploadId>0012.50</UploadId>';
  const storage = await storeThat(() => document('InitiateMultipartUploadResult', content));
  expect(await storage.createMultipartUpload('a')).toMatchObject({ uploadId: '0012.50' });
});

it('beginning an upload: rejects an answer without an ID', async () => {
  const storage = await storeThat(() => document('InitiateMultipartUploadResult', '<Key>a</Key>'));
  const caughtError = await storage.createMultipartUpload('a').catch((error: unknown) => error);
  expect(caughtError).toMatchObject({ name: 'StorageError', fault: { status: 200 } });
  expect(caughtError).not.toMatchObject({ fault: { fromStorage: true } });
});

describe('listing parts', () => {
  it('listing parts: reads one, several or no parts, and ETags quoted as numbers, as stores in Go send them', async () => {
    const insides = [
      part(1, '&#34;abc&#34;'),
      part(1, '&#x22;abc&#x22;') + part(2),
      '<IsTruncated>false</IsTruncated>',
    ];
    const storage = await storeThat(() => document('ListPartsResult', insides.shift() ?? ''));
    const list = () => storage.listParts('a', 'u');
    expect(await list()).toEqual([{ number: 1, size: 5, etag: 'abc' }]);
    expect(await list()).toMatchObject([{ etag: 'abc' }, { number: 2 }]);
    expect(await list()).toEqual([]);
  });

  it('listing parts: follows IsTruncated alone, since some stores send a marker on the last page', async () => {
    const page = (number: number, truncated: boolean) =>
      document(
        'ListPartsResult',
        `<IsTruncated>${truncated}</IsTruncated><NextPartNumberMarker>${number}</NextPartNumberMarker>${part(number)}`,
      );
    const storage = await storeThat(({ url }) => (url.includes('marker=1') ? page(2, false) : page(1, true)));
    expect(await storage.listParts('a', 'u')).toMatchObject([{ number: 1 }, { number: 2 }]);
    expect(requestLines).toHaveLength(2);
  });

  it.each([
    ['no marker and no part', ''],
    ['the same marker forever', `<NextPartNumberMarker>1</NextPartNumberMarker>${part(1)}`],
  ])('G19: stops if a page that isn’t the last has %s', async (_, content) => {
    const storage = await storeThat(() =>
      document('ListPartsResult', `<IsTruncated>true</IsTruncated>${content}`),
    );
    await expect(storage.listParts('a', 'u')).rejects.toMatchObject({ fault: { code: 'EndlessListing' } });
    expect(requestLines.length).toBeLessThanOrEqual(2);
  });

  it('listing parts: continues after the last part if no marker is given', async () => {
    const storage = await storeThat(({ url }) =>
      document(
        'ListPartsResult',
        url.includes('marker=2') ? part(3) : `<IsTruncated>true</IsTruncated>${part(1)}${part(2)}`,
      ),
    );
    expect(await storage.listParts('a', 'u')).toHaveLength(3);
  });
});

describe('completing an upload', () => {
  const completeAnswer = document('CompleteMultipartUploadResult', '<ETag>&#34;abc-2&#34;</ETag>');

  it.each([
    ['', null],
    ['<ETag></ETag>', null],
    ['<ETag>abc-2</ETag>', 'abc-2'],
    ['<ETag>&quot;abc-2&quot;</ETag>', 'abc-2'],
  ])('completing an upload: accepts %j as its ETag', async (content, etag) => {
    const storage = await storeThat(() => document('CompleteMultipartUploadResult', content));
    expect(await storage.completeMultipartUpload('a', { uploadId: 'u', checksum: null }, [])).toMatchObject({
      etag,
    });
  });

  it('completing an upload: names the parts, whatever characters their ETags contain', async () => {
    const bodies: string[] = [];
    const storage = await storeThat((_, body) => {
      bodies.push(body);
      return completeAnswer;
    });
    await storage.completeMultipartUpload('a', { uploadId: 'u', checksum: null }, [
      { number: 7, size: 1, etag: `a<&"'b` },
    ]);
    expect(bodies[0]).toContain('<PartNumber>7</PartNumber>');
    expect(bodies[0]).toContain('a&lt;&amp;');
  });

  it('completing an upload: reads an answer that white space kept alive', async () => {
    const body = `${' \n'.repeat(500)}${completeAnswer.body}`;
    const storage = await storeThat(() => ({ ...completeAnswer, body }));
    expect(await storage.completeMultipartUpload('a', { uploadId: 'u', checksum: null }, [])).toMatchObject({
      etag: 'abc-2',
    });
  });

  it('completing an upload: allows storage far longer than a stall', async () => {
    const storage = await storeThat(() => completeAnswer, { stallMs: 1_000 });
    const open = stores[0]?.holdAnswers();
    // Storage drops stalled requests, and would have dropped this one too.
    const head = storage.headObject('a').catch((error: unknown) => error);
    const completed = storage.completeMultipartUpload('a', { uploadId: 'u', checksum: null }, []);
    expect(await head).toMatchObject({ fault: { code: 'Stalled' } });
    await expect(storage.headObject('a')).rejects.toMatchObject({ fault: { code: 'Stalled' } });
    open?.();
    expect(await completed).toMatchObject({ etag: 'abc-2' });
  });

  it('completing an upload: gives up after its limit', async () => {
    const storage = await storeThat(() => completeAnswer, { stallMs: 50, completeMs: 100 });
    stores[0]?.holdAnswers();
    await expect(
      storage.completeMultipartUpload('a', { uploadId: 'u', checksum: null }, []),
    ).rejects.toMatchObject({ fault: { code: 'Stalled' } });
  });
});

it.each<[string, ForeignAnswer]>([
  ['204', { status: 204 }],
  ['200 with S3’s headers, as some stores answer', { status: 200, headers: markedHeaders }],
])('aborting an upload counts %s as done', async (_, answer) => {
  const storage = await storeThat(() => answer);
  await storage.abortMultipartUpload('a', 'u');
  expect(requestLines[0]).toMatch(/^DELETE \S+ \/tiles\/p\/a\?uploadId=u/);
});

it.each<[string, Record<string, string>]>([
  ['an answer with a header of S3', { ...markedHeaders, ETag: '"x"' }],
  ['an answer with the expected ETag', { ETag: `"${'B'.repeat(32)}-3"` }],
])('looking up an object accepts %s', async (_, headers) => {
  const storage = await storeThat(() => ({ status: 200, headers: { 'Content-Length': '17', ...headers } }));
  expect(await storage.headObject('a', { expectedEtag: `${'b'.repeat(32)}-3` })).toMatchObject({ size: 17 });
});

it.each([403, 404])('looking up an object: accepts a bare %i with S3’s headers', async (status) => {
  const storage = await storeThat(() => ({ status, headers: markedHeaders }));
  await expect(storage.headObject('a')).rejects.toMatchObject({ fault: { status, fromStorage: true } });
});

describe('store that refuses the bucket in the path', () => {
  const refusal = (content: string): ForeignAnswer => ({
    status: 403,
    headers: markedHeaders,
    body: `<?xml version="1.0"?><Error>${content}</Error>`,
  });

  it.each([
    '<Code>SecondLevelDomainForbidden</Code>',
    '<Code>PathStyleDomainForbidden</Code>',
    '<Code>VirtualHostDomainRequired</Code>',
    '<Code>PermanentRedirect</Code><Endpoint>tiles.store.invalid</Endpoint>',
  ])(
    'store that refuses the bucket in the path: puts the bucket into the host after the store refused it in the path: %s',
    async (content) => {
      const answerer: Answerer = ({ headers }) =>
        headers.host === 'tiles.store.invalid'
          ? document('InitiateMultipartUploadResult', '<UploadId>u</UploadId>')
          : refusal(content);
      const storage = await storeThat(answerer, {}, 'http://store.invalid');
      expect(await storage.createMultipartUpload('a')).toMatchObject({ uploadId: 'u' });
      expect(await storage.createMultipartUpload('b')).toMatchObject({ uploadId: 'u' });
      expect(requestLines.map((line) => line.split('?')[0])).toEqual([
        'POST store.invalid http://store.invalid/tiles/p/a',
        'POST tiles.store.invalid http://tiles.store.invalid/p/a',
        'POST tiles.store.invalid http://tiles.store.invalid/p/b',
      ]);
    },
  );

  it('store that refuses the bucket in the path: follows no redirect to another store', async () => {
    const content = '<Code>PermanentRedirect</Code><Endpoint>tiles.elsewhere.invalid</Endpoint>';
    const storage = await storeThat(() => refusal(content), {}, 'http://store.invalid');
    await expect(storage.createMultipartUpload('a')).rejects.toMatchObject({
      fault: { code: 'PermanentRedirect', fromStorage: true },
    });
    expect(requestLines).toHaveLength(1);
  });
});

describe('store without S3’s headers and with opaque ETags, like Cloudflare R2', () => {
  const unmarked = (answer: ForeignAnswer): ForeignAnswer => ({ ...answer, headers: {} });
  const opaque: ForeignAnswer = { status: 200, headers: { ETag: '"AIi7yLrI-opaque"' } };
  const refusal: ForeignAnswer = {
    status: 404,
    body: '<Error><Code>NoSuchUpload</Code><Message>none</Message></Error>',
  };

  const orderOf = async (uploadId: string | null) => ({
    ...(await orderWholeFile(folder, 'a', 'small')),
    uploadId,
  });

  it('store without S3’s headers and with opaque ETags, like Cloudflare R2: accepts parts once it has begun an upload', async () => {
    const storage = await storeThat(({ method }) =>
      method === 'POST'
        ? unmarked(document('InitiateMultipartUploadResult', '<UploadId>u</UploadId>'))
        : opaque,
    );
    await storage.createMultipartUpload('a');
    expect(await storage.sendPart(await orderOf('u'))).toMatchObject({
      etag: 'AIi7yLrI-opaque',
      isMd5: false,
    });
    expect(requestLines).toHaveLength(2);
  });

  it('store without S3’s headers and with opaque ETags, like Cloudflare R2: accepts a first small file after answering for an upload that doesn’t exist', async () => {
    const storage = await storeThat(({ method }) => (method === 'GET' ? refusal : opaque));
    for (const _ of [1, 2])
      expect(await storage.sendPart(await orderOf(null))).toMatchObject({ etag: 'AIi7yLrI-opaque' });
    expect(requestLines.map((line) => line.split(' ')[0])).toEqual(['PUT', 'GET', 'PUT']);
  });

  it('store without S3’s headers and with opaque ETags, like Cloudflare R2: reports an object by its size alone', async () => {
    const storage = await storeThat(({ method }) =>
      method === 'GET' ? refusal : { status: 200, headers: { ETag: '"opaque-2"', 'Content-Length': '17' } },
    );
    await expect(storage.headObject('a', { size: 17 })).rejects.toMatchObject({ fault: { status: 200 } });
    await expect(storage.listParts('a', 'u')).rejects.toMatchObject({ fault: { code: 'NoSuchUpload' } });
    expect(await storage.headObject('a', { size: 17 })).toMatchObject({ etag: 'opaque-2', size: 17 });
    await expect(storage.headObject('a', { size: 18 })).rejects.toMatchObject({ fault: { status: 200 } });
  });
});
