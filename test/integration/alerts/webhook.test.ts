import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { postWebhook, webhookTestBody } from '../../../main/alerts/webhook.ts';
import { toTileliftError } from '../../../main/errors.ts';
import { systemClock } from '../../../main/ports.ts';
import { isWebhookAddress } from '../../../shared/addresses.ts';
import { makeCertificate } from '../../../tools/bench/certificate.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

interface Call {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** A receiver that records requests and answers as configured. */
async function receive(server: Server, status: number, headers: Record<string, string> = {}) {
  const calls: Call[] = [];
  server.on('request', async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    calls.push({ request, body: Buffer.concat(chunks).toString() });
    response.writeHead(status, headers).end('so says the receiver');
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { calls, port: (server.address() as AddressInfo).port };
}

const body = webhookTestBody('id-1', Date.now(), 'office-1');
const post = (address: string, key: string | null = 'the key') =>
  postWebhook(body, 'id-1', { webhook: { address }, key, network: { fetch, clock: systemClock } });

test('S112: signs a webhook message with its time so that the receiver can verify its origin', async () => {
  const { calls, port } = await receive(createServer(), 204);
  expect(await post(`http://127.0.0.1:${port}/hook`)).toBe('204');
  const [{ request, body: receivedBody } = expect.fail()] = calls;
  expect([request.method, request.headers['content-type'], request.headers['tilelift-delivery']]).toEqual([
    ...['POST', 'application/json', 'id-1'],
  ]);
  // Verifies as docs/after-the-end.md describes.
  const [, timestamp = '', v1] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers['tilelift-signature'])) ?? [];
  expect(v1).toBe(createHmac('sha256', 'the key').update(`${timestamp}.${receivedBody}`).digest('hex'));
  expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(10);
  expect(JSON.parse(receivedBody)).toMatchObject({ id: 'id-1', kind: 'test', computer: 'office-1' });
});

test('reports the status and body of a refused webhook message', async () => {
  const { port } = await receive(createServer(), 500);
  const error = await post(`http://127.0.0.1:${port}/hook/secret`).catch(toTileliftError);
  expect(error).toMatchObject({ code: 'webhook-refused', retryable: true, subject: `127.0.0.1:${port}` });
  expect(error).toMatchObject({ remote: { status: 500, message: 'so says the receiver' } });
});

test('S113: follows no redirect of a webhook', async () => {
  const otherReceiver = await receive(createServer(), 200);
  const { port } = await receive(createServer(), 307, {
    location: `http://127.0.0.1:${otherReceiver.port}/`,
  });
  expect(await post(`http://127.0.0.1:${port}/`).catch(toTileliftError)).toMatchObject({
    code: 'webhook-refused',
  });
  expect(otherReceiver.calls).toEqual([]);
});

test('sends nothing to a webhook with an untrusted certificate', async () => {
  const folder = temporaryFolder();
  const { certFile, keyFile } = await makeCertificate(folder);
  const server = createSecureServer({ cert: await readFile(certFile), key: await readFile(keyFile) });
  const { calls, port } = await receive(server, 200);
  const error = await post(`https://127.0.0.1:${port}/`).catch(toTileliftError);
  expect(error).toMatchObject({ code: 'certificate-untrusted' });
  expect(calls).toEqual([]);
});

test('sends no unsigned webhook message', async () => {
  const { calls, port } = await receive(createServer(), 200);
  expect(await post(`http://127.0.0.1:${port}/`, null).catch(toTileliftError)).toMatchObject({
    code: 'webhook-key-missing',
  });
  expect(calls).toEqual([]);
});

test('accepts only https webhook addresses, or http on this computer', () => {
  const acceptedAddresses = [
    'https://hooks.example/a?b',
    'http://127.0.0.1:8080/',
    'http://localhost/',
    'http://[::1]/',
  ];
  const no = [
    'http://hooks.example/',
    'https://me:secret@hooks.example/',
    'ftp://hooks.example/',
    'x',
    'http://127.0.0.1.evil.example/',
    'http://localhost@evil.example/',
  ];
  expect(acceptedAddresses.filter((address) => !isWebhookAddress(address))).toEqual([]);
  expect(no.filter(isWebhookAddress)).toEqual([]);
});
