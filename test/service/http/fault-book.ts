import type { Fault, RecordedRequest } from '../model.ts';

interface Entry {
  readonly id: string;
  readonly fault: Fault;
  readonly path: RegExp | undefined;
  seenCount: number;
  met: number;
}

/**
 * A request meets the oldest matching fault that has uses left. `after` counts every matching request since
 * the fault was added, even those that met another fault.
 */
export class FaultBook {
  #entries: Entry[] = [];
  #lastId = 0;
  #clearing = Promise.withResolvers<void>();
  readonly #hasImpostor: boolean;

  /** `hasImpostor`: whether a foreign certificate is available. */
  constructor(hasImpostor = false) {
    this.#hasImpostor = hasImpostor;
  }

  /** Throws SyntaxError for an invalid `match.path`, and Error for an unavailable impostor. */
  add(fault: Fault): string {
    if (fault.action.kind === 'impostor' && !this.#hasImpostor)
      throw new Error('An impostor needs a certificate of its own, and so does the service.');
    this.#lastId += 1;
    const id = `fault-${this.#lastId}`;
    const path = fault.match.path === undefined ? undefined : new RegExp(fault.match.path);
    this.#entries.push({ id, fault, path, seenCount: 0, met: 0 });
    return id;
  }

  clear(): void {
    this.#entries = [];
    this.#clearing.resolve();
    this.#clearing = Promise.withResolvers<void>();
  }

  get cleared(): Promise<void> {
    return this.#clearing.promise;
  }

  /** Finds and counts the fault for this request. `path`: path and query as sent. */
  meet(room: RecordedRequest['room'], method: string, path: string): Fault | undefined {
    let fault: Fault | undefined;
    for (const entry of this.#entries) {
      const { match } = entry.fault;
      if (match.room !== room) continue;
      if (match.method !== undefined && match.method.toUpperCase() !== method) continue;
      if (entry.path && !entry.path.test(path)) continue;
      entry.seenCount += 1;
      if (fault || entry.seenCount <= (match.after ?? 0) || entry.met >= (match.times ?? 1)) continue;
      entry.met += 1;
      fault = entry.fault;
    }
    return fault;
  }
}
