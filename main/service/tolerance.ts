import { isContractStatus } from '../../shared/assets.ts';
import { type Answer, parseJson } from './answer.ts';
import { assetId, numberIn } from './answers.ts';
import type { HttpRequest } from './http-request.ts';

/**
 * What Tilelift forgives a service, although the contract shows it otherwise: the table in this room's README
 * says of each what is made of it. Counted, so that a change of the service is noticed before it breaks
 * something.
 */
export const tolerances = [
  'created-property-name',
  'endpoint-without-scheme',
  'endpoint-empty',
  'completion-method',
  'completion-url-relative',
  'completion-fields-missing',
  'asset-field-missing',
  'asset-number-as-text',
  'asset-field-unusable',
  'asset-field-unknown',
  'asset-percent-outside',
  'asset-status-unknown',
  'list-record-unreadable',
  'list-in-pages',
  'refusal-under-success',
  'token-body-json',
  'token-answer-form',
  'token-answer-xml',
  'token-spelling',
  'token-lifetime-as-text',
  'token-lifetime-missing',
  'token-refresh-missing',
] as const;
export type Tolerance = (typeof tolerances)[number];

/** One thing that was forgiven; `name` of a field, where the service chose it. */
interface Forgiven {
  readonly what: Tolerance;
  readonly name?: string;
}

/** Contract 2.1, with the type of each field. */
const assetFields: ReadonlyMap<string, 'number' | 'string'> = new Map([
  ...(['id', 'bytes', 'percentComplete'] as const).map((name) => [name, 'number'] as const),
  ...(['type', 'name', 'description', 'attribution', 'dateAdded', 'status'] as const).map(
    (name) => [name, 'string'] as const,
  ),
]);

type Fields = Readonly<Record<string, unknown>>;

type Asked = Pick<HttpRequest, 'url' | 'headers'>;
type Said = Pick<Answer, 'status' | 'text'>;

/** What a good answer differs in from what the contract shows. Pure; never throws. */
export function forgivenIn(request: Asked, { status, text }: Said): readonly Forgiven[] {
  if (status < 200 || status >= 300) return [];
  const path = URL.parse(request.url)?.pathname ?? '';
  if (path.endsWith('/oauth/token')) return inTokens(text, request.headers['content-type'] ?? '');
  const body = fieldsOf(parseJson(text));
  if (!body) return [];
  if ('code' in body && body.code === 'InvalidCredentials') return [{ what: 'refusal-under-success' }];
  if ('onComplete' in body && 'uploadLocation' in body) return inCreated(body);
  if (Array.isArray(body.items)) return inList(body, body.items);
  return 'id' in body && 'status' in body ? inAsset(body) : [];
}

function inList(body: Fields, items: readonly unknown[]): readonly Forgiven[] {
  const records = items.map(fieldsOf);
  return [
    ...records.flatMap((record) =>
      record && assetId.safeParse(record.id).success
        ? inAsset(record)
        : [{ what: 'list-record-unreadable' } as const],
    ),
    ...(typeof body.next === 'string' && body.next !== '' ? [{ what: 'list-in-pages' } as const] : []),
  ];
}

function inAsset(asset: Fields): readonly Forgiven[] {
  const found: Forgiven[] = [];
  for (const [name, type] of assetFields) {
    const value = asset[name];
    if (value === undefined || value === null) found.push({ what: 'asset-field-missing', name });
    else if (typeof value !== type) {
      const isNumber = type === 'number' && numberIn(value) !== value;
      found.push({ what: isNumber ? 'asset-number-as-text' : 'asset-field-unusable', name });
    }
  }
  for (const name of Object.keys(asset))
    if (!assetFields.has(name)) found.push({ what: 'asset-field-unknown', name });
  const { percentComplete, status } = asset;
  if (typeof percentComplete === 'number' && !(percentComplete >= 0 && percentComplete <= 100))
    found.push({ what: 'asset-percent-outside' });
  if (typeof status === 'string' && !isContractStatus(status))
    found.push({ what: 'asset-status-unknown', name: status });
  return found;
}

