import { describe, expect, it, vi } from 'vitest';
import type { Fetch } from '../../../main/ports.ts';
import { parseRetryAfter } from '../../../main/service/answer.ts';
import { answerLimitBytes, requestTimeoutMs } from '../../../main/service/http-request.ts';
import { createServiceClient } from '../../../main/service/service-client.ts';
import { manualClock } from '../account/stand-ins.ts';

const address = { baseUrl: 'https://api.example.com', authUrl: 'https://example.com' };
const asset = { id: 7, type: 'IMAGERY', name: 'Ortho', status: 'IN_PROGRESS' };
const refusedToken = () => Response.json({ code: 'InvalidCredentials', message: 'no' }, { status: 400 });

/** Returns these responses in turn and records the requests. */
function clientOver(...answers: (Response | Error | (() => Promise<Response>))[]) {
  const sentRequests: { url: string; init: RequestInit | undefined }[] = [];
  const clock = manualClock();
  const fetch: Fetch = async (url, init) => {
    sentRequests.push({ url: String(url), init });
    const answer = answers.shift();
    if (!answer) throw new Error('no answer was prepared');
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer() : answer;
  };
  let token = 'old';
  const onInvalidCredentials = vi.fn(async (_used: string) => {
    token = 'fresh';
  });
  const client = createServiceClient({
    address,
    fetch,
    clock,
    bearer: async () => token,
    onInvalidCredentials,
  });
  const bearers = () => sentRequests.map(({ init }) => new Headers(init?.headers).get('authorization'));
  return { client, sent: sentRequests, clock, onInvalidCredentials, bearers };
}

describe('a service request', () => {
  it('a service request carries the bearer token and follows no redirect', async () => {
    const { client, sent: sentRequests, bearers } = clientOver(Response.json(asset));
    expect(await client.readAsset(7)).toMatchObject({ id: 7, percentComplete: 0 });
    expect(sentRequests[0]).toMatchObject({
      url: 'https://api.example.com/v1/assets/7',
      init: { method: 'GET', redirect: 'manual' },
    });
    expect(bearers()).toEqual(['Bearer old']);
  });

  it('a service request is repeated once with a fresh token after a refused one', async () => {
    const { client, bearers, onInvalidCredentials } = clientOver(refusedToken(), Response.json(asset));
    await client.readAsset(7);
    expect(bearers()).toEqual(['Bearer old', 'Bearer fresh']);
    expect(onInvalidCredentials.mock.calls).toEqual([['old']]);
  });

  it('a service request is not repeated a second time', async () => {
    const { client, sent: sentRequests } = clientOver(refusedToken(), refusedToken(), Response.json(asset));
    await expect(client.readAsset(7)).rejects.toMatchObject({ code: 'invalid-credentials' });
    expect(sentRequests).toHaveLength(2);
  });

  it('a service request is repeated only after a refused token', async () => {
    for (const answer of [
      new TypeError('fetch failed'),
      new Response('', { status: 503 }),
      new Response('<html>'),
    ]) {
      const { client, sent: sentRequests } = clientOver(answer, Response.json({}));
      await expect(
        client.createAsset({ name: 'n', type: 'IMAGERY', options: { sourceType: 'x' } }),
      ).rejects.toThrow();
      expect(sentRequests).toHaveLength(1);
    }
  });

  it('a service request names a service that can’t be reached', async () => {
    const { client } = clientOver(new TypeError('fetch failed'));
    await expect(client.listAssets()).rejects.toMatchObject({
      code: 'service-unreachable',
      message: 'The service at https://api.example.com can’t be reached.',
    });
  });

  it('times out after 30 s, even when the network ignores the abort', async () => {
    const { client, clock } = clientOver(() => new Promise(() => {}));
    const call = client.listAssets();
    await vi.waitFor(() => expect(clock.sleepers()).toBe(1));
    clock.advance(requestTimeoutMs);
    await expect(call).rejects.toMatchObject({ code: 'service-unreachable' });
  });

  it('a service request aborts with the caller’s reason and leaves no timer', async () => {
    const { client, clock } = clientOver(() => new Promise(() => {}));
    const stop = new AbortController();
    const call = client.listAssets(stop.signal);
    await vi.waitFor(() => expect(clock.sleepers()).toBe(1));
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(clock.sleepers()).toBe(0);
  });

  it('a service request requests no new token after a 401 that isn’t from the service', async () => {
    const {
      client,
      sent: sentRequests,
      onInvalidCredentials,
    } = clientOver(new Response('', { status: 401 }));
    await expect(client.readAsset(7)).rejects.toMatchObject({ code: 'foreign-answer' });
    expect(sentRequests).toHaveLength(1);
    expect(onInvalidCredentials).not.toHaveBeenCalled();
  });

  it('a service request follows list pages named in the body or in Link', async () => {
    const page = (id: number, init?: ResponseInit, nextUrl?: string) =>
      Response.json({ items: [{ ...asset, id }], next: nextUrl }, init);
    const { client, sent: sentRequests } = clientOver(
      page(1, {}, '/v1/assets?page=2'),
      page(2, { headers: { link: '<https://api.example.com/v1/assets?page=3>; rel="next"' } }),
      page(3),
    );
    expect((await client.listAssets()).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(sentRequests.map(({ url }) => url.split('?')[1])).toEqual([undefined, 'page=2', 'page=3']);
  });

  it('a service request leaves no timer after a response', async () => {
    const { client, clock } = clientOver(Response.json({ items: [] }));
    await client.listAssets();
    expect(clock.sleepers()).toBe(0);
  });

  it('a service request stops reading an endless response', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1_000_000;
        controller.enqueue(new Uint8Array(1_000_000));
      },
    });
    const { client } = clientOver(new Response(endless));
    await expect(client.listAssets()).rejects.toMatchObject({ code: 'foreign-answer' });
    expect(pulled).toBeLessThan(answerLimitBytes + 5_000_000);
  });
});

