import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type DoorAddress, openDoor } from '../door.ts';
import { type LineShape, Wire, type WireLane } from './wire.ts';

/** A simulated long line in front of a server. */
export interface Relay {
  readonly door: DoorAddress;
  close(): Promise<void>;
}

/** Bytes read from a socket at once, which bounds the relay's own buffer. */
const pieceBytes = 64 * 1024;

/**
 * Forwards bytes as a line of that shape would. Responses only get the delay, without a limit of the rate.
 *
 * @param random returns 0 (inclusive) to 1 (exclusive)
 * @param standardHost as `launchSink`
 */
export async function openRelay(
  target: DoorAddress,
  shape: LineShape,
  random: () => number,
  standardHost: string | null = null,
): Promise<Relay> {
  const wire = new Wire(shape, random);
  const activePasses = new Set<RelayPass>();
  const server = createServer(
    { highWaterMark: pieceBytes, allowHalfOpen: true, noDelay: true },
    (nearSocket) => {
      const farSocket = connect({ ...target, noDelay: true });
      const relayPass = new RelayPass(nearSocket, farSocket, wire, shape.delayMs);
      activePasses.add(relayPass);
      nearSocket.once('close', () => activePasses.delete(relayPass));
    },
  );
  let resetTimer: NodeJS.Timeout | undefined;
  function resetLater(): void {
    const ms = wire.untilReset();
    if (ms === Number.POSITIVE_INFINITY) return;
    resetTimer = setTimeout(() => {
      const carrying = [...activePasses].filter(({ isCarrying }) => isCarrying);
      carrying[Math.floor(random() * carrying.length)]?.reset();
      resetLater();
    }, ms);
  }
  resetLater();
  const door = await openDoor(server, standardHost === null ? null : { host: standardHost, port: 443 });
  return {
    door,
    close: async () => {
      clearTimeout(resetTimer);
      server.close();
      for (const relayPass of activePasses) relayPass.reset();
      await once(server, 'close');
    },
  };
}

class RelayPass {
  readonly #nearSocket: Socket;
  readonly #farSocket: Socket;
  readonly #wire: Wire;
  readonly #lane: WireLane;
  readonly #up = new DelayedQueue();
  readonly #downQueue = new DelayedQueue();
  #waitTimer: NodeJS.Timeout | undefined;

  constructor(nearSocket: Socket, farSocket: Socket, wire: Wire, delayMs: number) {
    this.#nearSocket = nearSocket;
    this.#farSocket = farSocket;
    this.#wire = wire;
    this.#lane = wire.connect(performance.now());
    nearSocket.on('readable', () => this.#takeBytes());
    nearSocket.once('end', () => this.#up.schedule(0, () => farSocket.end()));
    farSocket.on('data', (bytes: Buffer) =>
      this.#downQueue.schedule(performance.now() + delayMs, () => nearSocket.write(bytes)),
    );
    farSocket.once('end', () =>
      this.#downQueue.schedule(performance.now() + delayMs, () => nearSocket.end()),
    );
    nearSocket.once('error', () => this.#end());
    farSocket.once('error', () => this.reset());
    nearSocket.once('close', () => this.#end());
  }

  get isCarrying(): boolean {
    return this.#lane.unacknowledged.length > 0;
  }

  reset(): void {
    this.#nearSocket.resetAndDestroy();
    this.#end();
  }

  #end(): void {
    clearTimeout(this.#waitTimer);
    this.#up.clear();
    this.#downQueue.clear();
    this.#farSocket.destroy();
  }

  #takeBytes(): void {
    clearTimeout(this.#waitTimer);
    for (;;) {
      const nowMs = performance.now();
      const freeRoom = this.#wire.freeRoom(this.#lane, nowMs);
      if (freeRoom === 0) {
        this.#waitTimer = setTimeout(
          () => this.#takeBytes(),
          Math.max(1, this.#wire.roomAt(this.#lane) - nowMs),
        );
        return;
      }
      const bytes: Buffer | null = this.#nearSocket.read(
        Math.min(freeRoom, this.#nearSocket.readableLength) || undefined,
      );
      if (bytes === null) return;
      this.#up.schedule(this.#wire.send(this.#lane, bytes.length, nowMs), () => this.#farSocket.write(bytes));
    }
  }
}

/** Runs callbacks in order, each at its due time or later. */
class DelayedQueue {
  readonly #waitingItems: { readonly dueAt: number; readonly happen: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param dueAt ms, as `performance.now()`; calls stay in order regardless of it */
  schedule(dueAt: number, happen: () => void): void {
    this.#waitingItems.push({ dueAt, happen });
    if (this.#waitingItems.length === 1) this.#sleep(dueAt);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#waitingItems.length = 0;
  }

  #sleep(dueAt: number): void {
    this.#timer = setTimeout(() => this.#wakeUp(), Math.max(0, dueAt - performance.now()));
  }

  #wakeUp(): void {
    for (let firstItem = this.#waitingItems[0]; firstItem; firstItem = this.#waitingItems[0]) {
      if (firstItem.dueAt > performance.now()) {
        this.#sleep(firstItem.dueAt);
        return;
      }
      this.#waitingItems.shift();
      firstItem.happen();
    }
  }
}
