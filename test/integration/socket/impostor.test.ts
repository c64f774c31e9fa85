import { createHash } from 'node:crypto';
import { chown, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isSocketOfOwner, readSocketAddress } from '../../../main/socket/address.ts';
import { connectToRunning } from '../../../main/socket/client.ts';
import { proofOf } from '../../../main/socket/proof.ts';
import { aHome, aServer, rawly } from './socket-house.ts';

const key = 'k'.repeat(64);
const greeting = { tilelift: 2, owner: 'watch', version: '1.2.3', pid: 1 };

/** Replaces the Tilelift that wrote `socket.json`; `answer` is sent after the first line. */
async function impostor(home: string, answer: (hello: { readonly nonce: string }) => object) {
  const address = join(home, 's');
  const heardLines: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const lines = String(chunk).split('\n').filter(Boolean);
      heardLines.push(...lines);
      for (const message of [answer(JSON.parse(lines[0] ?? '')), greeting])
        socket.write(`${JSON.stringify(message)}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(address, resolve));
  onTestFinished(() => {
    server.close();
  });
  await writeFile(join(home, 'socket.json'), JSON.stringify({ address, key }));
  return { heard: heardLines, address };
}

const nonce = createHash('sha256').update('other').digest('hex');

it.each<[string, (hello: { readonly nonce: string }) => object]>([
  ['greets at once', () => greeting],
  ['proves nothing', () => ({ nonce, proof: nonce })],
  [
    'does not know the key',
    ({ nonce: command }) => ({
      nonce,
      proof: proofOf('running', 'x'.repeat(64), { running: nonce, command }),
    }),
  ],
  [
    'replays a proof for another connection',
    () => ({ nonce, proof: proofOf('running', key, { running: nonce, command: nonce }) }),
  ],
  [
    'sends back a proof of the command',
    ({ nonce: command }) => ({ nonce, proof: proofOf('command', key, { running: nonce, command }) }),
  ],
  [
    'names an error that only the real one may',
    () => ({ id: null, error: { code: 'nothing-runs', retryable: true } }),
  ],
])(
  'S129: impostor behind the socket: names an impostor that %s, and sends it neither key nor data',
  async (_, answer) => {
    const home = await aHome();
    const { heard: heardLines } = await impostor(home, answer);
    await expect(connectToRunning(home)).rejects.toMatchObject({ code: 'socket-unproven' });
    expect(heardLines).toEqual([expect.stringMatching(/^\{"tilelift":2,"nonce":"[0-9a-f]{64}"\}$/)]);
  },
);

it.runIf(process.getuid?.() === 0)(
  'S130: impostor behind the socket: gets no connection if it runs as another user',
  async () => {
    const home = await aHome();
    const { heard: heardLines, address } = await impostor(home, () => greeting);
    await chown(address, 65_534, 65_534);
    await expect(connectToRunning(home)).rejects.toMatchObject({ code: 'socket-unproven' });
    expect(heardLines).toEqual([]);
  },
);

describe.runIf(process.getuid?.() === 0)('socket that another user could have created', () => {
  it('socket that another user could have created: detects a foreign socket by the owner of its folder', async () => {
    const home = await aHome();
    await aServer(home);
    const { address } = readSocketAddress(home) ?? { address: '' };
    expect(isSocketOfOwner(home, address, 'linux')).toBe(true);
    await chown(dirname(address), 65_534, 65_534);
    expect(isSocketOfOwner(home, address, 'linux')).toBe(false);
    expect(isSocketOfOwner(home, join(home, 'gone', 's'), 'linux')).toBe(null);
  });
});

describe('recorded conversation', () => {
  it('S131: the socket refuses a replayed conversation', async () => {
    const home = await aHome();
    const { asked: receivedAsks } = await aServer(home);
    const proof = await (await rawly(home)).hello();
    const replay = await rawly(home);
    replay.say(`{"tilelift":2,"nonce":"${'0'.repeat(64)}"}\n{"proof":"${proof}"}\n`);
    replay.say('{"id":1,"ask":"act","jobId":"a","action":"pause"}\n');
    await replay.closed;
    const [, refusal] = replay.lines().map((line) => JSON.parse(line));
    expect(refusal).toMatchObject({ id: null, error: { code: 'socket-misunderstood' } });
    expect(replay.lines()).toHaveLength(2);
    expect(receivedAsks).toEqual([]);
  });
});
