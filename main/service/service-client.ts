import type { ZodType } from 'zod';
import { TileliftError } from '../errors.ts';
import { type Log, silentLog } from '../log.ts';
import { assetAnswer, createAnswer, listAnswer } from './answers.ts';
import type { Answer } from './error-answer.ts';
import { errorFromAnswer, unexpectedAnswer, withoutSecrets } from './error-answer.ts';
import { type Network, sendRequest } from './http-request.ts';
import type { ServiceAddress, ServiceApi } from './model.ts';
import { parseJson } from './parse-json.ts';

export interface ServiceClientOptions extends Network {
  readonly address: ServiceAddress;
  /** The access token to use now. */
  readonly bearer: () => Promise<string>;
  /** The service refused this token: make sure that `bearer` gives another one, or throw. Null where there can be no other. */
  readonly onInvalidCredentials: ((usedToken: string) => Promise<void>) | null;
  readonly log?: Log;
}

interface Call {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  /** Set when the call names one asset. */
  readonly assetId?: number;
  readonly signal: AbortSignal | undefined;
}

/** An answer, and the token that was sent for it: an answer may say it back, which nobody is to see. */
interface Sent {
  readonly token: string;
  readonly answer: Answer;
}

/** The four calls of `/v1` (contract 4.5 to 4.9), with the bearer token that goes to the service's own origin alone. */
export function createServiceClient(options: ServiceClientOptions): ServiceApi {
  const { address, log = silentLog } = options;
  const origin = new URL(address.baseUrl).origin;
  let clockAheadMs = 0;

  async function sendOnce(call: Call, token: string): Promise<Answer> {
    const headers: Record<string, string> = { accept: 'application/json', authorization: `Bearer ${token}` };
    if (call.body !== undefined) headers['content-type'] = 'application/json';
    const startedAt = options.clock.now();
    const answer = await sendRequest(
      options,
      {
        method: call.method,
        url: call.url,
        headers,
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      },
      call.signal,
    );
    clockAheadMs = answer.clockAheadMs ?? clockAheadMs;
    const path = new URL(call.url).pathname;
    log.debug(
      { method: call.method, path, status: answer.status, ms: options.clock.now() - startedAt },
      'answer',
    );
    return answer;
  }

  /** Repeats a request that was refused for its token, once, with a fresh one: a refused request did no work. */
  async function send(call: Call): Promise<Sent> {
    const subject = { origin, ...(call.assetId === undefined ? {} : { assetId: call.assetId }) };
    const attempt = async (): Promise<Sent & { readonly error: TileliftError | null }> => {
      const token = await options.bearer();
      const answer = await sendOnce(call, token);
      return { token, answer, error: errorFromAnswer(withoutSecrets(answer, [token]), subject) };
    };
    let sent = await attempt();
    if (sent.error?.code === 'invalid-credentials' && options.onInvalidCredentials) {
      await options.onInvalidCredentials(sent.token);
      sent = await attempt();
    }
    if (sent.error) throw sent.error;
    return sent;
  }

  async function read<T>(call: Call, schema: ZodType<T>): Promise<T> {
    const { answer, token } = await send(call);
    const parsed = schema.safeParse(parseJson(answer.text));
    if (!parsed.success) throw unexpectedAnswer(withoutSecrets(answer, [token]), parsed.error);
    return parsed.data;
  }

  return {
    clockAheadMs: () => clockAheadMs,

    listAssets: (signal) => read({ method: 'GET', url: `${address.baseUrl}/v1/assets`, signal }, listAnswer),

    createAsset: (body, signal) =>
      read({ method: 'POST', url: `${address.baseUrl}/v1/assets`, body, signal }, createAnswer),

    readAsset: (id, signal) =>
      read({ method: 'GET', url: `${address.baseUrl}/v1/assets/${id}`, assetId: id, signal }, assetAnswer),

    completeUpload: async ({ method, url, fields }, signal) => {
      if (URL.parse(url)?.origin !== origin) {
        throw new TileliftError('unexpected-answer', {
          remote: { message: 'The completion address does not belong to the service.' },
        });
      }
      await send({ method, url, body: fields, assetId: assetIdIn(url), signal });
    },
  };
}

/** From `{base_url}/v1/assets/<asset_id>/uploadComplete` (contract 2.4), for the words of an error only. */
function assetIdIn(url: string): number | undefined {
  const id = /\/assets\/(\d+)\//.exec(url)?.[1];
  return id === undefined ? undefined : Number(id);
}
