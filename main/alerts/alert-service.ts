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

export interface AlertService {
  start(): void;
  stop(): Promise<void>;
  /** A source has ended. What is to be told of it is on the disk when this returns. */
  keepEnd(end: WatchEnd, rule: Pick<WatchRule, 'alerts'> | undefined): void;
  /** Messages that could not be sent yet. */
  waiting(): number;
  last(): Readonly<Record<AlertPlace, AlertOutcome | null>>;
  /** Sends a test message and gives what the other side said. Throws the reason where it failed. */
  test(way: 'mail' | 'webhook'): Promise<string>;
  /** Settings have changed: what waits is tried at once. */
  settingsChanged(): void;
  /** Called with what is to be told on the desktop. */
  onDesktop(listener: (message: AlertMessage) => void): void;
  /** Called when a way that worked does so no more. */
  onTrouble(listener: (error: ErrorRecord) => void): void;
}

/** Tells people who are not there what they have asked to be told (docs/after-the-end.md). */
export function createAlertService(parts: AlertParts): AlertService {
  const { journal, secrets, settings, clock, log, computer, timing = defaultAlertTiming } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let onDesktop: ((message: AlertMessage) => void) | null = null;
  let onTrouble: (error: ErrorRecord) => void = () => {};
  const last: Record<AlertPlace, AlertOutcome | null> = { mail: null, webhook: null, heartbeat: null };
  const sending = new Map<AlertWay, Promise<void>>();
  /** What was sent, and could not be crossed off. */
  const sent = new Set<string>();
  /** By the clock that never jumps: nothing is sent before. */
  let restUntil = Number.NEGATIVE_INFINITY;
  let wake = () => {};
  let work: Promise<void> = Promise.resolve();
  let nextLookAt = Number.NEGATIVE_INFINITY;
  let nextBeatAt = Number.NEGATIVE_INFINITY;

  function keepOutcome(place: AlertPlace, error: ErrorRecord | null): void {
    const before = last[place];
    last[place] = { at: clock.now(), error };
    if (error && before?.error?.code !== error.code) onTrouble(error);
  }

  function ways(): readonly AlertWay[] {
    const { mail, webhook } = settings.get().alerts;
    return [
      ...(onDesktop ? (['desktop'] as const) : []),
      ...(mail ? (['mail'] as const) : []),
      ...(webhook ? (['webhook'] as const) : []),
    ];
  }

  function look(): void {
    const { conditions, due } = lookAtConditions(journal.conditions(), parts.facts(), clock.now());
    journal.keepConditions(conditions, due);
  }

  /** Null: there is nothing to be told. */
  function gather(): number | null {
    const now = clock.now();
    const dueAt = messageDueAt(
      { oldest: journal.oldestUntold(), last: journal.lastMessageAt(), now },
      timing,
    );
    if (dueAt === null || dueAt > now) return dueAt;
    journal.makeMessage(now, ways());
    return null;
  }

  async function send({ message, way }: Delivery): Promise<void> {
    const { mail, webhook } = settings.get().alerts;
    if (way === 'desktop') onDesktop?.(message);
    else if (way === 'mail') {
      // Switched off meanwhile: nobody wants it any more.
      if (mail) await mailOut(letterOf(message, computer), message.id);
    } else if (webhook) await hookOut(webhookBody(message, computer), message.id);
  }

  async function mailOut(letter: Parameters<typeof sendMail>[0], id: string): Promise<string> {
    const { mail } = settings.get().alerts;
    if (!mail) throw new TileliftError('alerts-not-set');
    return sendMail(letter, id, { mail, password: secrets.mailPassword(mail), ca: parts.authorities() });
  }

  async function hookOut(body: string, id: string): Promise<string> {
    const { webhook } = settings.get().alerts;
    if (!webhook) throw new TileliftError('alerts-not-set');
    const network = { fetch: parts.fetch, clock };
    const [key, headers] = [secrets.webhookKey(webhook), secrets.webhookHeaders()];
    return postWebhook(body, id, { webhook, key, headers, network }, signal);
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const { way, message } = delivery;
    const name = `${message.id} ${way}`;
    try {
      if (!sent.has(name)) await send(delivery);
      // Whatever becomes of the journal now: nobody gets it again for that.
      sent.add(name);
      journal.endDelivery(delivery);
      sent.delete(name);
      if (way !== 'desktop') keepOutcome(way, null);
    } catch (thrown) {
      if (signal.aborted) return;
      if (sent.has(name)) throw thrown;
      const error = toErrorRecord(toTileliftError(thrown));
      log.warn({ way, error }, 'an alert could not be sent');
      if (way !== 'desktop') keepOutcome(way, error);
      const at = nextTryAt({ tries: delivery.tries + 1, madeAt: message.at, now: clock.now() }, timing);
      if (at === null) journal.endDelivery(delivery);
      else journal.tryAgain(delivery, at);
    }
  }

  /** One after the other on each way; a way that hangs holds up no other. Gives when the next one is due. */
  function sendDue(): number {
    const now = clock.now();
    const rest = restUntil - clock.elapsed();
    if (rest > 0) return now + rest;
    let soonest = Number.POSITIVE_INFINITY;
    const seen = new Set<AlertWay>();
    for (const delivery of journal.deliveries()) {
      const { way } = delivery;
      // A clock that was set back holds nothing up for good.
      const dueAt = Math.min(delivery.nextAt, now + timing.maxWaitMs);
      if (seen.has(way) || sending.has(way)) continue;
      if (dueAt > now) {
        soonest = Math.min(soonest, dueAt);
        continue;
      }
      seen.add(way);
      const work = deliver(delivery)
        .catch((thrown) => {
          restUntil = clock.elapsed() + timing.lookMs;
          log.error({ error: toErrorRecord(thrown) }, 'an alert could not be noted');
        })
        .finally(() => {
          sending.delete(way);
          wake();
        });
      sending.set(way, work);
    }
    return soonest;
  }

  async function beat(): Promise<number> {
    const { heartbeat } = settings.get().alerts;
    if (!heartbeat) return Number.POSITIVE_INFINITY;
    const everyMs = heartbeat.minutes * 60_000;
    const elapsed = clock.elapsed();
    if (elapsed < nextBeatAt) return clock.now() + (nextBeatAt - elapsed);
    nextBeatAt = elapsed + everyMs;
    try {
      await writeHeartbeat(heartbeat.file, {
        ...{ app: 'tilelift', computer, everyMinutes: heartbeat.minutes },
        at: new Date(clock.now()).toISOString(),
        alertsWaiting: journal.deliveries().length,
        ...parts.standing(),
      });
      keepOutcome('heartbeat', null);
    } catch (thrown) {
      const error = toErrorRecord(thrown);
      log.warn({ error }, 'no heartbeat');
      keepOutcome('heartbeat', error);
    }
    return clock.now() + everyMs;
  }

  async function round(): Promise<number> {
    if (clock.elapsed() >= nextLookAt) {
      look();
      nextLookAt = clock.elapsed() + timing.lookMs;
    }
    const gatherAt = gather();
    const soonest = Math.min(sendDue(), await beat(), gatherAt ?? Number.POSITIVE_INFINITY);
    return Math.max(0, Math.min(soonest - clock.now(), nextLookAt - clock.elapsed()));
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const woken = new AbortController();
      wake = () => woken.abort();
      let waitMs = timing.lookMs;
      try {
        waitMs = await round();
      } catch (thrown) {
        // The journal, most likely: the next round tries again.
        log.error({ error: toErrorRecord(thrown) }, 'alerts could not be looked after');
      }
      await clock.sleep(waitMs, AbortSignal.any([signal, woken.signal])).catch(() => {});
    }
  }

  return {
    start: () => {
      work = run();
    },
    stop: async () => {
      stopping.abort();
      await work;
      await Promise.all(sending.values());
    },
    keepEnd: (end, rule) => {
      if (end.outcome !== 'failed' || !rule?.alerts.failed) return;
      const { ruleId, ruleName, source, error, jobId, endedAt } = end;
      journal.addEvent({
        id: `failed\n${jobId ?? `${ruleId}\n${source}`}\n${endedAt}`,
        at: clock.now(),
        what: { kind: 'failed', ruleId, ruleName, source, error },
      });
      wake();
    },
    waiting: () => journal.deliveries().length,
    last: () => ({ ...last }),
    test: async (way) => {
      const id = randomUUID();
      try {
        const answer =
          way === 'mail'
            ? await mailOut(testLetter(computer), id)
            : await hookOut(webhookTestBody(id, clock.now(), computer), id);
        last[way] = { at: clock.now(), error: null };
        return answer;
      } catch (thrown) {
        last[way] = { at: clock.now(), error: toErrorRecord(thrown) };
        throw thrown;
      }
    },
    settingsChanged: () => {
      nextBeatAt = Number.NEGATIVE_INFINITY;
      journal.tryAllNow();
      wake();
    },
    onDesktop: (listener) => {
      onDesktop = listener;
    },
    onTrouble: (listener) => {
      onTrouble = listener;
    },
  };
}