describe('completeUpload()', () => {
  it('completeUpload() sends method, address and fields unchanged', async () => {
    const { client, sent: sentRequests, bearers } = clientOver(new Response(null, { status: 204 }));
    const fields = { b: [1, null], a: 'x' };
    await client.completeUpload({
      method: 'POST',
      url: 'https://api.example.com/v1/assets/7/uploadComplete',
      fields,
    });
    expect(sentRequests[0]).toMatchObject({
      url: 'https://api.example.com/v1/assets/7/uploadComplete',
      init: { method: 'POST', body: JSON.stringify(fields) },
    });
    expect(bearers()).toEqual(['Bearer old']);
  });

  it.each([
    'https://evil.example/v1/assets/7/uploadComplete',
    'https://api.example.com.evil.example/x',
    'http://api.example.com/x',
    'https://api.example.com:444/x',
  ])('completeUpload() sends nothing to %s', async (url) => {
    const { client, sent: sentRequests } = clientOver(new Response());
    await expect(client.completeUpload({ method: 'POST', url, fields: {} })).rejects.toMatchObject({
      code: 'creation-unusable',
    });
    expect(sentRequests).toEqual([]);
  });

  const url = 'https://api.example.com/v1/assets/7/uploadComplete';

  it('completeUpload() accepts a lower-case method and a relative address', async () => {
    const { client, sent: sentRequests } = clientOver(new Response(null, { status: 204 }));
    await client.completeUpload({ method: 'post', url: '/v1/assets/7/uploadComplete', fields: {} });
    expect(sentRequests[0]).toMatchObject({ url, init: { method: 'POST' } });
  });
});

it('parseRetryAfter() reads seconds and dates', () => {
  expect(parseRetryAfter('3', 0)).toBe(3000);
  expect(parseRetryAfter('Thu, 01 Jan 1970 00:00:10 GMT', 4000)).toBe(6000);
  expect(parseRetryAfter('Thu, 01 Jan 1970 00:00:10 GMT', 40_000)).toBe(0);
  expect(parseRetryAfter('soon', 0)).toBeNull();
  expect(parseRetryAfter(null, 0)).toBeNull();
});
