import { randomUUID } from 'node:crypto';
import type { AlertOutcome, AlertPlace, AlertSettings } from '../../shared/schemas/alerts.ts';
import { type ErrorRecord, TileliftError, toErrorRecord, toTileliftError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Clock, Fetch } from '../outside.ts';
import type { SettingsView } from '../settings-port.ts';
import type { WatchEnd } from '../watch/model.ts';
import type { WatchRule } from '../watch/rule.ts';
import type { AlertJournal } from './alert-journal.ts';
import type { AlertMessage, AlertWay, Delivery, RuleFacts } from './alert-model.ts';
import type { AlertSecrets } from './alert-secrets.ts';
import { letterOf, testLetter } from './alert-words.ts';
import { lookAtConditions } from './conditions.ts';
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
  /** This computer's name, by which people tell several apart. */
  readonly computer: string;
  /** How the rules are now. */
  readonly facts: () => readonly RuleFacts[];
  /** What the heartbeat says beside time and name. */
  readonly standing: () => Pick<Heartbeat, 'version' | 'signedIn' | 'counts'>;
  /** Authorities for mail servers, PEM; null for Node's own. May throw `authority-file-unusable`. */
  readonly authorities: () => readonly string[] | null;
  readonly timing?: AlertTiming | undefined;
}

const [never, ever] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** Tells people who are not there what they have asked to be told (docs/after-the-end.md). */
export class AlertService {
  readonly #parts: AlertParts;
  readonly #timing: AlertTiming;
  readonly #stopping = new AbortController();
  readonly #last: Record<AlertPlace, AlertOutcome | null> = { mail: null, webhook: null, heartbeat: null };
  readonly #sending = new Map<AlertWay, Promise<void>>();
  /** What was sent, and could not be crossed off. */
  readonly #sent = new Set<string>();
  #onDesktop: ((message: AlertMessage) => void) | null = null;
  #onTrouble: (error: ErrorRecord) => void = () => {};
  /** By the clock that never jumps: nothing is sent before. */
  #restUntil = ever;
  #wake = () => {};
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
    this.#stopping.abort();
    await this.#work;
    await Promise.all(this.#sending.values());
  }

  /** A source has ended. What is to be told of it is on the disk when this returns. */
  keepEnd(end: WatchEnd, rule: Pick<WatchRule, 'alerts'> | undefined): void {
    if (end.outcome !== 'failed' || !rule?.alerts.failed) return;
    const { ruleId, ruleName, source, error, jobId, endedAt } = end;
    const { journal, clock } = this.#parts;
    journal.addEvent({
      id: `failed\n${jobId ?? `${ruleId}\n${source}`}\n${endedAt}`,
      at: clock.now(),
      what: { kind: 'failed', ruleId, ruleName, source, error },
    });
    this.#wake();
  }

  /** Messages that could not be sent yet. */
  waiting(): number {
    return this.#parts.journal.deliveries().length;
  }

  last(): Readonly<Record<AlertPlace, AlertOutcome | null>> {
    return { ...this.#last };
  }

  /** Sends a test message and gives what the other side said. Throws the reason where it failed. */
  async test(way: 'mail' | 'webhook'): Promise<string> {
    const { clock, computer } = this.#parts;
    const id = randomUUID();
    try {
      const answer =
        way === 'mail'
          ? await this.#sendMail(testLetter(computer), id)
          : await this.#postWebhook(webhookTestBody(id, clock.now(), computer), id);
      this.#last[way] = { at: clock.now(), error: null };
      return answer;
    } catch (thrown) {
      this.#last[way] = { at: clock.now(), error: toErrorRecord(thrown) };
      throw thrown;
    }
  }

  /** Settings have changed: what waits is tried at once. */
  settingsChanged(): void {
    this.#nextBeatAt = ever;
    this.#parts.journal.tryAllNow();
    this.#wake();
  }

  /** Called with what is to be told on the desktop. */
  onDesktop(listener: (message: AlertMessage) => void): void {
    this.#onDesktop = listener;
  }

  /** Called when a way that worked does so no more. */
  onTrouble(listener: (error: ErrorRecord) => void): void {
    this.#onTrouble = listener;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#parts;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      let waitMs = this.#timing.lookMs;
      try {
        waitMs = await this.#round();
      } catch (thrown) {
        // The journal, most likely: the next round tries again.
        log.error({ error: toErrorRecord(thrown) }, 'alerts could not be looked after');
      }
      await clock.sleep(waitMs, AbortSignal.any([signal, woken.signal])).catch(() => {});
    }
  }

