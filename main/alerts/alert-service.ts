import { randomUUID } from 'node:crypto';
import type { AlertOutcome, AlertPlace, AlertSettings } from '../../shared/schemas/alerts.ts';
import { type ErrorRecord, TileliftError, toErrorRecord, toTileliftError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Clock, Fetch } from '../ports.ts';
import type { SettingsView } from '../settings-port.ts';
import type { WatchEnd } from '../watch/model/model.ts';
import type { WatchRule } from '../watch/model/rule.ts';
import type { AlertJournal } from './alert-journal.ts';
import type { AlertMessage, AlertWay, Delivery, RuleFacts } from './alert-model.ts';
import type { AlertSecrets } from './alert-secrets.ts';
import { letterOf, testLetter } from './alert-words.ts';
import { updateConditions } from './conditions.ts';
import { type Heartbeat, writeHeartbeat } from './heartbeat.ts';
import { sendMail } from './mail.ts';
import { type AlertTiming, defaultAlertTiming, messageDueAt, nextTryAt } from './timing.ts';
import { postWebhook, webhookBody, webhookTestBody } from './webhook.ts';

interface AlertParts {
  readonly journal: AlertJournal;
  readonly secrets: AlertSecrets;
  readonly settings: SettingsView<{ readonly alerts: AlertSettings }>;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly log: Log;
  /** Identifies the computer in messages. */
  readonly computer: string;
  readonly facts: () => readonly RuleFacts[];
  /** All fields except time and name. */
  readonly readStatus: () => Pick<Heartbeat, 'version' | 'signedIn' | 'counts'>;
  /** PEM; null for Node's. May throw `authority-file-unusable`. */
  readonly authorities: () => readonly string[] | null;
  readonly timing?: AlertTiming | undefined;
}

