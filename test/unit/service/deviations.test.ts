import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readTokenAnswer } from '../../../main/account/tokens/token-answer.ts';
import { meaningOf, signInMeaningOf } from '../../../main/service/answer-meaning.ts';
import { assetAnswer, listAnswer } from '../../../main/service/answers.ts';
import { readCreated } from '../../../main/service/created-asset.ts';

const api = 'https://api.example.com';

/** Exactly as in the contract. */
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

const readUsable = (body: object) => readCreated(JSON.stringify(body), `${api}/v1/assets`);
const read = (body: object) => assetAnswer.parse(body);
const expected = readTokenAnswer(JSON.stringify(tokens));

/** The accepted response for each deviation of the README's table. */
const cases: Readonly<Record<string, { readonly taken: () => unknown; readonly as: unknown }>> = {
  'created-property-name': {
    taken: () => readUsable({ record: asset, uploadLocation, onComplete }),
    as: { kind: 'usable', created: { asset: { id: 7 } } },
  },
  'endpoint-without-scheme': {
    taken: () =>
      readUsable({ ...created, uploadLocation: { ...uploadLocation, endpoint: 'storage.example.com' } }),
    as: { created: { uploadLocation: { endpoint: 'https://storage.example.com' } } },
  },
  'endpoint-empty': {
    taken: () => readUsable({ ...created, uploadLocation: { ...uploadLocation, endpoint: null } }),
    as: { kind: 'usable', created: { uploadLocation: { bucket: 'b' } } },
  },
  'completion-method': {
    taken: () => readUsable({ ...created, onComplete: { ...onComplete, method: 'put' } }),
    as: { created: { onComplete: { method: 'PUT' } } },
  },
  'completion-url-relative': {
    taken: () =>
      readUsable({ ...created, onComplete: { ...onComplete, url: '/v1/assets/7/uploadComplete' } }),
    as: { created: { onComplete } },
  },
  'completion-fields-missing': {
    taken: () => readUsable({ ...created, onComplete: { method: 'POST', url: onComplete.url } }),
    as: { created: { onComplete } },
  },
  'asset-field-missing': { taken: () => read(assetWithoutBytes), as: asset },
  'asset-number-as-text': { taken: () => read({ ...asset, id: '7' }), as: asset },
  'asset-field-unusable': { taken: () => read({ ...asset, attribution: { html: 'x' } }), as: asset },
  'asset-field-unknown': { taken: () => read({ ...asset, userId: 4 }), as: { ...asset, userId: 4 } },
  'asset-percent-outside': {
    taken: () => read({ ...asset, percentComplete: 140 }),
    as: { percentComplete: 100 },
  },
  'asset-status-unknown': {
    taken: () => read({ ...asset, status: 'ARCHIVING' }),
    as: { status: 'ARCHIVING' },
  },
  'list-record-unreadable': {
    taken: () => listAnswer.parse({ items: [asset, { id: 'seven' }] }),
    as: { assets: [asset], droppedCount: 1 },
  },
  'list-in-pages': {
    taken: () => listAnswer.parse({ items: [asset], next: '/v1/assets?page=2' }),
    as: { next: '/v1/assets?page=2' },
  },
  'refusal-under-success': {
    taken: () => [
      meaningOf(
        { status: 200, text: '{"code":"InvalidCredentials","message":"Invalid access token"}' },
        'read',
      ),
    ],
    as: ['invalid-credentials'],
  },
  'token-body-json': {
    taken: () => [signInMeaningOf({ status: 200, text: JSON.stringify(tokens) }, 'exchange')],
    as: [null],
  },
  'token-answer-form': { taken: () => readTokenAnswer(inForm), as: expected },
  'token-answer-xml': { taken: () => readTokenAnswer(inXml), as: expected },
  'token-spelling': {
    taken: () => readTokenAnswer('{"access_token":"a","token_type":"bearer","expiresIn":60}'),
    as: { expires_in: 60 },
  },
  'token-lifetime-as-text': {
    taken: () => readTokenAnswer(JSON.stringify({ ...tokens, expires_in: '3600' })),
    as: expected,
  },
  'token-lifetime-missing': {
    taken: () => readTokenAnswer('{"access_token":"a","token_type":"bearer"}'),
    as: { access_token: 'a' },
  },
  'token-refresh-missing': {
    taken: () => readTokenAnswer(JSON.stringify(tokensWithoutRefresh)),
    as: { access_token: 'a' },
  },
};

it.each(Object.entries(cases))(
  'a response that deviates from the contract is accepted as the table says: %s',
  (_, { taken, as }) => {
    expect(taken()).toMatchObject(as as object);
  },
);

it('a response that deviates from the contract is listed once in the README', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../main/service/README.md'), 'utf8');
  const section = text.split('## Deviations')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, id]) => id);
  expect(rows).toEqual(Object.keys(cases));
});
