import { readdir } from 'node:fs/promises';
import type { TileliftError } from '../../errors.ts';
import {
  createHeld,
  maxRewritten,
  readHeld,
  removeHeld,
  rewriteHeld,
  takeHeldAway,
} from '../../files/held-files.ts';
import { entryAt, type HeldFolder } from '../../files/held-folder.ts';
import { canOverlap } from '../../files/left-out/pattern-overlap.ts';
import type { Clock } from '../../ports.ts';
import { WorkLine } from '../../work-line.ts';
import {
  isSameOwner,
  type LeaseRecord,
  leaseName,
  parseLease,
  patternsOf,
  type Standing,
  type WatchOwner,
} from '../model/lease-model.ts';
import type { WatchRule } from '../model/rule.ts';
import { withinOwnFolder } from './own-files.ts';

export interface LeaseOptions {
  readonly rule: Pick<WatchRule, 'folder' | 'name' | 'unit'>;
  readonly owner: WatchOwner;
  readonly session: string;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  /** After this time without a change, a lease may be taken over, ms. */
  readonly staleMs: number;
  /** The same for this computer's previous run, ms. */
  readonly formerMs: number;
  /** Something that must not be followed has replaced Tilelift's own folder. */
  readonly onForeign: (error: TileliftError) => void;
}

const ours: Standing = { kind: 'ours' };
/** Other computers may create and delete leases in between. */
const maxSteps = 5;
/** Computers may die during a takeover and leave locks. */
const maxLocks = 20;

