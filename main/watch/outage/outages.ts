import type { ErrorCode } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { createListeners } from '../../listeners.ts';
import type { LedgerEntry, Outage } from '../model.ts';
import { type WatchParts, writeActivity } from '../watch-parts.ts';

/** Failures that meet every source alike: the way to the service or to storage is not as it should be. */
const meetsAll: ReadonlySet<ErrorCode> = new Set([
  'service-unreachable',
  'certificate-untrusted',
  'proxy-unreachable',
  'proxy-authentication',
  'service-unavailable',
  'service-busy',
  'foreign-answer',
  'unexpected-answer',
  'request-refused',
  'storage-unreachable',
  'storage-failed',
  'storage-denied',
  'storage-elsewhere',
]);

/**
 * Without a success for so long it was an outage, ms. Anything shorter is left to the usual delays: a source
 * that always fails must not be tried again whenever another one succeeds.
 */
const outageMs = 10 * 60_000;

interface OutagesOptions {
  readonly parts: WatchParts;
  /** Sources of this rule have become due. */
  readonly ring: (ruleId: string) => void;
}

interface Out {
  /** When the first of the failures came that no success has followed, ms since the epoch. */
  readonly since: number;
  readonly stopping: AbortController;
}

type Seen = Pick<
  JobSnapshot,
  'id' | 'accountId' | 'status' | 'waitingFor' | 'bytesDone' | 'endedAt' | 'byRule' | 'error'
>;

/**
 * Times in which nothing got through for an account: what was to be sent failed, or waits for the network.
 * Each is told once when it has lasted and once when it is over, and the first success then makes everything
 * due that failed in it.
 */
export class Outages {
  readonly #with: OutagesOptions;
  /** By account. */
  readonly #out = new Map<string, Out>();
  /** How far each job had come when it was last seen to get further. */
  readonly #places = new Map<string, string>();
  /** Jobs that were held up since something got through, with their accounts. */
  readonly #heldUp = new Map<string, string>();
  readonly #listeners = createListeners<[outage: Outage]>();

  constructor(options: OutagesOptions) {
    this.#with = options;
  }

  /** Returns an unsubscribe function. */
  readonly onOutage = (listener: (outage: Outage) => void): (() => void) => {
    return this.#listeners.add(listener);
  };

  /**
   * A source failed and is tried again later. True: it is the first of its outage, and worth a line; the end
   * tells of the others.
   */
  failed(accountId: string, code: ErrorCode | undefined): boolean {
    return code === undefined || !meetsAll.has(code) || this.#begin(accountId);
  }

  /**
   * A job as it is now. One that waits for the network, or tries on through such a failure, is an outage too;
   * it is over when any gets further, not when it only tries.
   */
  saw(job: Seen): void {
    const { id, accountId, endedAt, byRule } = job;
    if (!byRule) return;
    const before = this.#places.get(id);
    const place = placeOf(job);
    if (endedAt !== null) {
      this.#places.delete(id);
      this.#heldUp.delete(id);
    } else if (isHeldUp(job)) {
      if (before === undefined) this.#places.set(id, place);
      this.#heldUp.set(id, accountId);
      this.#begin(accountId);
    } else if (before !== place) {
      this.#places.set(id, place);
      const gotFurther = before !== undefined && beyond.has(job.status) && isOnStorage(job);
      if (gotFurther && this.#out.has(accountId)) this.succeeded(accountId);
    }
  }

  /**
   * Something got through. Whatever failed since the outage began is retried at once, in order of arrival.
   */
  succeeded(accountId: string): void {
    const { parts, ring } = this.#with;
    const { clock, ledger, rules } = parts;
    const now = clock.now();
    const concerned = rules()
      .filter((rule) => rule.accountId === accountId)
      .map((rule) => ({ rule, rows: ledger.waitingForRetry(rule.id).filter(isOfOutage) }));
    const out = this.#out.get(accountId);
    // After a restart only the rows tell of it; those that are due have been told of, or continue by
    // themselves.
    const later = concerned.flatMap(({ rows }) => rows.filter(({ retryAt }) => (retryAt ?? 0) > now));
    const since = out?.since ?? Math.min(...later.map(endOf));
    const heldUp = new Set(
      [...this.#heldUp].filter(([, account]) => account === accountId).map(([id]) => id),
    );
    for (const id of heldUp) this.#heldUp.delete(id);
    out?.stopping.abort();
    this.#out.delete(accountId);
    const ms = now - since;
    if (!(ms >= outageMs)) return;
    const underWay = ledger.taken().filter(({ jobId }) => jobId !== null && heldUp.has(jobId));
    let sources = 0;
    for (const { rule, rows } of concerned) {
      const count = rows.length + underWay.filter(({ ruleId }) => ruleId === rule.id).length;
      if (count === 0) continue;
      sources += count;
      for (const { path } of rows) ledger.change(rule.id, path, { retryAt: now });
      const values = { count, from: { time: since }, ...lengthOf(ms) };
      writeActivity(parts, rule.id, { key: 'sources.outageOver', values });
      parts.onChange(rule.id);
      if (rows.length > 0) ring(rule.id);
    }
    this.#tell({ kind: 'over', since, ms, sources });
  }

  /** Nothing is told any more. */
  stop(): void {
    this.#listeners.clear();
    for (const { stopping } of this.#out.values()) stopping.abort();
  }

  /** False where it has begun before. */
  #begin(accountId: string): boolean {
    if (this.#out.has(accountId)) return false;
    const { clock } = this.#with.parts;
    const out: Out = { since: clock.now(), stopping: new AbortController() };
    this.#out.set(accountId, out);
    clock.sleep(outageMs, out.stopping.signal).then(
      () => this.#tell({ kind: 'begun', since: out.since }),
      () => {},
    );
    return true;
  }

  #tell(outage: Outage): void {
    this.#listeners.tell(outage);
  }
}

/** Only with the service's or storage's help does a job come to these. */
const beyond: ReadonlySet<JobSnapshot['status']> = new Set(['uploading', 'completing', 'tiling']);

const placeOf = ({ status, bytesDone }: Seen) => (beyond.has(status) ? `${status} ${bytesDone}` : '');

/** A created asset says nothing of storage: all that failed there would be retried, each as another asset. */
const isOnStorage = ({ status, bytesDone }: Seen) => status !== 'uploading' || bytesDone > 0;

function isHeldUp({ waitingFor, error }: Seen): boolean {
  return waitingFor === 'network' || (waitingFor === null && error !== null && meetsAll.has(error.code));
}

function isOfOutage({ error }: LedgerEntry): boolean {
  return error !== null && meetsAll.has(error.code);
}

function endOf({ endedAt, takenAt }: LedgerEntry): number {
  return endedAt ?? takenAt;
}

const minuteMs = 60_000;

/** For words: whole minutes, from two hours on whole hours. */
export function lengthOf(ms: number): { readonly minutes: number; readonly hours: number } {
  const minutes = Math.round(ms / minuteMs);
  return { minutes, hours: minutes < 120 ? 0 : Math.round(minutes / 60) };
}
