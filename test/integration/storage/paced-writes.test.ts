import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { StorageConnections } from '../../../main/storage/requests/storage-connections.ts';
import { Signer } from '../../../main/storage/sigv4.ts';
import { storageAddress } from '../../../main/storage/storage-address.ts';
import { TokenTaker, unlimitedTokens } from '../../../main/storage/throttle.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(() => {
  for (const end of cleanUps.splice(0).reverse()) end();
});

/** A budget that gives `portion` bytes per turn; the test decides when a turn comes. */
class HandTurned extends TokenTaker {
  readonly #portion: number;
  #bytesLeft = 0;
  /** Number of checks for available data. */
  checkCount = 0;
  readonly waiting: (() => void)[] = [];

  constructor(portion: number) {
    super(unlimitedTokens());
    this.#portion = portion;
  }

  override get isLimited(): boolean {
    return true;
  }

  override takeBytes(requestedBytes: number): number {
    this.checkCount += 1;
    const grantedBytes = Math.min(requestedBytes, this.#bytesLeft);
    this.#bytesLeft -= grantedBytes;
    return grantedBytes;
  }

  override waitForTurn(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  nextTurn(): void {
    this.#bytesLeft = this.#portion;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

async function startStore() {
  const bodies: number[] = [];
  const server = createServer(async (request, response) => {
    let length = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) length += chunk.length;
    bodies.push(length);
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => server.close());
  return { bodies, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const keys = { accessKey: 'key', secretAccessKey: 'secret', sessionToken: 'token' };

it('body under a bandwidth limit: sends it in turns without polling between them', async () => {
  const { bodies, endpoint } = await startStore();
  const portion = 10_000;
  const turns = 12;
  const tokens = new HandTurned(portion);
  const connections = new StorageConnections({
    address: storageAddress('bucket', endpoint),
    signer: new Signer(keys),
    secureContext: undefined,
    tokens,
    stallMs: 600_000,
    currentTime: Date.now,
    onRoundTrip: () => {},
  });
  cleanUps.push(() => connections.close());
  let sentBytes = 0;
  const { answer } = connections.send({
    ...{ method: 'PUT', path: '/bucket/a', query: '', headers: {}, proxy: null, answerMs: null },
    body: Buffer.alloc(portion * turns),
    onSent: (bytes) => {
      sentBytes += bytes;
    },
  });
  const waitOptions = { timeout: 60_000, interval: 1 };
  for (let turn = 0; turn < turns; turn += 1) {
    await expect.poll(() => tokens.waiting.length, waitOptions).toBe(1);
    expect(sentBytes).toBe(turn * portion);
    tokens.nextTurn();
  }
  expect((await answer).status).toBe(200);

  expect(bodies).toEqual([portion * turns]);
  // Each turn has one check that finds data and one that finds none; the last turn needs no second check.
  expect(tokens.checkCount).toBe(1 + 2 * turns - 1);
});