function inCreated(body: Fields): readonly Forgiven[] {
  const found: Forgiven[] = [];
  const { uploadLocation, onComplete, assetMetadata, ...others } = body;
  const asset =
    fieldsOf(assetMetadata) ??
    Object.values(others)
      .map(fieldsOf)
      .find((value) => value && 'id' in value);
  if (assetMetadata === undefined && asset) found.push({ what: 'created-property-name' });
  const endpoint = fieldsOf(uploadLocation)?.endpoint;
  if (endpoint === null || endpoint === '') found.push({ what: 'endpoint-empty' });
  else if (typeof endpoint === 'string' && !/^https?:\/\//i.test(endpoint.trim()))
    found.push({ what: 'endpoint-without-scheme' });
  const { method, url, fields } = fieldsOf(onComplete) ?? {};
  if (method !== 'POST') found.push({ what: 'completion-method' });
  if (typeof url === 'string' && !/^https?:\/\//i.test(url)) found.push({ what: 'completion-url-relative' });
  if (fields === undefined || fields === null) found.push({ what: 'completion-fields-missing' });
  return [...found, ...(asset ? inAsset(asset) : [])];
}

/** Contract 4.3 and 4.4; the earlier form of the flow (part 9) has neither lifetimes nor a refresh token. */
function inTokens(text: string, sentAs: string): readonly Forgiven[] {
  const trimmed = text.trim();
  const json = fieldsOf(parseJson(trimmed));
  const isXml = trimmed.startsWith('<');
  const named = json
    ? Object.keys(json)
    : isXml
      ? [...trimmed.matchAll(/<(\w{1,40})>/g)].map(([, name]) => name)
      : [...new URLSearchParams(trimmed).keys()];
  const said = (name: string) => named.includes(name);
  if (!said('access_token')) return [];
  const lifetimes = [
    json?.expires_in,
    json?.expiresIn,
    json?.refresh_token_expires_in,
    json?.refreshTokenExpiresIn,
  ];
  const hasLifetime = said('expires_in') || said('expiresIn');
  const checks: readonly (readonly [Tolerance, boolean])[] = [
    ['token-body-json', sentAs.startsWith('application/json')],
    ['token-answer-xml', isXml],
    ['token-answer-form', !json && !isXml],
    ['token-spelling', said('expiresIn') || said('refreshTokenExpiresIn')],
    ['token-lifetime-as-text', lifetimes.some((value) => typeof value === 'string')],
    ['token-lifetime-missing', !hasLifetime],
    ['token-refresh-missing', !said('refresh_token')],
  ];
  return checks.filter(([, applies]) => applies).map(([what]) => ({ what }));
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

/** How often each thing was forgiven since the start, with the first names that the service gave to it. */
export interface ToleranceCounts {
  readonly [what: string]: { readonly times: number; readonly names: readonly string[] };
}

export interface ToleranceCounter {
  look(request: Asked, answer: Said): void;
  counts(): ToleranceCounts;
}

/** A service may make up names without end, and in them whatever it likes. */
const maxNames = 20;
const plainName = /^[\w-]{1,40}$/;

export function createToleranceCounter(): ToleranceCounter {
  const counts = new Map<Tolerance, { times: number; names: Set<string> }>();
  return {
    look: (request, answer) => {
      for (const { what, name } of forgivenIn(request, answer)) {
        const count = counts.get(what) ?? { times: 0, names: new Set() };
        count.times += 1;
        if (name !== undefined && plainName.test(name) && count.names.size < maxNames) count.names.add(name);
        counts.set(what, count);
      }
    },
    counts: () =>
      Object.fromEntries([...counts].map(([what, { times, names }]) => [what, { times, names: [...names] }])),
  };
}
