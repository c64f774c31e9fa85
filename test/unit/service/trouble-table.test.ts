import { describe, expect, it } from 'vitest';
import { type ErrorCode, TileliftError, toErrorRecord } from '../../../main/errors.ts';
import { parseJson } from '../../../main/service/answer.ts';
import { answerLimitBytes } from '../../../main/service/http-request.ts';
import { createServiceClient } from '../../../main/service/service-client.ts';
import { errorAdvice, errorMessage } from '../../../renderer/say.ts';
import { manualClock } from '../account/stand-ins.ts';

const address = { baseUrl: 'https://api.example.com', authUrl: 'https://example.com' };
const token = 'opaque-token-of-no-shape-4711';
const asset = { id: 7, type: 'IMAGERY', name: 'Ortho', status: 'IN_PROGRESS' };
const created = {
  assetMetadata: { ...asset, status: 'AWAITING_FILES' },
  uploadLocation: {
    bucket: 'b',
    prefix: 'sources/7/',
    accessKey: 'key-of-no-shape-0815',
    secretAccessKey: 'secret-of-no-shape-0816',
    sessionToken: 'session-of-no-shape-0817',
  },
  onComplete: { method: 'POST', url: 'https://api.example.com/v1/assets/7/uploadComplete', fields: {} },
};
const secrets = [
  token,
  ...['accessKey', 'secretAccessKey', 'sessionToken'].map(
    (name) => new Map(Object.entries(created.uploadLocation)).get(name) ?? '',
  ),
];

/** The four calls of a client that gets this response to each. */
function callsOver(answer: () => Response) {
  const client = createServiceClient({
    address,
    fetch: async () => answer(),
    clock: manualClock(),
    bearer: async () => token,
    onInvalidCredentials: async () => {},
  });
  return {
    list: () => client.listAssets(),
    create: () => client.createAsset({ name: 'n', type: 'IMAGERY', options: { sourceType: 'x' } }),
    read: () => client.readAsset(7),
    complete: () => client.completeUpload(created.onComplete),
  };
}
type Call = keyof ReturnType<typeof callsOver>;
const allCalls: readonly Call[] = ['list', 'create', 'read', 'complete'];
const callsWithBody: readonly Call[] = ['list', 'create', 'read'];

async function errorOf(answer: () => Response, call: Call): Promise<TileliftError> {
  const outcome = await callsOver(answer)
    [call]()
    .catch((error: unknown) => error);
  if (!(outcome instanceof TileliftError)) throw new Error(`${call} gave ${JSON.stringify(outcome)}`);
  return outcome;
}

/** Contract 7: errors of the service by status; on an asset's own path 404 and 410 name the asset. */
const statuses: readonly [number, ErrorCode, boolean][] = [
  [400, 'request-refused', false],
  [401, 'invalid-credentials', false],
  [403, 'scope-missing', false],
  [404, 'request-refused', false],
  [410, 'request-refused', false],
  [405, 'request-refused', false],
  [408, 'service-unavailable', true],
  [409, 'request-refused', false],
  [413, 'request-too-large', false],
  [415, 'request-refused', false],
  [422, 'request-refused', false],
  [451, 'request-refused', false],
  [429, 'service-busy', true],
  [500, 'service-unavailable', true],
  [502, 'service-unavailable', true],
  [503, 'service-unavailable', true],
  [504, 'service-unavailable', true],
  [301, 'foreign-answer', true],
  [304, 'foreign-answer', true],
];
const noBody = new Set([204, 304]);

describe('a response with status', () => {
  const rows = statuses.flatMap(([status, code, retryable]) =>
    allCalls.map((call) => ({ status, call, code, retryable })),
  );
  it.each(rows)(
    '$status to “$call” is $code, with the service’s own words',
    async ({ status, call, code, retryable }) => {
      const onAsset = (status === 404 || status === 410) && (call === 'read' || call === 'complete');
      const onList = status === 403 && call === 'list';
      const words = { code: 'SomeCode', message: 'Words of the service.' };
      const body = noBody.has(status) ? null : JSON.stringify(words);
      const error = await errorOf(() => new Response(body, { status }), call);
      const record = toErrorRecord(error);
      expect([errorMessage(record), errorAdvice(record)]).toEqual(
        Array(2).fill(expect.stringMatching(/\.$/)),
      );
      expect(record).toMatchObject({
        code: onAsset ? 'asset-not-found' : onList ? 'list-not-allowed' : code,
        retryable: onAsset ? false : retryable,
        remote: { status, ...(body ? words : {}) },
      });
    },
  );

  it.each(statuses)(
    '%i is temporary and shortened for HTML, cut-off JSON, wrong types, nothing and 10 MB',
    async (status) => {
      const bodies = ['<html>Gateway</html>', '{"code":"So', '{"code":7,"message":[]}', '[]', 'null', ''];
      for (const body of [...bodies, 'x'.repeat(answerLimitBytes + 1)]) {
        for (const call of allCalls) {
          const error = await errorOf(() => new Response(noBody.has(status) ? null : body, { status }), call);
          expect(['foreign-answer', 'service-unavailable', 'service-busy']).toContain(error.code);
          expect(error.remote?.message?.length ?? 0).toBeLessThanOrEqual(200);
        }
      }
    },
  );

  it('429 and 503 include Retry-After', async () => {
    for (const status of [429, 503]) {
      const headers = { 'retry-after': '7' };
      const error = await errorOf(() => new Response('', { status, headers }), 'create');
      expect(error.remote?.retryAfterMs).toBe(7000);
    }
  });
});

