import type { ErrorCode } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { createListeners } from '../../listeners.ts';
import type { LedgerEntry, Outage } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { type LedgerPorts, writeActivity } from '../state/ports.ts';

interface OutagePorts extends LedgerPorts {
  readonly rules: () => readonly WatchRule[];
}

/** Connection failures affect every source. */
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
 * Minimum time without a success, ms. Shorter ones keep the usual delays, because a source that always fails
 * must not be retried after each success of another.
 */
const outageMs = 10 * 60_000;

interface OutagesOptions {
  readonly parts: OutagePorts;
  readonly ring: (ruleId: string) => void;
}

interface Out {
  /** The first failure since the last success, ms since the epoch. */
  readonly startedAt: number;
  readonly stopping: AbortController;
}

type Seen = Pick<
  JobSnapshot,
  'id' | 'accountId' | 'status' | 'waitingFor' | 'bytesDone' | 'endedAt' | 'byRule' | 'error'
>;

/**
 * Times without any success for an account. Emits each once when it has lasted and once at its end. The first
 * success makes everything due that failed.
 */
export class Outages {
  readonly #options: OutagesOptions;
  readonly #out = new Map<string, Out>();
  readonly #places = new Map<string, string>();
  /** These jobs have had no progress since the last success; values are accounts. */
  readonly #heldUp = new Map<string, string>();
  readonly #listeners = createListeners<[outage: Outage]>();

  constructor(options: OutagesOptions) {
    this.#options = options;
  }

  readonly onOutage = (listener: (outage: Outage) => void): (() => void) => {
    return this.#listeners.add(listener);
  };

  /**
   * A source will be retried. True if it deserves an activity line: the first of its outage, whose end
   * reports the others.
   */
  failed(accountId: string, code: ErrorCode | undefined): boolean {
    return code === undefined || !meetsAll.has(code) || this.#begin(accountId);
  }

  /**
   * A job that waits for the network, or retries through such a failure, also counts as an outage. Progress
   * ends it, a new try doesn't.
   */
  saw(job: Seen): void {
    const { id, accountId, endedAt, byRule } = job;
    if (!byRule) return;
    const previousPlace = this.#places.get(id);
    const place = placeOf(job);
    if (endedAt !== null) {
      this.#places.delete(id);
      this.#heldUp.delete(id);
    } else if (isHeldUp(job)) {
      if (previousPlace === undefined) this.#places.set(id, place);
      this.#heldUp.set(id, accountId);
      this.#begin(accountId);
    } else if (previousPlace !== place) {
      this.#places.set(id, place);
      const gotFurther = previousPlace !== undefined && beyond.has(job.status) && isOnStorage(job);
      if (gotFurther && this.#out.has(accountId)) this.succeeded(accountId);
    }
  }

  /** Retries everything that failed during the outage, in order of arrival. */
  succeeded(accountId: string): void {
    const { parts, ring } = this.#options;
    const { clock, ledger, rules } = parts;
    const currentTime = clock.now();
    const concerned = rules()
      .filter((rule) => rule.accountId === accountId)
      .map((rule) => ({ rule, rows: ledger.waitingForRetry(rule.id).filter(isOfOutage) }));
    const out = this.#out.get(accountId);
    // After a restart only the rows show the outage; due ones were reported, or continue by themselves.
    const later = concerned.flatMap(({ rows }) => rows.filter(({ retryAt }) => (retryAt ?? 0) > currentTime));
    const startedAt = out?.startedAt ?? Math.min(...later.map(endOf));
    const heldUp = new Set(
      [...this.#heldUp].filter(([, account]) => account === accountId).map(([id]) => id),
    );
    for (const id of heldUp) this.#heldUp.delete(id);
    out?.stopping.abort();
    this.#out.delete(accountId);
    const ms = currentTime - startedAt;
    if (!(ms >= outageMs)) return;
    const underWay = ledger.takenEntries().filter(({ jobId }) => jobId !== null && heldUp.has(jobId));
    let sources = 0;
    for (const { rule, rows } of concerned) {
      const count = rows.length + underWay.filter(({ ruleId }) => ruleId === rule.id).length;
      if (count === 0) continue;
      sources += count;
      for (const { path } of rows) ledger.change(rule.id, path, { retryAt: currentTime });
      const values = { count, from: { time: startedAt }, ...lengthOf(ms) };
      writeActivity(parts, rule.id, { key: 'sources.outageOver', values });
      parts.onChange(rule.id);
      if (rows.length > 0) ring(rule.id);
    }
    this.#emit({ kind: 'over', startedAt, ms, sources });
  }

  stop(): void {
    this.#listeners.clear();
    for (const { stopping } of this.#out.values()) stopping.abort();
  }

  /** False if it has already begun. */
  #begin(accountId: string): boolean {
    if (this.#out.has(accountId)) return false;
    const { clock } = this.#options.parts;
    const out: Out = { startedAt: clock.now(), stopping: new AbortController() };
    this.#out.set(accountId, out);
    clock.sleep(outageMs, out.stopping.signal).then(
      () => this.#emit({ kind: 'begun', startedAt: out.startedAt }),
      () => {},
    );
    return true;
  }

  #emit(outage: Outage): void {
    this.#listeners.emit(outage);
  }
}

/** A job only gets here if the service or storage responds. */
const beyond: ReadonlySet<JobSnapshot['status']> = new Set(['uploading', 'completing', 'tiling']);

const placeOf = ({ status, bytesDone }: Seen) => (beyond.has(status) ? `${status} ${bytesDone}` : '');

/** A created asset doesn't prove that storage works; each retry could create another one. */
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

/** Rounds to minutes, from two hours on to hours. */
export function lengthOf(ms: number): { readonly minutes: number; readonly hours: number } {
  const minutes = Math.round(ms / minuteMs);
  return { minutes, hours: minutes < 120 ? 0 : Math.round(minutes / 60) };
}