const [never, ever] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** Sends the alerts that users ask for (docs/after-the-end.md). */
export class AlertService {
  readonly #parts: AlertParts;
  readonly #timing: AlertTiming;
  readonly #stopController = new AbortController();
  readonly #outcomes: Record<AlertPlace, AlertOutcome | null> = {
    mail: null,
    webhook: null,
    heartbeat: null,
  };
  readonly #sending = new Map<AlertWay, Promise<void>>();
  /** Sent, but the journal failed to record it. */
  readonly #sentSummaries = new Set<string>();
  #onDesktop: ((message: AlertMessage) => void) | null = null;
  #onTrouble: (error: ErrorRecord) => void = () => {};
  #restUntil = ever;
  #wakeLoop = () => {};
  #work: Promise<void> = Promise.resolve();
  #nextLookAt = ever;
  #nextBeatAt = ever;

  constructor(parts: AlertParts) {
    this.#parts = parts;
    this.#timing = parts.timing ?? defaultAlertTiming;
  }

  start(): void {
    this.#work = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopController.abort();
    await this.#work;
    await Promise.all(this.#sending.values());
  }

  /** The event is stored when this returns. */
  recordEnd(end: WatchEnd, rule: Pick<WatchRule, 'alerts'> | undefined): void {
    if (end.outcome !== 'failed' || !rule?.alerts.failed) return;
    const { ruleId, ruleName, source, error, jobId, endedAt } = end;
    const { journal, clock } = this.#parts;
    journal.addEvent({
      id: `failed\n${jobId ?? `${ruleId}\n${source}`}\n${endedAt}`,
      at: clock.now(),
      what: { kind: 'failed', ruleId, ruleName, source, error },
    });
    this.#wakeLoop();
  }

  countWaiting(): number {
    return this.#parts.journal.deliveries().length;
  }

  lastOutcomes(): Readonly<Record<AlertPlace, AlertOutcome | null>> {
    return { ...this.#outcomes };
  }

  /** Returns the response. Throws the reason of a failure. */
  async test(way: 'mail' | 'webhook'): Promise<string> {
    const { clock, computer } = this.#parts;
    const id = randomUUID();
    try {
      const answer =
        way === 'mail'
          ? await this.#sendMail(testLetter(computer), id)
          : await this.#postWebhook(webhookTestBody(id, clock.now(), computer), id);
      this.#outcomes[way] = { at: clock.now(), error: null };
      return answer;
    } catch (error) {
      this.#outcomes[way] = { at: clock.now(), error: toErrorRecord(error) };
      throw error;
    }
  }

  settingsChanged(): void {
    this.#nextBeatAt = ever;
    this.#parts.journal.tryAllNow();
    this.#wakeLoop();
  }

  onDesktop(listener: (message: AlertMessage) => void): void {
    this.#onDesktop = listener;
  }

  onTrouble(listener: (error: ErrorRecord) => void): void {
    this.#onTrouble = listener;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#parts;
    const { signal } = this.#stopController;
    while (!signal.aborted) {
      const wakeController = new AbortController();
      this.#wakeLoop = () => wakeController.abort();
      let waitMs = this.#timing.lookMs;
      try {
        waitMs = await this.#runOnce();
      } catch (error) {
        // Retry if the journal failed.
        log.error({ error: toErrorRecord(error) }, 'alerts could not be looked after');
      }
      await clock.sleep(waitMs, AbortSignal.any([signal, wakeController.signal])).catch(() => {});
    }
  }

  /** Returns the delay, ms. */
  async #runOnce(): Promise<number> {
    const { clock } = this.#parts;
    if (clock.elapsed() >= this.#nextLookAt) {
      this.#checkConditions();
      this.#nextLookAt = clock.elapsed() + this.#timing.lookMs;
    }
    const gatherAt = this.#createDueMessage();
    const soonest = Math.min(this.#sendDue(), await this.#heartbeatIfDue(), gatherAt ?? never);
    return Math.max(0, Math.min(soonest - clock.now(), this.#nextLookAt - clock.elapsed()));
  }

  #checkConditions(): void {
    const { journal, facts, clock } = this.#parts;
    const { conditions, dueEvents } = updateConditions(journal.conditions(), facts(), clock.now());
    journal.keepConditions(conditions, dueEvents);
  }

  /** Null if no event is pending. */
  #createDueMessage(): number | null {
    const { journal, clock } = this.#parts;
    const nowMs = clock.now();
    const dueAt = messageDueAt(
      { oldest: journal.oldestPendingAt(), lastMessageAt: journal.lastMessageAt(), nowMs },
      this.#timing,
    );
    if (dueAt === null || dueAt > nowMs) return dueAt;
    journal.makeMessage(nowMs, this.#alertWays());
    return null;
  }

  #alertWays(): readonly AlertWay[] {
    const { mail, webhook } = this.#settings();
    return [
      ...(this.#onDesktop ? (['desktop'] as const) : []),
      ...(mail ? (['mail'] as const) : []),
      ...(webhook ? (['webhook'] as const) : []),
    ];
  }

  /** One message at a time per channel, so that none blocks another. Returns when the next is due. */
  #sendDue(): number {
    const { journal, clock, log } = this.#parts;
    const nowMs = clock.now();
    const pauseMs = this.#restUntil - clock.elapsed();
    if (pauseMs > 0) return nowMs + pauseMs;
    let soonest = never;
    const startedWays = new Set<AlertWay>();
    for (const delivery of journal.deliveries()) {
      const { way } = delivery;
      // The clock may have been set back.
      const dueAt = Math.min(delivery.nextAt, nowMs + this.#timing.maxWaitMs);
      if (startedWays.has(way) || this.#sending.has(way)) continue;
      if (dueAt > nowMs) {
        soonest = Math.min(soonest, dueAt);
        continue;
      }
      startedWays.add(way);
      const work = this.#deliver(delivery)
        .catch((error) => {
          this.#restUntil = clock.elapsed() + this.#timing.lookMs;
          log.error({ error: toErrorRecord(error) }, 'an alert could not be noted');
        })
        .finally(() => {
          this.#sending.delete(way);
          this.#wakeLoop();
        });
      this.#sending.set(way, work);
    }
    return soonest;
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { journal, clock, log } = this.#parts;
    const { way, message } = delivery;
    const name = `${message.id} ${way}`;
    try {
      if (!this.#sentSummaries.has(name)) await this.#send(delivery);
      // Don't send it again if the journal fails now.
      this.#sentSummaries.add(name);
      journal.endDelivery(delivery);
      this.#sentSummaries.delete(name);
      if (way !== 'desktop') this.#keepOutcome(way, null);
    } catch (cause) {
      if (this.#stopController.signal.aborted) return;
      if (this.#sentSummaries.has(name)) throw cause;
      const error = toErrorRecord(toTileliftError(cause));
      log.warn({ way, error }, 'an alert could not be sent');
      if (way !== 'desktop') this.#keepOutcome(way, error);
      const attempt = { attempts: delivery.tries + 1, madeAt: message.at, nowMs: clock.now() };
      const retryAt = nextTryAt(attempt, this.#timing);
      if (retryAt === null) journal.endDelivery(delivery);
      else journal.tryAgain(delivery, retryAt);
    }
  }

  async #send({ message, way }: Delivery): Promise<void> {
    const { computer } = this.#parts;
    const { mail, webhook } = this.#settings();
    if (way === 'desktop') this.#onDesktop?.(message);
    else if (way === 'mail') {
      // The channel may have been switched off.
      if (mail) await this.#sendMail(letterOf(message, computer), message.id);
    } else if (webhook) await this.#postWebhook(webhookBody(message, computer), message.id);
  }

  async #sendMail(letter: Parameters<typeof sendMail>[0], id: string): Promise<string> {
    const { secrets, authorities } = this.#parts;
    const { mail } = this.#settings();
    if (!mail) throw new TileliftError('alerts-not-set');
    return sendMail(letter, id, { mail, password: secrets.mailPassword(mail), ca: authorities() });
  }

  async #postWebhook(body: string, id: string): Promise<string> {
    const { secrets, fetch, clock } = this.#parts;
    const { webhook } = this.#settings();
    if (!webhook) throw new TileliftError('alerts-not-set');
    const [key, headers] = [secrets.webhookKey(webhook), secrets.webhookHeaders()];
    const options = { webhook, key, headers, network: { fetch, clock } };
    return postWebhook(body, id, options, this.#stopController.signal);
  }

  /** Returns when the next one is due, ms since the epoch. */
  async #heartbeatIfDue(): Promise<number> {
    const { journal, clock, log, computer, readStatus } = this.#parts;
    const { heartbeat } = this.#settings();
    if (!heartbeat) return never;
    const everyMs = heartbeat.minutes * 60_000;
    const elapsedMs = clock.elapsed();
    if (elapsedMs < this.#nextBeatAt) return clock.now() + (this.#nextBeatAt - elapsedMs);
    this.#nextBeatAt = elapsedMs + everyMs;
    try {
      await writeHeartbeat(heartbeat.file, {
        ...{ app: 'tilelift', computer, everyMinutes: heartbeat.minutes },
        at: new Date(clock.now()).toISOString(),
        alertsWaiting: journal.deliveries().length,
        ...readStatus(),
      });
      this.#keepOutcome('heartbeat', null);
    } catch (cause) {
      const error = toErrorRecord(cause);
      log.warn({ error }, 'no heartbeat');
      this.#keepOutcome('heartbeat', error);
    }
    return clock.now() + everyMs;
  }

  #keepOutcome(channel: AlertPlace, error: ErrorRecord | null): void {
    const previous = this.#outcomes[channel];
    this.#outcomes[channel] = { at: this.#parts.clock.now(), error };
    if (error && previous?.error?.code !== error.code) this.#onTrouble(error);
  }

  #settings(): AlertSettings {
    return this.#parts.settings.get().alerts;
  }
}