describe('success with an unusable body', () => {
  const cutJson = (value: object) => JSON.stringify(value).slice(0, -3);
  const bodies: readonly [string, () => Response][] = [
    ['nothing, with 204', () => new Response(null, { status: 204 })],
    ['nothing, with 200', () => new Response('')],
    ['HTML', () => new Response('<!doctype html><title>Sign in</title>')],
    ['JSON that is cut off', () => new Response(cutJson(created))],
    ['another kind of JSON', () => Response.json([1, 2])],
    ['null', () => Response.json(null)],
    ['a word for an id', () => Response.json({ ...asset, id: 'seven' })],
    ['a fraction for an id', () => Response.json({ ...asset, id: 7.5 })],
    ['an object for a status', () => Response.json({ ...asset, status: {} })],
    ['items that are no list', () => Response.json({ items: asset })],
    ['no upload location', () => Response.json({ ...created, uploadLocation: undefined })],
    [
      'a number for a key',
      () => Response.json({ ...created, uploadLocation: { ...created.uploadLocation, accessKey: 1 } }),
    ],
    [
      'an endpoint that is no address',
      () => Response.json({ ...created, uploadLocation: { ...created.uploadLocation, endpoint: 'ftp://x' } }),
    ],
    [
      'a completion that reads',
      () => Response.json({ ...created, onComplete: { ...created.onComplete, method: 'GET' } }),
    ],
    ['ten megabytes and more', () => new Response(`"${'x'.repeat(answerLimitBytes)}"`)],
    ['brackets without end', () => new Response('['.repeat(1_000_000))],
    ['bytes that are no text', () => new Response(new Uint8Array([0xff, 0xfe, 0, 0xd8]))],
  ];
  const rows = bodies.flatMap(([bodyKind, answer]) =>
    callsWithBody.map((call) => ({ what: bodyKind, answer, call })),
  );

  it.each(rows)(
    'success with an unusable body to “$call” ($what) is foreign and shows its beginning without secrets',
    async ({ answer, call }) => {
      const error = await errorOf(answer, call);
      expect(['foreign-answer', 'unexpected-answer', 'creation-unusable']).toContain(error.code);
      expect(error.remote?.message?.length ?? 0).toBeLessThanOrEqual(200);
      const shownError = JSON.stringify(toErrorRecord(error));
      for (const secret of secrets) expect(shownError).not.toContain(secret);
    },
  );

  it('success with an unusable body: completes an upload for an empty body or JSON, but not for a page', async () => {
    for (const [, answer] of bodies) {
      const text = await answer().text();
      const isRead = text.length <= answerLimitBytes;
      const isJson = isRead && (text === '' || parseJson(text) !== undefined);
      const end = callsOver(answer).complete();
      if (isJson) await end;
      else await expect(end).rejects.toMatchObject({ code: 'foreign-answer' });
    }
  });
});

it.each([200, 400, 403, 500])(
  'a shown response never contains the sent token, whatever its shape (%i)',
  async (status) => {
    const echoes = [
      `Invalid token ${token}`,
      JSON.stringify({ code: 'Odd', message: `token ${token} is odd` }),
      JSON.stringify({ code: token, message: 'odd' }),
      `${'x'.repeat(190)}${token}`,
    ];
    for (const text of echoes) {
      const error = await errorOf(() => new Response(text, { status }), 'list');
      const shownError = JSON.stringify(toErrorRecord(error));
      expect(shownError).not.toContain(token);
      expect(shownError).not.toContain(token.slice(0, 10));
    }
  },
);

it('a shown response is redacted quickly for a message of ten megabytes', async () => {
  const message = 'Bearer code=1&state= '.repeat(400_000);
  const previous = process.threadCpuUsage();
  const error = await errorOf(() => Response.json({ code: 'Long', message }, { status: 400 }), 'list');
  const { user, system } = process.threadCpuUsage(previous);
  expect(error.remote?.message?.length).toBeLessThanOrEqual(500);
  expect((user + system) / 1_000).toBeLessThan(2_000);
});
