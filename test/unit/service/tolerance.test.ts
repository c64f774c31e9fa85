import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTokenAnswer } from '../../../main/account/tokens/token-answer.ts';
import { meaningOf, signInMeaningOf } from '../../../main/service/answer-meaning.ts';
import { assetAnswer, listAnswer } from '../../../main/service/answers.ts';
import { readCreated } from '../../../main/service/created-asset.ts';
import {
  createToleranceCounter,
  forgivenIn,
  type Tolerance,
  tolerances,
} from '../../../main/service/tolerance.ts';

const api = 'https://api.example.com';
const assets = { url: `${api}/v1/assets`, headers: {} };
const one = { url: `${api}/v1/assets/7`, headers: {} };
const token = { url: `${api}/oauth/token`, headers: { 'content-type': 'application/x-www-form-urlencoded' } };

/** Letter by letter as the contract shows it. */
const asset = {
  id: 7,
  type: 'IMAGERY',
  name: 'A',
  description: '',
  attribution: '',
  bytes: 0,
  dateAdded: '2026-11-01T00:00:00Z',
  status: 'AWAITING_FILES',
  percentComplete: 0,
};
const uploadLocation = {
  bucket: 'b',
  prefix: 'sources/7/',
  accessKey: 'a',
  secretAccessKey: 's',
  sessionToken: 't',
  endpoint: 'https://storage.example.com',
};
const onComplete = { method: 'POST', url: `${api}/v1/assets/7/uploadComplete`, fields: {} };
const created = { assetMetadata: asset, uploadLocation, onComplete };
const tokens = {
  access_token: 'a',
  token_type: 'bearer',
  refresh_token: 'r',
  expires_in: 3600,
  refresh_token_expires_in: 7200,
};
const { refresh_token: _r, ...tokensWithoutRefresh } = tokens;
const { bytes: _b, ...assetWithoutBytes } = asset;

const inForm =
  'access_token=a&token_type=bearer&refresh_token=r&expires_in=3600&refresh_token_expires_in=7200';
const inXml = `<OAuth>${Object.entries(tokens)
  .map(([name, value]) => `<${name}>${value}</${name}>`)
  .join('')}</OAuth>`;

const usable = (body: object) => readCreated(JSON.stringify(body), assets.url);
const read = (body: object) => assetAnswer.parse(body);
const expected = readTokenAnswer(JSON.stringify(tokens));

/** For each thing: the answer, and what is made of it. */
const cases: Record<
  Tolerance,
  {
    readonly request: typeof token | typeof assets;
    readonly body: object | string;
    readonly taken: () => unknown;
    readonly as: unknown;
  }
