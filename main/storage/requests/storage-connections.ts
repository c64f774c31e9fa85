import type { Agent } from 'node:http';
import { createAgent, endIdle } from '../agents/agents.ts';
import type { StorageAddress } from '../storage-address.ts';
import type { TokenTaker } from '../throttle.ts';
import { RequestFlight } from './request-flight.ts';
import { type SmallRequest, SmallRequests } from './small-requests.ts';
import {
  type ConnectionOptions,
  type Flight,
  type StorageRequest,
  smallBody,
  type WatchedFlight,
} from './storage-request.ts';

/** Signs and sends requests to one address, and drops stalled ones. */
export class StorageConnections {
  readonly #options: ConnectionOptions;
  /** One per route, so that requests continue when the route changes. */
  readonly #agents = new Map<string | null, Agent>();
  readonly #smallRequests: SmallRequests;
  readonly #flights = new Set<WatchedFlight>();
  readonly #watch: NodeJS.Timeout;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#smallRequests = new SmallRequests(options, (request) => this.#beginFlight(request));
    this.#watch = setInterval(() => this.#dropStalled(), Math.max(10, options.stallMs / 10)).unref();
  }

  get address(): StorageAddress {
    return this.#options.address;
  }

  send(request: StorageRequest): Flight {
    const goesSmall = isSmall(request, this.#options.tokens) && !this.#smallRequests.hasRejectedAnswer;
    const flight = goesSmall ? this.#smallRequests.send(request) : this.#beginFlight(request);
    this.#flights.add(flight);
    const forget = () => this.#flights.delete(flight);
    flight.answer.then(forget, forget);
    return flight;
  }

  #beginFlight(request: StorageRequest): WatchedFlight {
    const { address, secureContext } = this.#options;
    const { proxy } = request;
    const agent = this.#agents.get(proxy) ?? createAgent(address.secure, secureContext, proxy);
    this.#agents.set(proxy, agent);
    return new RequestFlight(request, this.#options, agent);
  }

  /** Idle connections are dead after sleep or a network change. */
  dropIdle(): void {
    for (const agent of this.#agents.values()) endIdle(agent);
    this.#smallRequests.dropIdle();
  }

  close(): void {
    clearInterval(this.#watch);
    for (const flight of this.#flights) flight.abort(new Error('the connections were closed'));
    for (const agent of this.#agents.values()) agent.destroy();
    this.#smallRequests.close();
  }

  #dropStalled(): void {
    const nowMs = performance.now();
    for (const flight of this.#flights) flight.dropIfStalled(nowMs);
  }
}

function isSmall(request: StorageRequest, tokens: TokenTaker): request is SmallRequest {
  const { method, body, proxy } = request;
  const isPart = method === 'PUT' && body !== null && !('beginPass' in body);
  return isPart && body.length <= smallBody && proxy === null && !tokens.isLimited;
}
