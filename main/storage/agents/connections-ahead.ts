import type { Agent } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { onRoundTrip } from '../round-trip.ts';
import type { StorageAddress } from '../storage-address.ts';
import { veryFarMs } from '../storage-facts.ts';

/** A connection that no request has wanted for so long is closed again, ms. */
const unwantedMs = 15_000;

/**
 * Connections that are made before requests ask for them. On a very far line each costs two round trips at
 * least: they are over by the time that there is something to send. On any other line there is one at most.
 */
export class ConnectionsAhead {
  readonly #agent: Agent;
  readonly #connect: () => Socket;
  readonly #tell: (roundTripMs: number) => void;
  readonly #waiting = new Set<Socket>();
  readonly #handedOut = new WeakSet<Socket>();
  /** Requests that are expected at once. */
  #wanted = 0;
  /** 0: not known. */
  #roundTripMs = 0;

  /**
   * Has the agent, which goes straight to that address, use them up before it makes others.
   *
   * @param options of each connection
   * @param tell see `onRoundTrip`
   */
  constructor(
    agent: Agent,
    { hostname, port }: Pick<StorageAddress, 'hostname' | 'port'>,
    options: object,
    tell: (roundTripMs: number) => void,
  ) {
    this.#agent = agent;
    this.#tell = tell;
    const connect = agent.createConnection.bind(agent);
    // As Node does it for requests: an address is no name that a certificate could be asked for.
    const servername = isIP(hostname) ? '' : hostname;
    const to: object = { ...options, host: hostname, port, servername };
    this.#connect = () => connect(to) as Socket;
    agent.createConnection = (...given) => this.#take() ?? connect(...given);
  }

  /**
   * So many requests are about to be sent at once. Makes the first connection, unless there is any, and those
   * that are missing once it is known that storage is very far.
   */
  expect(requests: number): void {
    this.#wanted = requests;
    if (this.#roundTripMs >= veryFarMs) this.#makeMissing();
    else if (requests > 0 && this.#count === 0) this.#make();
  }

  /** A connection was made. The quickest tells. */
  sawRoundTrip(ms: number): void {
    this.#roundTripMs = Math.min(ms, this.#roundTripMs || ms);
    if (this.#roundTripMs >= veryFarMs) this.#makeMissing();
  }

  /** Whether it was made before its request: then it may have been closed since. */
  made(socket: Socket): boolean {
    return this.#handedOut.has(socket);
  }

  /** Ends those that no request has taken. */
  close(): void {
    for (const socket of this.#waiting) socket.destroy();
  }

  get #count(): number {
    const { sockets, freeSockets } = this.#agent;
    const all = [...Object.values(sockets), ...Object.values(freeSockets)];
    return all.reduce((sum, some) => sum + (some?.length ?? 0), this.#waiting.size);
  }

  #makeMissing(): void {
    for (let missing = this.#wanted - this.#count; missing > 0; missing--) this.#make();
    this.#wanted = 0;
  }

  #make(): void {
    const socket = this.#connect();
    this.#waiting.add(socket);
    const forget = () => this.#waiting.delete(socket);
    // Who wants to send something makes one, and hears what is wrong.
    socket.on('error', () => {}).once('close', forget);
    socket.setTimeout(unwantedMs, () => socket.destroy());
    onRoundTrip(socket, (ms) => {
      this.#tell(ms);
      this.sawRoundTrip(ms);
    });
  }

  #take(): Socket | null {
    const [socket = null] = this.#waiting;
    if (!socket) return null;
    this.#waiting.delete(socket);
    this.#handedOut.add(socket);
    socket.removeAllListeners('timeout').setTimeout(0);
    return socket;
  }
}
