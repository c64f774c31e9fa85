import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type Door, openDoor } from '../door.ts';
import { type Lane, type LineShape, Wire } from './wire.ts';

/** A long line in front of a server: what is sent through it takes its time. */
export interface Relay {
  readonly door: Door;
  close(): Promise<void>;
}

/**
 * Read from a socket at once. What is read and not under way yet is at most this, beside the system's own.
 */
const pieceBytes = 64 * 1024;

/**
 * Passes bytes on as a line of that shape would. Answers come back after the delay, at
 * whatever rate.
 *
 * @param random 0 up to but not including 1
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

/** One connection through the line. */
class Pass {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #wire: Wire;
  readonly #lane: Lane;
  readonly #up = new Later();
  readonly #down = new Later();
  /** Looks again once there is room. */
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

/** What is to happen, one after the other, each not before its time. */
class Later {
  readonly #waiting: { readonly due: number; readonly happen: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param due ms, as `performance.now()`; in the order of the calls, whatever it says */
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