> = {
  'created-property-name': {
    request: assets,
    body: { record: asset, uploadLocation, onComplete },
    taken: () => usable({ record: asset, uploadLocation, onComplete }),
    as: { kind: 'usable', created: { asset: { id: 7 } } },
  },
  'endpoint-without-scheme': {
    request: assets,
    body: { ...created, uploadLocation: { ...uploadLocation, endpoint: 'storage.example.com' } },
    taken: () =>
      usable({ ...created, uploadLocation: { ...uploadLocation, endpoint: 'storage.example.com' } }),
    as: { created: { uploadLocation: { endpoint: 'https://storage.example.com' } } },
  },
  'endpoint-empty': {
    request: assets,
    body: { ...created, uploadLocation: { ...uploadLocation, endpoint: null } },
    taken: () => usable({ ...created, uploadLocation: { ...uploadLocation, endpoint: null } }),
    as: { kind: 'usable', created: { uploadLocation: { bucket: 'b' } } },
  },
  'completion-method': {
    request: assets,
    body: { ...created, onComplete: { ...onComplete, method: 'put' } },
    taken: () => usable({ ...created, onComplete: { ...onComplete, method: 'put' } }),
    as: { created: { onComplete: { method: 'PUT' } } },
  },
  'completion-url-relative': {
    request: assets,
    body: { ...created, onComplete: { ...onComplete, url: '/v1/assets/7/uploadComplete' } },
    taken: () => usable({ ...created, onComplete: { ...onComplete, url: '/v1/assets/7/uploadComplete' } }),
    as: { created: { onComplete } },
  },
  'completion-fields-missing': {
    request: assets,
    body: { ...created, onComplete: { method: 'POST', url: onComplete.url } },
    taken: () => usable({ ...created, onComplete: { method: 'POST', url: onComplete.url } }),
    as: { created: { onComplete } },
  },
  'asset-field-missing': {
    request: one,
    body: assetWithoutBytes,
    taken: () => read(assetWithoutBytes),
    as: asset,
  },
  'asset-number-as-text': {
    request: one,
    body: { ...asset, id: '7' },
    taken: () => read({ ...asset, id: '7' }),
    as: asset,
  },
  'asset-field-unusable': {
    request: one,
    body: { ...asset, attribution: { html: 'x' } },
    taken: () => read({ ...asset, attribution: { html: 'x' } }),
    as: asset,
  },
  'asset-field-unknown': {
    request: one,
    body: { ...asset, userId: 4 },
    taken: () => read({ ...asset, userId: 4 }),
    as: { ...asset, userId: 4 },
  },
  'asset-percent-outside': {
    request: one,
    body: { ...asset, percentComplete: 140 },
    taken: () => read({ ...asset, percentComplete: 140 }),
    as: { percentComplete: 100 },
  },
  'asset-status-unknown': {
    request: one,
    body: { ...asset, status: 'ARCHIVING' },
    taken: () => read({ ...asset, status: 'ARCHIVING' }),
    as: { status: 'ARCHIVING' },
  },
  'list-record-unreadable': {
    request: assets,
    body: { items: [asset, { id: 'seven' }] },
    taken: () => listAnswer.parse({ items: [asset, { id: 'seven' }] }),
    as: { assets: [asset], dropped: 1 },
  },
  'list-in-pages': {
    request: assets,
    body: { items: [asset], next: '/v1/assets?page=2' },
    taken: () => listAnswer.parse({ items: [asset], next: '/v1/assets?page=2' }),
    as: { next: '/v1/assets?page=2' },
  },
  'refusal-under-success': {
    request: one,
    body: { code: 'InvalidCredentials', message: 'Invalid access token' },
    taken: () => [
      meaningOf(
        { status: 200, text: '{"code":"InvalidCredentials","message":"Invalid access token"}' },
        'read',
      ),
    ],
    as: ['invalid-credentials'],
  },
  'token-body-json': {
    request: { ...token, headers: { 'content-type': 'application/json' } },
    body: tokens,
    taken: () => [signInMeaningOf({ status: 200, text: JSON.stringify(tokens) }, 'exchange')],
    as: [null],
  },
  'token-answer-form': { request: token, body: inForm, taken: () => readTokenAnswer(inForm), as: expected },
  'token-answer-xml': { request: token, body: inXml, taken: () => readTokenAnswer(inXml), as: expected },
  'token-spelling': {
    request: token,
    body: { ...tokensWithoutRefresh, refresh_token: 'r', expiresIn: 60 },
    taken: () => readTokenAnswer('{"access_token":"a","token_type":"bearer","expiresIn":60}'),
    as: { expires_in: 60 },
  },
  'token-lifetime-as-text': {
    request: token,
    body: { ...tokens, expires_in: '3600' },
    taken: () => readTokenAnswer(JSON.stringify({ ...tokens, expires_in: '3600' })),
    as: expected,
  },
  'token-lifetime-missing': {
    request: token,
    body: { access_token: 'a', token_type: 'bearer', refresh_token: 'r' },
    taken: () => readTokenAnswer('{"access_token":"a","token_type":"bearer"}'),
    as: { access_token: 'a' },
  },
  'token-refresh-missing': {
    request: token,
    body: tokensWithoutRefresh,
    taken: () => readTokenAnswer(JSON.stringify(tokensWithoutRefresh)),
    as: { access_token: 'a' },
  },
};

const textOf = (body: object | string) => (typeof body === 'string' ? body : JSON.stringify(body));
const kinds = (request: typeof token | typeof assets, body: object | string, status = 200) =>
  forgivenIn(request, { status, text: textOf(body) }).map(({ what }) => what);

describe('what is forgiven a service', () => {
  it.each(tolerances)('%s is noticed alone, and taken as the table says', (what) => {
    const { request, body, taken, as } = cases[what];
    expect(kinds(request, body)).toEqual([what]);
    expect(taken()).toMatchObject(as as object);
  });

  it('is nothing where each answer is as the contract shows it', () => {
    expect(kinds(assets, created)).toEqual([]);
    expect(kinds(assets, { items: [asset] })).toEqual([]);
    expect(kinds(one, asset)).toEqual([]);
    expect(kinds(token, tokens)).toEqual([]);
  });

  it('is nothing of a refusal, or of what is no answer of the service', () => {
    expect(kinds(one, { code: 'InvalidCredentials', message: 'x' }, 401)).toEqual([]);
    expect(kinds(one, '<html>Sign in to the Wi-Fi</html>')).toEqual([]);
    expect(kinds(token, '<html>access denied</html>')).toEqual([]);
  });

  it('stands in the room’s README, each once', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../main/service/README.md'), 'utf8');
    const section = text.split('## What is forgiven')[1]?.split('\n## ')[0] ?? '';
    const rows = [...section.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, id]) => id);
    expect(rows).toEqual([...tolerances]);
  });

  it('is looked for without ever throwing', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(assets, one, token), (text, request) => {
        forgivenIn(request, { status: 200, text });
      }),
    );
  });
});

describe('the count of it', () => {
  it('says how often, and the first plain names that a service gave', () => {
    const counter = createToleranceCounter();
    const names = Array.from({ length: 30 }, (_, n) => `field${n}`);
    for (const name of [...names, 'field0', 'a name with spaces'])
      counter.look(one, { status: 200, text: JSON.stringify({ ...asset, [name]: 1 }) });
    expect(counter.counts()).toEqual({
      'asset-field-unknown': { times: 32, names: names.slice(0, 20) },
    });
  });
});
