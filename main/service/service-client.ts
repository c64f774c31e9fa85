import type { ZodType } from 'zod';
import { creationRequest } from '../../shared/creation-options.ts';
import { TileliftError } from '../errors.ts';
import { type Log, silentLog } from '../log.ts';
import type { Answer } from './answer.ts';
import { parseJson } from './answer.ts';
import type { ServiceRequest } from './answer-meaning.ts';
import { assetAnswer, endpointAnswer, type ListPage, listAnswer } from './answers.ts';
import { readCreated, usableInstruction } from './created-asset.ts';
import { errorFromAnswer, unreadAnswer, withoutSecrets } from './error-answer.ts';
import { createTimeoutMs, type Network, requestTimeoutMs, sendRequest } from './http-request.ts';
import { nextInLink, readAllPages } from './list-pages.ts';
import type { ServiceAddress, ServiceApi } from './model.ts';

interface ServiceClientOptions extends Network {
  readonly address: ServiceAddress;
  readonly bearer: () => Promise<string>;
  /** Renew the token, or throw. Null if there is no other. */
  readonly onInvalidCredentials: ((usedToken: string) => Promise<void>) | null;
  readonly log?: Log;
}

interface Call {
  readonly request: ServiceRequest;
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly assetId?: number;
  readonly signal: AbortSignal | undefined;
}

/** The response may echo the token: redact it. */
interface SentRequest {
  readonly token: string;
  readonly answer: Answer;
}

/** The bearer token goes only to the service's origin (contract 4.5 to 4.9). */
export function createServiceClient(options: ServiceClientOptions): ServiceApi {
  const { address, log = silentLog } = options;
  const origin = new URL(address.baseUrl).origin;
  const listUrl = `${address.baseUrl}/v1/assets`;
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
        timeoutMs: call.request === 'create' ? createTimeoutMs : requestTimeoutMs,
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

  /** Retries once with a new token: the refused request did no work. */
  async function send(call: Call): Promise<SentRequest> {
    const { request } = call;
    const subject = { origin, request, ...(call.assetId === undefined ? {} : { assetId: call.assetId }) };
    const attempt = async (): Promise<SentRequest & { readonly error: TileliftError | null }> => {
      const token = await options.bearer();
      const answer = await sendOnce(call, token);
      return { token, answer, error: errorFromAnswer(withoutSecrets(answer, [token]), subject) };
    };
    let sentRequest = await attempt();
    if (sentRequest.error?.code === 'invalid-credentials' && options.onInvalidCredentials) {
      await options.onInvalidCredentials(sentRequest.token);
      sentRequest = await attempt();
    }
    if (sentRequest.error) throw sentRequest.error;
    return sentRequest;
  }

  const unreadableError = ({ answer, token }: SentRequest, cause?: unknown) =>
    unreadAnswer(withoutSecrets(answer, [token]), origin, cause);

  function read<T>(sentRequest: SentRequest, schema: ZodType<T>): T {
    const parsed = schema.safeParse(parseJson(sentRequest.answer.text));
    if (!parsed.success) throw unreadableError(sentRequest, parsed.error);
    return parsed.data;
  }

  async function listPage(url: string, signal: AbortSignal | undefined): Promise<ListPage> {
    const sentRequest = await send({ request: 'list', method: 'GET', url, signal });
    const page = read(sentRequest, listAnswer);
    if (page.droppedCount > 0)
      log.warn({ dropped: page.droppedCount }, 'Assets of the list could not be read.');
    return { ...page, next: page.next ?? nextInLink(sentRequest.answer.link) };
  }

  const readAsset: ServiceApi['readAsset'] = async (id, signal) => {
    const url = `${listUrl}/${id}`;
    return read(await send({ request: 'read', method: 'GET', url, assetId: id, signal }), assetAnswer);
  };

  /** An asset that can be read but not found has no such endpoint. */
  async function change(id: number, method: 'PATCH' | 'DELETE', body: unknown, signal?: AbortSignal) {
    const url = `${listUrl}/${id}`;
    try {
      await send({ request: 'change', method, url, body, assetId: id, signal });
    } catch (cause) {
      if (!(cause instanceof TileliftError)) throw cause;
      const { status } = cause.remote ?? {};
      if (status === 404) await readAsset(id, signal);
      if (status === 404 || status === 405 || status === 501)
        throw new TileliftError('change-unsupported', { subject: origin, cause });
      throw cause;
    }
  }

  return {
    clockAheadMs: () => clockAheadMs,

    listAssets: (signal) =>
      readAllPages(
        listUrl,
        (url) => listPage(url, signal),
        (why) => log.warn({ why }, 'The list of assets goes on where it is not followed.'),
      ),

    createAsset: async (body, signal) => {
      const sentRequest = await send({
        request: 'create',
        method: 'POST',
        url: listUrl,
        body: creationRequest(body),
        signal,
      });
      const createdReading = readCreated(sentRequest.answer.text, listUrl);
      if (createdReading.kind === 'usable') return createdReading.created;
      if (createdReading.kind === 'unread') throw unreadableError(sentRequest);
      throw unusable(createdReading.assetId, createdReading.why);
    },

    readAsset,

    readEndpoint: async (id) => {
      const url = `${listUrl}/${id}/endpoint`;
      try {
        const call = { request: 'read', method: 'GET', url, assetId: id, signal: undefined } as const;
        return read(await send(call), endpointAnswer);
      } catch (cause) {
        const { status } = (cause instanceof TileliftError && cause.remote) || {};
        if (status === 404 || status === 405 || status === 501) return null;
        throw cause;
      }
    },

    editAsset: async (id, edited, signal) => {
      await change(id, 'PATCH', edited, signal);
      return readAsset(id, signal);
    },

    deleteAsset: (id, signal) => change(id, 'DELETE', undefined, signal),

    completeUpload: async (received, signal) => {
      const instruction = usableInstruction(received, listUrl);
      const assetId = assetIdIn(received.url);
      if (!instruction) throw unusable(assetId, received.url);
      const { method, url, fields } = instruction;
      const errorSubject = assetId === undefined ? {} : { assetId };
      const sentRequest = await send({
        request: 'complete',
        method,
        url,
        body: fields,
        ...errorSubject,
        signal,
      });
      // The contract leaves a success undefined: accept nothing or JSON.
      const { text } = sentRequest.answer;
      if (text.trim() !== '' && parseJson(text) === undefined) throw unreadableError(sentRequest);
    },
  };
}

/** The asset exists, but its upload can't be completed. `why`: the invalid parts of the response. */
function unusable(assetId: number | undefined, why: string): TileliftError {
  return new TileliftError('creation-unusable', { subject: String(assetId ?? ''), field: why });
}

/** From `{base_url}/v1/assets/<asset_id>/uploadComplete` (contract 2.4), for error messages. */
function assetIdIn(url: string): number | undefined {
  const id = /\/assets\/(\d+)\//.exec(url)?.[1];
  return id === undefined ? undefined : Number(id);
}
