import { createHash, randomBytes } from 'node:crypto';
import { S3Client, type S3ServiceException } from '@aws-sdk/client-s3';
import { z } from 'zod';
import type { EmbeddedService } from '../model.ts';
import { allowInBrowser } from '../person.ts';

/**
 * An independent client of the contract, with plain fetch: shares no code with the service or with Tilelift.
 */

export const redirectUri = 'tilelift://oauth/callback';
const allScopes = 'assets:list assets:read assets:write';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as a JSON object; empty if there is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

const jsonObject = z.record(z.string(), z.unknown());

export async function call(address: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(address, { redirect: 'manual', ...init });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? jsonObject.parse(JSON.parse(text)) : {},
  };
}

export function postJson(
  address: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return call(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

export async function register(service: EmbeddedService, name = 'Field Uploader'): Promise<string> {
  const { body } = await postJson(`${service.baseUrl}/oauth/register`, {
    client_name: name,
    redirect_uris: [redirectUri],
  });
  return z.string().parse(body.client_id);
}

interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export function makePkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Link to the authorization page; `change` overrides parameters, undefined leaves one out. */
export function authorizationLink(
  service: EmbeddedService,
  clientId: string,
  challenge: string,
  change: Readonly<Record<string, string | undefined>> = {},
): string {
  const parameters: Readonly<Record<string, string | undefined>> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: allScopes,
    state: 'opaque state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...change,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return `${service.authUrl}/oauth?${query}`;
}

interface Authorized {
  readonly clientId: string;
  readonly code: string;
  readonly verifier: string;
}

/** Registers a client and allows it as the user. */
export async function authorize(
  service: EmbeddedService,
  clientId?: string,
  change: Readonly<Record<string, string>> = {},
): Promise<Authorized> {
  const id = clientId ?? (await register(service));
  const { verifier, challenge } = makePkce();
  const callback = new URL(await allowInBrowser(authorizationLink(service, id, challenge, change)));
  return { clientId: id, code: z.string().parse(callback.searchParams.get('code')), verifier };
}

/** The fields of contract 4.3. */
export function codeFields({ clientId, code, verifier }: Authorized): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
}

export function askForTokens(
  service: EmbeddedService,
  fields: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = { accept: 'application/json' },
): Promise<Answer> {
  return postJson(`${service.baseUrl}/oauth/token`, fields, headers);
}

export function bearer(token: unknown): Record<string, string> {
  return { authorization: `Bearer ${z.string().parse(token)}` };
}

const created = z.strictObject({
  assetMetadata: z.looseObject({ id: z.int(), status: z.string() }),
  uploadLocation: z.strictObject({
    bucket: z.string(),
    prefix: z.string(),
    accessKey: z.string(),
    secretAccessKey: z.string(),
    sessionToken: z.string(),
    endpoint: z.string().optional(),
  }),
  onComplete: z.strictObject({
    method: z.literal('POST'),
    url: z.string(),
    fields: z.record(z.string(), z.unknown()),
  }),
});
export type Created = z.infer<typeof created>;

/** Creates an asset with a token of the account's settings. */
export async function createAsset(service: EmbeddedService): Promise<Created> {
  const token = service.control.makeAccessToken(['assets:write']);
  const body = { name: 'Old town', type: '3DTILES', options: { sourceType: 'CITYGML' } };
  const answer = await postJson(`${service.baseUrl}/v1/assets`, body, bearer(token));
  return created.parse(answer.body);
}

/** The SDK warns about unusual calls, which are intended here. */
const quietLogger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
function ignore(): void {}

/** The SDK as an independent S3 client for an upload location. It tries once only. */
export function s3For(
  service: EmbeddedService,
  location: Created['uploadLocation'],
  change: {
    readonly region?: string;
    readonly secretAccessKey?: string;
    readonly sessionToken?: string;
  } = {},
): S3Client {
  return new S3Client({
    endpoint: service.storageUrl,
    region: change.region ?? 'us-east-1',
    forcePathStyle: true,
    maxAttempts: 1,
    logger: quietLogger,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: {
      accessKeyId: location.accessKey,
      secretAccessKey: change.secretAccessKey ?? location.secretAccessKey,
      sessionToken: change.sessionToken ?? location.sessionToken,
    },
  });
}

/** The S3 error of a failed call: code and HTTP status. Throws if the call succeeds. */
export async function s3Error(
  attempt: Promise<unknown>,
): Promise<{ code: string; status: number | undefined }> {
  try {
    await attempt;
  } catch (error) {
    const { name, $metadata } = error as S3ServiceException;
    return { code: name, status: $metadata?.httpStatusCode };
  }
  throw new Error('The call succeeded.');
}
