import type { AlertEvent, AlertWhat, RuleFacts } from './alert-model.ts';

/** Lasting conditions, each reported once. Pure. */

interface Condition {
  /** ms since the epoch. */
  readonly startedAt: number;
  readonly isTold: boolean;
}

/** Keys are the conditions' names; persisted. */
export type Conditions = ReadonlyMap<string, Condition>;

/** Signing in again takes less, ms: report only longer absences. */
export const signInPatienceMs = 5 * 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Restarts the wait if the clock was set back. */
export function updateConditions(
  previousConditions: Conditions,
  rules: readonly RuleFacts[],
  nowMs: number,
): { readonly conditions: Conditions; readonly dueEvents: readonly AlertEvent[] } {
  const conditions = new Map<string, Condition>();
  const dueEvents: AlertEvent[] = [];
  const addIfOverdue = (name: string, startedAt: number, limitMs: number, alert: AlertWhat) => {
    const condition = previousConditions.get(name);
    const earliestStart = Math.min(condition?.startedAt ?? startedAt, startedAt, nowMs);
    const isDue = !condition?.isTold && nowMs - earliestStart >= limitMs;
    if (isDue) dueEvents.push({ id: `${name}@${earliestStart}`, at: nowMs, what: alert });
    conditions.set(name, { startedAt: earliestStart, isTold: condition?.isTold === true || isDue });
  };
  for (const rule of rules) {
    if (!rule.isOn) continue;
    addWaiting(rule, previousConditions, conditions, addIfOverdue);
    addSilence(rule, previousConditions, addIfOverdue, nowMs);
    const { ruleId, ruleName } = rule;
    if (rule.alerts.signedOut && !rule.isSignedIn)
      addIfOverdue(nameOf('signed-out', ruleId), nowMs, signInPatienceMs, {
        kind: 'signed-out',
        ruleId,
        ruleName,
      });
  }
  return { conditions, dueEvents };
}

type AddIfOverdue = (name: string, startedAt: number, limitMs: number, alert: AlertWhat) => void;

function addWaiting(
  { ruleId, ruleName, alerts, waitingSources, waitingIsWhole }: RuleFacts,
  previousConditions: Conditions,
  conditions: Map<string, Condition>,
  addIfOverdue: AddIfOverdue,
): void {
  if (alerts.waitingHours === null) return;
  // Unseen sources may still be waiting, so keep their conditions.
  if (waitingSources === null || !waitingIsWhole) {
    const prefix = nameOf('waiting', ruleId, '');
    for (const [name, condition] of previousConditions)
      if (name.startsWith(prefix)) conditions.set(name, condition);
  }
  const hours = alerts.waitingHours;
  for (const { path, arrivedAt } of waitingSources ?? [])
    addIfOverdue(nameOf('waiting', ruleId, path), arrivedAt, hours * hourMs, {
      ...{ kind: 'waiting', ruleId, ruleName },
      ...{ source: path, hours },
    });
}

/** Counts from the newest source, or from switching the alert on. */
function addSilence(
  rule: RuleFacts,
  previousConditions: Conditions,
  addIfOverdue: AddIfOverdue,
  nowMs: number,
): void {
  const { ruleId, ruleName, alerts, waitingSources, lastTakenAt, isAway } = rule;
  if (alerts.silentDays === null) return;
  const days = alerts.silentDays;
  const requestName = nameOf('silence-asked', ruleId);
  const askedAt = Math.min(previousConditions.get(requestName)?.startedAt ?? nowMs, nowMs);
  const alert: AlertWhat = { kind: 'silent', ruleId, ruleName, days };
  addIfOverdue(requestName, askedAt, Number.POSITIVE_INFINITY, alert);
  const quietSince = Math.max(askedAt, lastTakenAt ?? askedAt);
  // A new source begins another silence.
  const name = nameOf('silent', ruleId, String(quietSince));
  const wasReported = previousConditions.get(name)?.isTold ?? false;
  const isQuiet = isAway || wasReported || waitingSources?.every(({ isArriving }) => !isArriving) === true;
  addIfOverdue(name, quietSince, isQuiet ? days * dayMs : Number.POSITIVE_INFINITY, alert);
}

function nameOf(...parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('\n', ' ')).join('\n');
}