/**
 * The right to watch one folder for one rule: a file that only one computer can create. Throws
 * `watch-lease-unwritable` if the folder can't be used. While something foreign replaces Tilelift's own
 * folder, each computer watches on its own.
 */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #name: string;
  readonly #observedLeases: SeenLeases;
  #isHeld = false;
  #isForeign = false;
  #beat = 0;
  readonly #line = new WorkLine();

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#name = leaseName(options.rule);
    this.#observedLeases = new SeenLeases(options.clock);
  }

  /** As of the last call that reached the folder. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  acquire(): Promise<Standing> {
    return this.#within(ours, (folder) => this.#acquire(folder));
  }

  renew(): Promise<boolean> {
    return this.#within(true, async (folder) => {
      if (!this.#isHeld) return false;
      this.#isHeld =
        (await this.#rewrite(folder, false)) || (await createHeld(folder, this.#name, this.#record(false)));
      return this.#isHeld;
    });
  }

  /** Only checks; renews nothing. */
  isStillOurs(): Promise<boolean> {
    return this.#within(true, async (folder) => {
      const file = await this.#read(folder, this.#name);
      if (file && !this.#isOurs(file.text ?? '')) this.#isHeld = false;
      return this.#isHeld;
    });
  }

  /** Lets others watch: at once, or with `rest` once the lease is stale, so that jobs can resume here. */
  release(how: 'at-once' | 'rest'): Promise<void> {
    return this.#within(undefined, async (folder) => {
      if (!this.#isHeld) return;
      this.#isHeld = false;
      if (how === 'rest') await this.#rewrite(folder, true);
      else if (this.#isOurs((await this.#read(folder, this.#name))?.text ?? ''))
        await removeHeld(folder, this.#name);
    });
  }

  async #acquire(folder: HeldFolder): Promise<Standing> {
    if (this.#isHeld) return ours;
    const rival = await this.#rivalIn(folder);
    if (rival) return { kind: 'theirs', host: rival.owner.host };
    for (let step = 0; step < maxSteps; step++) {
      if (await createHeld(folder, this.#name, this.#record(false))) return this.#keepUnlessRival(folder);
      const file = await this.#read(folder, this.#name);
      if (!file) continue;
      const lease = parseLease(file.text ?? '');
      if (lease?.session === this.#options.session && (await this.#rewrite(folder, false)))
        return this.#keepUnlessRival(folder);
      const isAlive = this.#observedLeases.hasChanged(this.#name, file.generation);
      if (!this.#isStale(this.#name, file.generation, lease))
        return {
          kind: lease && isSameOwner(lease.owner, this.#options.owner) && !isAlive ? 'former' : 'theirs',
          host: lease?.owner.host ?? null,
        };
      if (!(await this.#clearAway(folder, file.generation))) break;
    }
    return { kind: 'theirs', host: null };
  }

  /**
   * Removes a stale lease; a lock lets only one computer do so. If that computer dies, its lock becomes
   * stale.
   */
  async #clearAway(folder: HeldFolder, generation: string): Promise<boolean> {
    for (let count = 1; count <= maxLocks; count++) {
      const lock = `${this.#name}.${generation}-${count}.lock`;
      if (await createHeld(folder, lock, {})) {
        const isSame = (await this.#read(folder, this.#name))?.generation === generation;
        const isGone = isSame && (await takeHeldAway(folder, this.#name, generation));
        await removeHeld(folder, lock);
        return isGone;
      }
      const stats = await entryAt(folder, lock);
      if (!stats || !this.#observedLeases.isStale(lock, String(stats.ino), this.#options.staleMs))
        return false;
    }
    return false;
  }

  /** Checks again after writing, so that of two computers with overlapping patterns one sees the other. */
  async #keepUnlessRival(folder: HeldFolder): Promise<Standing> {
    const rival = await this.#rivalIn(folder);
    if (rival) await removeHeld(folder, this.#name);
    this.#isHeld = !rival;
    return rival ? { kind: 'theirs', host: rival.owner.host } : ours;
  }

  /** Finds an active lease of another name with overlapping patterns. */
  async #rivalIn(folder: HeldFolder): Promise<LeaseRecord | null> {
    const ownPatterns = patternsOf(this.#options.rule);
    for (const name of (await readdir(folder.path)).slice(0, maxRivals)) {
      if (name === this.#name || !name.endsWith('.json')) continue;
      const file = await this.#read(folder, name);
      const lease = parseLease(file?.text ?? '');
      if (!file || !lease || lease.session === this.#options.session) continue;
      const isDisjoint = ownPatterns?.every((pattern) =>
        lease.patterns?.every((otherPattern) => !canOverlap(pattern, otherPattern)),
      );
      if (isDisjoint !== true && !this.#isStale(name, file.generation, lease)) return lease;
    }
    return null;
  }

  #isStale(name: string, generation: string, lease: LeaseRecord | null): boolean {
    const { owner, staleMs, formerMs } = this.#options;
    const isFormer = lease !== null && isSameOwner(lease.owner, owner);
    const afterMs = isFormer ? (lease.resting ? 0 : formerMs) : staleMs;
    return this.#observedLeases.isStale(name, generation, afterMs);
  }

  #read(folder: HeldFolder, name: string) {
    return readHeld(folder, name, maxRewritten);
  }

  #rewrite(folder: HeldFolder, resting: boolean): Promise<boolean> {
    return rewriteHeld(folder, this.#name, (text) => this.#isOurs(text), this.#record(resting));
  }

  #isOurs(text: string): boolean {
    return parseLease(text)?.session === this.#options.session;
  }

  #record(resting: boolean): LeaseRecord {
    const { owner, session, rule, clock } = this.#options;
    this.#beat += 1;
    return {
      ...{ version: 1, owner, session, rule: rule.name.slice(0, 1_000) },
      patterns: patternsOf(rule),
      ...{ renewedAt: new Date(clock.now()).toISOString(), beat: this.#beat, resting },
    };
  }

  /** Runs one at a time, so that no lease changes between a read and a write here. */
  #within<T>(fallback: T, work: (folder: HeldFolder) => Promise<T>): Promise<T> {
    const { rule, onForeign } = this.#options;
    const inFolder = (folder: HeldFolder) => {
      this.#isForeign = false;
      return work(folder);
    };
    const withoutFolder = (error: TileliftError) => {
      if (!this.#isForeign) onForeign(error);
      this.#isForeign = true;
      return fallback;
    };
    return this.#line.run(() => withinOwnFolder(rule.folder, 'leases', inFolder, withoutFolder));
  }
}

/** Other users may put any number of files there. */
const maxRivals = 1_000;
/** A longer gap between checks counts as this share of the limit, because others may have renewed in it. */
const maxGap = 1 / 4;

interface Seen {
  readonly generation: string;
  readonly observedAt: number;
  readonly restedMs: number;
}

/**
 * Measures how long leases have kept their content, by the monotonic clock: clocks of other computers may be
 * wrong by days. Time asleep hardly counts.
 */
class SeenLeases {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #observations = new Map<string, Seen>();
  readonly #renewed = new Set<string>();

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  /** The content has changed, so the owner is alive. */
  hasChanged(name: string, generation: string): boolean {
    const previous = this.#observations.get(name);
    if (previous && previous.generation !== generation) this.#renewed.add(name);
    return this.#renewed.has(name);
  }

  /** Called in every check; true if unchanged for `afterMs`. */
  isStale(name: string, generation: string, afterMs: number): boolean {
    const observedAt = this.#clock.elapsed();
    const previous = this.#observations.get(name);
    const isSame = previous?.generation === generation;
    const gap = isSame ? Math.min(observedAt - previous.observedAt, afterMs * maxGap) : 0;
    const restedMs = isSame ? previous.restedMs + gap : 0;
    if (this.#observations.size >= maxRivals) this.#observations.clear();
    this.#observations.set(name, { generation, observedAt, restedMs });
    return restedMs >= afterMs;
  }
}
