import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type Door, openDoor } from '../door.ts';
import { type Lane, type LineShape, Wire } from './wire.ts';

/** A simulated long line in front of a server. */
export interface Relay {
  readonly door: Door;
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
  to: Door,
  shape: LineShape,
  random: () => number,
  standardHost: string | null = null,
): Promise<Relay> {
  const wire = new Wire(shape, random);
  const passes = new Set<Pass>();
  const server = createServer({ highWaterMark: pieceBytes, allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ ...to, noDelay: true });
    const pass = new Pass(near, far, wire, shape.delayMs);
    passes.add(pass);
    near.once('close', () => passes.delete(pass));
  });
  let resetting: NodeJS.Timeout | undefined;
  function resetLater(): void {
    const ms = wire.untilReset();
    if (ms === Number.POSITIVE_INFINITY) return;
    resetting = setTimeout(() => {
      const carrying = [...passes].filter(({ isCarrying }) => isCarrying);
      carrying[Math.floor(random() * carrying.length)]?.reset();
      resetLater();
    }, ms);
  }
  resetLater();
  const door = await openDoor(server, standardHost === null ? null : { host: standardHost, port: 443 });
  return {
    door,
    close: async () => {
      clearTimeout(resetting);
      server.close();
      for (const pass of passes) pass.reset();
      await once(server, 'close');
    },
  };
}

class Pass {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #wire: Wire;
  readonly #lane: Lane;
  readonly #up = new Later();
  readonly #down = new Later();
  #waiting: NodeJS.Timeout | undefined;

  constructor(near: Socket, far: Socket, wire: Wire, delayMs: number) {
    this.#near = near;
    this.#far = far;
    this.#wire = wire;
    this.#lane = wire.connect(performance.now());
    near.on('readable', () => this.#take());
    near.once('end', () => this.#up.at(0, () => far.end()));
    far.on('data', (bytes: Buffer) => this.#down.at(performance.now() + delayMs, () => near.write(bytes)));
    far.once('end', () => this.#down.at(performance.now() + delayMs, () => near.end()));
    near.once('error', () => this.#end());
    far.once('error', () => this.reset());
    near.once('close', () => this.#end());
  }

  get isCarrying(): boolean {
    return this.#lane.unacknowledged.length > 0;
  }

  reset(): void {
    this.#near.resetAndDestroy();
    this.#end();
  }

  #end(): void {
    clearTimeout(this.#waiting);
    this.#up.clear();
    this.#down.clear();
    this.#far.destroy();
  }

  #take(): void {
    clearTimeout(this.#waiting);
    for (;;) {
      const now = performance.now();
      const room = this.#wire.room(this.#lane, now);
      if (room === 0) {
        this.#waiting = setTimeout(() => this.#take(), Math.max(1, this.#wire.roomAt(this.#lane) - now));
        return;
      }
      const bytes: Buffer | null = this.#near.read(Math.min(room, this.#near.readableLength) || undefined);
      if (bytes === null) return;
      this.#up.at(this.#wire.send(this.#lane, bytes.length, now), () => this.#far.write(bytes));
    }
  }
}

/** Runs callbacks in order, each at its due time or later. */
class Later {
  readonly #waiting: { readonly due: number; readonly happen: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param due ms, as `performance.now()`; calls stay in order regardless of it */
  at(due: number, happen: () => void): void {
    this.#waiting.push({ due, happen });
    if (this.#waiting.length === 1) this.#sleep(due);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#waiting.length = 0;
  }

  #sleep(due: number): void {
    this.#timer = setTimeout(() => this.#wake(), Math.max(0, due - performance.now()));
  }

  #wake(): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if (first.due > performance.now()) {
        this.#sleep(first.due);
        return;
      }
      this.#waiting.shift();
      first.happen();
    }
  }
}
