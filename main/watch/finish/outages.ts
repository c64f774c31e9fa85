import type { ErrorCode } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { createListeners } from '../../listeners.ts';
import type { LedgerEntry, Outage } from '../model/model.ts';
import { type LedgerPorts, writeActivity } from '../state/ports.ts';

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
  readonly parts: LedgerPorts;
  readonly followed: () => Iterable<FollowedJob>;
  readonly ring: (ruleId: string) => void;
}

interface Out {
  /** The first failure since the last success, ms since the epoch. */
  readonly startedAt: number;
  readonly stopping: AbortController;
}

/** A followed job and its last known progress. */
export interface FollowedJob {
  readonly ruleId: string;
  readonly accountId: string;
  /** Undefined before the first snapshot. */
  progress?: string;
  /** It has had no progress since the last success of its account. */
  isHeldUp?: boolean;
}

type Seen = Pick<JobSnapshot, 'accountId' | 'status' | 'waitingFor' | 'bytesDone' | 'endedAt' | 'error'>;

/**
 * Times without any success for an account. Emits each once when it has lasted and once at its end. The first
 * success makes everything due that failed.
 */
export class Outages {
  readonly #options: OutagesOptions;
  readonly #out = new Map<string, Out>();
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
  saw(followed: FollowedJob, job: Seen): void {
    const { accountId, progress: previous } = followed;
    const progress = progressOf(job);
    if (job.endedAt !== null) followed.isHeldUp = false;
    else if (isHeldUp(job)) {
      followed.progress ??= progress;
      followed.isHeldUp = true;
      this.#begin(accountId);
    } else if (previous !== progress) {
      followed.progress = progress;
      const gotFurther = previous !== undefined && beyond.has(job.status) && isOnStorage(job);
      if (gotFurther && this.#out.has(accountId)) this.succeeded(accountId);
    }
  }

  /** Retries everything that failed during the outage, in order of arrival. */
  succeeded(accountId: string): void {
    const { parts, ring, followed } = this.#options;
    const { clock, ledger, rules } = parts;
    const currentTime = clock.now();
    const concerned = rules()
      .filter((rule) => rule.accountId === accountId)
      .map((rule) => ({ rule, rows: ledger.waitingForRetry(rule.id).filter(isOfOutage) }));
    const out = this.#out.get(accountId);
    // After a restart only the rows show the outage; due ones were reported, or continue by themselves.
    const later = concerned.flatMap(({ rows }) => rows.filter(({ retryAt }) => (retryAt ?? 0) > currentTime));
    const startedAt = out?.startedAt ?? Math.min(...later.map(endOf));
    const heldUp = [...followed()].filter((job) => job.accountId === accountId && job.isHeldUp);
    for (const job of heldUp) job.isHeldUp = false;
    out?.stopping.abort();
    this.#out.delete(accountId);
    const ms = currentTime - startedAt;
    if (!(ms >= outageMs)) return;
    let sources = 0;
    for (const { rule, rows } of concerned) {
      const count = rows.length + heldUp.filter(({ ruleId }) => ruleId === rule.id).length;
      if (count === 0) continue;
      sources += count;
      for (const { path } of rows) ledger.change(rule.id, path, { retryAt: currentTime });
      const values = { count, from: { time: startedAt }, ...lengthOf(ms) };
      writeActivity(parts, rule.id, { key: 'sources.outageOver', values });
      parts.onChange(rule.id);
      if (rows.length > 0) ring(rule.id);
    }
    this.#listeners.emit({ kind: 'over', startedAt, ms, sources });
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
      () => this.#listeners.emit({ kind: 'begun', startedAt: out.startedAt }),
      () => {},
    );
    return true;
  }
}

/** A job only gets here if the service or storage responds. */
const beyond: ReadonlySet<JobSnapshot['status']> = new Set(['uploading', 'completing', 'tiling']);

const progressOf = ({ status, bytesDone }: Seen) => (beyond.has(status) ? `${status} ${bytesDone}` : '');

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
