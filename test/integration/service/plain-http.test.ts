import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendRequest } from '../../../main/service/http-request.ts';
import { checkPlainAddresses, fetchPrivately } from '../../../main/service/plain-http.ts';
import { manualClock } from '../../unit/account/stand-ins.ts';

let server: Server;
let port: number;
const receivedRequests: { readonly url: string; readonly authorization: string; readonly body: string }[] =
  [];
beforeEach(async () => {
  receivedRequests.length = 0;
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    receivedRequests.push({
      url: `${request.headers.host}${request.url}`,
      authorization: `${request.headers.authorization}`,
      body,
    });
    response.writeHead(201, { link: '<next>; rel="next"' }).end('answer');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const loopbackAddress = { address: '127.0.0.1', family: 4 };
const attacker = { address: '203.0.113.9', family: 4 };

/** Sends a request with a token to a name that resolves to the next addresses each time. */
function sendTo(host: string, ...resolutions: readonly (readonly (typeof loopbackAddress)[])[]) {
  const resolvedNames: string[] = [];
  const resolve = async (name: string) => {
    resolvedNames.push(name);
    return resolutions[resolvedNames.length - 1] ?? [];
  };
  const network = {
    fetch: fetchPrivately(() => Promise.reject(new Error('sent by the way of other requests')), resolve),
    clock: manualClock(Date.now()),
  };
  const send = (method = 'POST') =>
    sendRequest(network, {
      method,
      url: `http://${host}:${port}/v1/assets`,
      headers: { authorization: 'Bearer secret' },
      ...(method === 'POST' ? { body: '{"name":"Town"}' } : {}),
    });
  return { send, asked: resolvedNames };
}

it('http to a service in a private network: sends the request to the address that was checked and returns the response', async () => {
  const { send } = sendTo('ion.internal', [loopbackAddress]);
  expect(await send()).toMatchObject({ status: 201, text: 'answer', link: '<next>; rel="next"' });
  expect(receivedRequests).toEqual([
    { url: `ion.internal:${port}/v1/assets`, authorization: 'Bearer secret', body: '{"name":"Town"}' },
  ]);
});

it('S155: http to a service in a private network: sends nothing once the name is rebound to an address of the internet', async () => {
  const { send, asked: resolvedNames } = sendTo(
    'ion.internal',
    [loopbackAddress],
    [attacker],
    [loopbackAddress, attacker],
  );
  await send('GET');
  for (const _ of [1, 2])
    await expect(send('GET')).rejects.toMatchObject({
      code: 'service-not-private',
      subject: `http://ion.internal:${port}`,
    });
  expect(resolvedNames).toHaveLength(3);
  expect(receivedRequests).toHaveLength(1);
});

it('http to a service in a private network: leaves https and names of this computer to the usual way', async () => {
  const sentTokens: string[] = [];
  const fetch = fetchPrivately(async (input) => {
    sentTokens.push(String(input));
    return new Response();
  });
  for (const address of ['https://ion.internal', 'http://127.0.0.1:1', 'http://localhost:1'])
    await fetch(address);
  expect(sentTokens).toHaveLength(3);
});

it('S151: checkPlainAddresses() refuses a sign-in page whose name leads to the internet', async () => {
  const resolve = async (name: string) => [name === 'ion.internal' ? loopbackAddress : attacker];
  const pair = { baseUrl: 'http://ion.internal:8080', authUrl: 'http://ion.internal' };
  await checkPlainAddresses(pair, resolve);
  await checkPlainAddresses({ ...pair, authUrl: 'https://sign-in.example' }, resolve);
  await expect(checkPlainAddresses({ ...pair, authUrl: 'http://login.lan' }, resolve)).rejects.toMatchObject({
    code: 'service-not-private',
    subject: 'http://login.lan',
  });
});
