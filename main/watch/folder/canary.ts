import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';
import type { Clock } from '../../outside.ts';
import { ownFolder } from '../survey/left-out.ts';
import { holdOwnFolder } from './held-folder.ts';

interface CanaryOptions {
  /** The watched folder. */
  readonly folder: string;
  /** This instance’s own id: several may watch one folder. */
  readonly instance: string;
  readonly clock: Clock;
  /** How long an event may take, ms. */
  readonly patienceMs: number;
}

/**
 * A file that is written to see whether the file system tells of changes at all; many file servers don’t. It
 * shows only whether our own changes are told, and a server may tell of these and not of those of other
 * computers: a positive answer is no reason to scan the folder less often.
 */
export interface Canary {
  /** Where it is written; its folder must be watched. */
  readonly folder: string;
  /** True when the last write was reported, false when not in time, null before and where writing failed. */
  readonly eventsArrive: boolean | null;
  /** True when the hint is about the canary, and nothing else is to be done about it. */
  takeHint(path: string): boolean;
  /** Writes it and waits for the event. Never rejects but for the signal. */
  probe(signal?: AbortSignal): Promise<boolean | null>;
  /** Takes the file away. */
  remove(): Promise<void>;
}

export function createCanary({ folder, instance, clock, patienceMs }: CanaryOptions): Canary {
  const place = join(folder, ownFolder);
  /** Another name each time: what others put under one that they know would be written to. */
  let name = nextName();
  const written: string[] = [];
  let eventsArrive: boolean | null = null;
  function nextName(): string {
    return `canary-${instance}-${randomUUID()}`;
  }
  async function writeNew(next: string): Promise<void> {
    await using held = await holdOwnFolder(folder);
    const file = await open(held.at(next), 'wx');
    written.push(next);
    try {
      await file.writeFile(`${clock.now()}\n`);
    } finally {
      await file.close();
    }
  }
  async function remove(): Promise<void> {
    try {
      await using held = await holdOwnFolder(folder);
      for (const one of written.splice(0)) await unlink(held.at(one)).catch(() => {});
    } catch {
      // What is not there needs no removing.
    }
  }
  let heard = () => {};
  const probe = async (signal?: AbortSignal): Promise<boolean | null> => {
    signal?.throwIfAborted();
    const waiting = new AbortController();
    const arrived = new Promise<true>((resolve) => {
      heard = () => resolve(true);
    });
    try {
      name = nextName();
      await writeNew(name);
      const either = signal ? AbortSignal.any([signal, waiting.signal]) : waiting.signal;
      eventsArrive = await Promise.race([
        arrived,
        clock.sleep(patienceMs, either).then(() => false as const),
      ]);
    } catch (error) {
      signal?.throwIfAborted();
      if (!codeOf(error) && !(error instanceof TileliftError)) throw error;
      // Where nothing can be written nothing can be told.
      eventsArrive = null;
    } finally {
      heard = () => {};
      waiting.abort();
    }
    return eventsArrive;
  };
  return {
    folder: place,
    get eventsArrive() {
      return eventsArrive;
    },
    takeHint: (hint) => {
      // The making of its folder is an event as well.
      if (hint === join(place, name) || hint === place) heard();
      return hint === place || hint.startsWith(join(place, 'canary-'));
    },
    probe,
    remove,
  };
}
