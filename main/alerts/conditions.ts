import type { AlertEvent, AlertWhat, RuleFacts } from './alert-model.ts';

/** Conditions that last: what waits, what is missing, who is signed out. Each is reported once. Pure. */

interface Condition {
  /** ms since the epoch. */
  readonly since: number;
  readonly isTold: boolean;
}

/** By the condition's name; kept over restarts. */
export type Conditions = ReadonlyMap<string, Condition>;

/** Signing in again takes a moment: nobody is told of that, ms. */
export const signInPatienceMs = 5 * 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * What lasts now, and what of it is due to be told: `now` in ms since the epoch. A clock that was set back
 * begins again rather than waiting for the time to come again.
 */
export function lookAtConditions(
  known: Conditions,
  rules: readonly RuleFacts[],
  now: number,
): { readonly conditions: Conditions; readonly due: readonly AlertEvent[] } {
  const conditions = new Map<string, Condition>();
  const due: AlertEvent[] = [];
  const hold = (name: string, since: number, limitMs: number, what: AlertWhat) => {
    const before = known.get(name);
    const begun = Math.min(before?.since ?? since, since, now);
    const isDue = !before?.isTold && now - begun >= limitMs;
    if (isDue) due.push({ id: `${name}@${begun}`, at: now, what });
    conditions.set(name, { since: begun, isTold: before?.isTold === true || isDue });
  };
  for (const rule of rules) {
    if (!rule.isOn) continue;
    lookAtWaiting(rule, known, conditions, hold);
    lookAtSilence(rule, known, hold, now);
    const { ruleId, ruleName } = rule;
    if (rule.wishes.signedOut && !rule.isSignedIn)
      hold(nameOf('signed-out', ruleId), now, signInPatienceMs, { kind: 'signed-out', ruleId, ruleName });
  }
  return { conditions, due };
}

type Hold = (name: string, since: number, limitMs: number, what: AlertWhat) => void;

function lookAtWaiting(
  { ruleId, ruleName, wishes, waiting, waitingIsWhole }: RuleFacts,
  known: Conditions,
  conditions: Map<string, Condition>,
  hold: Hold,
): void {
  if (wishes.waitingHours === null) return;
  // What is not seen now may wait on anyway: it is not forgotten, nor told a second time.
  if (waiting === null || !waitingIsWhole) {
    const ofRule = nameOf('waiting', ruleId, '');
    for (const [name, condition] of known) if (name.startsWith(ofRule)) conditions.set(name, condition);
  }
  const hours = wishes.waitingHours;
  for (const { path, since } of waiting ?? [])
    hold(nameOf('waiting', ruleId, path), since, hours * hourMs, {
      ...{ kind: 'waiting', ruleId, ruleName },
      ...{ source: path, hours },
    });
}

/** Counted from the newest source taken, or from the first request. What settles has come. */
function lookAtSilence(rule: RuleFacts, known: Conditions, hold: Hold, now: number): void {
  const { ruleId, ruleName, wishes, waiting, lastTakenAt, isAway } = rule;
  if (wishes.silentDays === null) return;
  const days = wishes.silentDays;
  const asked = nameOf('silence-asked', ruleId);
  const askedAt = Math.min(known.get(asked)?.since ?? now, now);
  const what: AlertWhat = { kind: 'silent', ruleId, ruleName, days };
  hold(asked, askedAt, Number.POSITIVE_INFINITY, what);
  const since = Math.max(askedAt, lastTakenAt ?? askedAt);
  // Named by its beginning: a source that comes begins another silence.
  const name = nameOf('silent', ruleId, String(since));
  const isTold = known.get(name)?.isTold ?? false;
  const isQuiet = isAway || isTold || waiting?.every(({ isArriving }) => !isArriving) === true;
  hold(name, since, isQuiet ? days * dayMs : Number.POSITIVE_INFINITY, what);
}

/** No part of it holds the line break that parts them. */
function nameOf(...parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('\n', ' ')).join('\n');
}