  /** Gives how long to wait for the next one, ms. */
  async #round(): Promise<number> {
    const { clock } = this.#parts;
    if (clock.elapsed() >= this.#nextLookAt) {
      this.#look();
      this.#nextLookAt = clock.elapsed() + this.#timing.lookMs;
    }
    const gatherAt = this.#gather();
    const soonest = Math.min(this.#sendDue(), await this.#beat(), gatherAt ?? never);
    return Math.max(0, Math.min(soonest - clock.now(), this.#nextLookAt - clock.elapsed()));
  }

  #look(): void {
    const { journal, facts, clock } = this.#parts;
    const { conditions, due } = lookAtConditions(journal.conditions(), facts(), clock.now());
    journal.keepConditions(conditions, due);
  }

  /** Null: there is nothing to be told. */
  #gather(): number | null {
    const { journal, clock } = this.#parts;
    const now = clock.now();
    const dueAt = messageDueAt(
      { oldest: journal.oldestUntold(), last: journal.lastMessageAt(), now },
      this.#timing,
    );
    if (dueAt === null || dueAt > now) return dueAt;
    journal.makeMessage(now, this.#ways());
    return null;
  }

  #ways(): readonly AlertWay[] {
    const { mail, webhook } = this.#settings();
    return [
      ...(this.#onDesktop ? (['desktop'] as const) : []),
      ...(mail ? (['mail'] as const) : []),
      ...(webhook ? (['webhook'] as const) : []),
    ];
  }

  /** One after the other on each way; a way that hangs holds up no other. Gives when the next one is due. */
  #sendDue(): number {
    const { journal, clock, log } = this.#parts;
    const now = clock.now();
    const rest = this.#restUntil - clock.elapsed();
    if (rest > 0) return now + rest;
    let soonest = never;
    const seen = new Set<AlertWay>();
    for (const delivery of journal.deliveries()) {
      const { way } = delivery;
      // A clock that was set back holds nothing up for good.
      const dueAt = Math.min(delivery.nextAt, now + this.#timing.maxWaitMs);
      if (seen.has(way) || this.#sending.has(way)) continue;
      if (dueAt > now) {
        soonest = Math.min(soonest, dueAt);
        continue;
      }
      seen.add(way);
      const work = this.#deliver(delivery)
        .catch((thrown) => {
          this.#restUntil = clock.elapsed() + this.#timing.lookMs;
          log.error({ error: toErrorRecord(thrown) }, 'an alert could not be noted');
        })
        .finally(() => {
          this.#sending.delete(way);
          this.#wake();
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
      if (!this.#sent.has(name)) await this.#send(delivery);
      // Whatever becomes of the journal now: nobody gets it again for that.
      this.#sent.add(name);
      journal.endDelivery(delivery);
      this.#sent.delete(name);
      if (way !== 'desktop') this.#keepOutcome(way, null);
    } catch (thrown) {
      if (this.#stopping.signal.aborted) return;
      if (this.#sent.has(name)) throw thrown;
      const error = toErrorRecord(toTileliftError(thrown));
      log.warn({ way, error }, 'an alert could not be sent');
      if (way !== 'desktop') this.#keepOutcome(way, error);
      const tried = { tries: delivery.tries + 1, madeAt: message.at, now: clock.now() };
      const at = nextTryAt(tried, this.#timing);
      if (at === null) journal.endDelivery(delivery);
      else journal.tryAgain(delivery, at);
    }
  }

  async #send({ message, way }: Delivery): Promise<void> {
    const { computer } = this.#parts;
    const { mail, webhook } = this.#settings();
    if (way === 'desktop') this.#onDesktop?.(message);
    else if (way === 'mail') {
      // Switched off meanwhile: nobody wants it any more.
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
    return postWebhook(body, id, options, this.#stopping.signal);
  }

  /** Gives when the next heartbeat is due, ms since the epoch. */
  async #beat(): Promise<number> {
    const { journal, clock, log, computer, standing } = this.#parts;
    const { heartbeat } = this.#settings();
    if (!heartbeat) return never;
    const everyMs = heartbeat.minutes * 60_000;
    const elapsed = clock.elapsed();
    if (elapsed < this.#nextBeatAt) return clock.now() + (this.#nextBeatAt - elapsed);
    this.#nextBeatAt = elapsed + everyMs;
    try {
      await writeHeartbeat(heartbeat.file, {
        ...{ app: 'tilelift', computer, everyMinutes: heartbeat.minutes },
        at: new Date(clock.now()).toISOString(),
        alertsWaiting: journal.deliveries().length,
        ...standing(),
      });
      this.#keepOutcome('heartbeat', null);
    } catch (thrown) {
      const error = toErrorRecord(thrown);
      log.warn({ error }, 'no heartbeat');
      this.#keepOutcome('heartbeat', error);
    }
    return clock.now() + everyMs;
  }

  #keepOutcome(place: AlertPlace, error: ErrorRecord | null): void {
    const previous = this.#last[place];
    this.#last[place] = { at: this.#parts.clock.now(), error };
    if (error && previous?.error?.code !== error.code) this.#onTrouble(error);
  }

  #settings(): AlertSettings {
    return this.#parts.settings.get().alerts;
  }
}
