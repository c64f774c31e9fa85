import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import {
  type CallbackReceiver,
  loopbackPort,
  openLoopbackReceiver,
} from '../../../main/account/loopback-receiver.ts';

const open: CallbackReceiver[] = [];
afterEach(() => {
  for (const receiver of open.splice(0)) receiver.dispose();
});

async function receiverWith(port?: number) {
  const gotAddresses: string[] = [];
  const receiver = await openLoopbackReceiver(
    (address) => address.endsWith('&state=s') && gotAddresses.push(address) > 0,
    () => '<h1>Back</h1>',
    port,
  );
  open.push(receiver);
  return { receiver, got: gotAddresses };
}

/** Sends any host header as other local programs can; `fetch` forbids that. */
function send(address: string, { method = 'GET', host = new URL(address).host, headers = {} } = {}) {
  return new Promise<{ status: number | undefined; body: string; headers: NodeJS.Dict<string | string[]> }>(
    (resolve, reject) => {
      const sent = request(address, { method, headers: { host, ...headers } }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const body = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode, body, headers: response.headers });
      });
      sent.on('error', reject);
      sent.end();
    },
  );
}

it('openLoopbackReceiver() listens on a free port of 127.0.0.1, answers one callback with its page and closes', async () => {
  const { receiver, got: gotAddresses } = await receiverWith();
  expect(receiver.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback$/);
  const address = `${receiver.redirectUri}?code=c&state=s`;
  const answer = await send(address);
  expect(answer).toMatchObject({ status: 200, body: '<h1>Back</h1>' });
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  expect(gotAddresses).toEqual([address]);
  await expect(send(address)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(gotAddresses).toHaveLength(1);
});

it.each([
  ['another path', '/favicon.ico', {}],
  ['a callback without a code', '/oauth/callback?state=s', {}],
  ['a callback with two codes', '/oauth/callback?code=a&code=b&state=s', {}],
  ['a form that is posted', '/oauth/callback?code=c&state=s', { method: 'POST' }],
  [
    'a name that was made to resolve to this computer',
    '/oauth/callback?code=c&state=s',
    { host: 'evil.example' },
  ],
  ['a callback of another sign-in', '/oauth/callback?code=c&state=other', {}],
  ['an image of a page', '/oauth/callback?code=c&state=s', { headers: { 'sec-fetch-dest': 'image' } }],
  ['a frame of a page', '/oauth/callback?code=c&state=s', { headers: { 'sec-fetch-dest': 'iframe' } }],
  ['a script of a page', '/oauth/callback?code=c&state=s', { headers: { 'sec-fetch-mode': 'cors' } }],
])('S11: openLoopbackReceiver() ignores %s and keeps waiting', async (_, path, change) => {
  const { receiver, got: gotAddresses } = await receiverWith();
  const answer = await send(new URL(path, receiver.redirectUri).href, change);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.body).toBe('');
  expect(gotAddresses).toEqual([]);
  const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  expect((await send(`${receiver.redirectUri}?code=c&state=s`, { headers })).status).toBe(200);
});

it('S12: openLoopbackReceiver() answers the browser while others hold any number of connections', async () => {
  const { receiver, got: gotAddresses } = await receiverWith();
  const heldSockets = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const connection = connect(loopbackPort(receiver.redirectUri) ?? 0, '127.0.0.1');
      connection.on('error', () => {});
      await once(connection, 'connect');
      return connection;
    }),
  );
  expect((await send(`${receiver.redirectUri}?code=c&state=s`)).status).toBe(200);
  expect(gotAddresses).toHaveLength(1);
  for (const connection of heldSockets) connection.destroy();
});

it('openLoopbackReceiver() listens again on the announced port', async () => {
  const { receiver } = await receiverWith();
  receiver.dispose();
  const port = loopbackPort(receiver.redirectUri);
  expect((await receiverWith(port ?? 0)).receiver.redirectUri).toBe(receiver.redirectUri);
});

it.each([
  'tilelift://oauth/callback',
  'http://127.0.0.1/oauth/callback',
  'http://evil.example:80/oauth/callback',
])('openLoopbackReceiver() rejects %s', (redirect) => expect(loopbackPort(redirect)).toBeNull());
