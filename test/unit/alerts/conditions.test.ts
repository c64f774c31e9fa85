import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RuleFacts } from '../../../main/alerts/alert-model.ts';
import { type Conditions, signInPatienceMs, updateConditions } from '../../../main/alerts/conditions.ts';
import { noAlerts } from '../../../shared/schemas/watch-rule.ts';

const hour = 3_600_000;
const day = 24 * hour;
const beganAt = Date.UTC(2026, 10, 22);

const facts = (change: Partial<RuleFacts>): RuleFacts => ({
  ruleId: 'r',
  ruleName: 'Landings',
  alerts: noAlerts,
  isOn: true,
  isAway: false,
  waitingSources: [],
  waitingIsWhole: true,
  lastTakenAt: null,
  isSignedIn: true,
  ...change,
});
const noConditions: Conditions = new Map();

/** Updates the conditions in turn and returns the kinds alerted each time. */
function play(scans: readonly { at: number; facts: Partial<RuleFacts> }[]): readonly (readonly string[])[] {
  let known = noConditions;
  return scans.map(({ at, facts: change }) => {
    // A restart restores them like this.
    const storedConditions: Conditions = new Map(JSON.parse(JSON.stringify([...known])));
    const { conditions, dueEvents } = updateConditions(storedConditions, [facts(change)], beganAt + at);
    known = conditions;
    return dueEvents.map(({ what: alert }) => alert.kind);
  });
}

describe('an alert about a waiting source', () => {
  const wishes = { ...noAlerts, waitingHours: 4 };
  const waitingSources = [{ path: 'a', arrivedAt: beganAt, isArriving: true }];

  test('an alert about a waiting source appears once after the chosen time', () => {
    const eventKinds = play([
      { at: 4 * hour - 1, facts: { alerts: wishes, waitingSources } },
      { at: 4 * hour, facts: { alerts: wishes, waitingSources } },
      { at: 9 * hour, facts: { alerts: wishes, waitingSources } },
    ]);
    expect(eventKinds).toEqual([[], ['waiting'], []]);
  });

  test('an alert about a waiting source does not repeat after a restart, before a scan or while the folder is missing', () => {
    const eventKinds = play([
      { at: 5 * hour, facts: { alerts: wishes, waitingSources } },
      { at: 6 * hour, facts: { alerts: wishes, waitingSources: null } },
      {
        at: 7 * hour,
        facts: {
          alerts: wishes,
          waitingSources: [{ path: 'a', arrivedAt: beganAt + 6 * hour, isArriving: true }],
        },
      },
      { at: 99 * hour, facts: { alerts: wishes, waitingSources } },
    ]);
    expect(eventKinds).toEqual([['waiting'], [], [], []]);
  });

  test('an alert about a waiting source keeps its time across a restart, which sees the source as new', () => {
    const eventKinds = play([
      { at: 0, facts: { alerts: wishes, waitingSources } },
      { at: 3 * hour, facts: { alerts: wishes, waitingSources: null } },
      {
        at: 4 * hour,
        facts: {
          alerts: wishes,
          waitingSources: [{ path: 'a', arrivedAt: beganAt + 4 * hour, isArriving: true }],
        },
      },
    ]);
    expect(eventKinds).toEqual([[], [], ['waiting']]);
  });

  test('an alert about a waiting source restarts when the source is picked up and waits again', () => {
    const eventKinds = play([
      { at: 5 * hour, facts: { alerts: wishes, waitingSources } },
      { at: 6 * hour, facts: { alerts: wishes, waitingSources: [] } },
      {
        at: 20 * hour,
        facts: {
          alerts: wishes,
          waitingSources: [{ path: 'a', arrivedAt: beganAt + 7 * hour, isArriving: true }],
        },
      },
    ]);
    expect(eventKinds).toEqual([['waiting'], [], ['waiting']]);
  });

  test('an alert about a waiting source is off while its rule is paused or wants none', () => {
    expect(play([{ at: day, facts: { alerts: wishes, waitingSources, isOn: false } }])).toEqual([[]]);
    expect(play([{ at: day, facts: { waitingSources } }])).toEqual([[]]);
  });
});

describe('an alert about silence', () => {
  const wishes = { ...noAlerts, silentDays: 3 };

  test('an alert about silence counts from its activation if nothing ever arrived', () => {
    const eventKinds = play([
      { at: 0, facts: { alerts: wishes } },
      { at: 3 * day - 1, facts: { alerts: wishes } },
      { at: 3 * day, facts: { alerts: wishes } },
      { at: 30 * day, facts: { alerts: wishes } },
    ]);
    expect(eventKinds).toEqual([[], [], ['silent'], []]);
  });

  test('an alert about silence restarts with each arrival', () => {
    const eventKinds = play([
      { at: 0, facts: { alerts: wishes } },
      { at: 3 * day, facts: { alerts: wishes } },
      { at: 4 * day, facts: { alerts: wishes, lastTakenAt: beganAt + 4 * day } },
      { at: 6 * day, facts: { alerts: wishes, lastTakenAt: beganAt + 4 * day } },
      { at: 7 * day, facts: { alerts: wishes, lastTakenAt: beganAt + 4 * day } },
    ]);
    expect(eventKinds).toEqual([[], ['silent'], [], [], ['silent']]);
  });

  test('an alert about silence waits for the first scan and settling sources after a restart', () => {
    const eventKinds = play([
      { at: 0, facts: { alerts: wishes } },
      { at: 14 * day, facts: { alerts: wishes, waitingSources: null } },
      {
        at: 14 * day,
        facts: {
          alerts: wishes,
          waitingSources: [{ path: 'new', arrivedAt: beganAt + 14 * day, isArriving: true }],
        },
      },
      { at: 14 * day + hour, facts: { alerts: wishes, lastTakenAt: beganAt + 14 * day } },
    ]);
    expect(eventKinds).toEqual([[], [], [], []]);
  });
});

test('a missing folder or a stuck source does not hide silence', () => {
  const wishes = { ...noAlerts, silentDays: 3 };
  expect(
    play([
      { at: 0, facts: { alerts: wishes } },
      { at: 3 * day, facts: { alerts: wishes, waitingSources: null, isAway: true } },
    ])[1],
  ).toEqual(['silent']);
  const stuckSources = [{ path: 'stuck', arrivedAt: beganAt, isArriving: false }];
  expect(
    play([
      { at: 0, facts: { alerts: wishes } },
      { at: 3 * day, facts: { alerts: wishes, waitingSources: stuckSources } },
    ])[1],
  ).toEqual(['silent']);
});

describe('an alert about a lost sign-in', () => {
  const wishes = { ...noAlerts, signedOut: true };

  test('an alert about a lost sign-in appears once when it lasts, and again the next time', () => {
    const eventKinds = play([
      { at: 0, facts: { alerts: wishes, isSignedIn: false } },
      { at: signInPatienceMs - 1, facts: { alerts: wishes, isSignedIn: false } },
      { at: signInPatienceMs, facts: { alerts: wishes, isSignedIn: false } },
      { at: day, facts: { alerts: wishes, isSignedIn: false } },
      { at: day + 1, facts: { alerts: wishes } },
      { at: 2 * day, facts: { alerts: wishes, isSignedIn: false } },
      { at: 3 * day, facts: { alerts: wishes, isSignedIn: false } },
    ]);
    expect(eventKinds).toEqual([[], [], ['signed-out'], [], [], [], ['signed-out']]);
  });
});

test('alerts report each lasting period exactly once for any events and restarts', () => {
  const limit = 4 * hour;
  const step = fc.record({
    waits: fc.boolean(),
    pass: fc.integer({ min: 0, max: 3 * hour }),
    isKnown: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let known = noConditions;
      let now = beganAt;
      /** Waiting sources as a scan sees them. */
      let waitingSince: number | null = null;
      let toldOfStretch = 0;
      for (const { waits: isWaiting, pass: passedHours, isKnown } of steps) {
        now += passedHours;
        if (isKnown && isWaiting && waitingSince === null) {
          waitingSince = now;
          toldOfStretch = 0;
        }
        if (isKnown && !isWaiting) waitingSince = null;
        const waitingSources = !isKnown
          ? null
          : isWaiting
            ? [{ path: 'a', arrivedAt: now, isArriving: false }]
            : [];
        const storedConditions: Conditions = new Map(JSON.parse(JSON.stringify([...known])));
        const rules = [facts({ alerts: { ...noAlerts, waitingHours: 4 }, waitingSources })];
        const { conditions, dueEvents } = updateConditions(storedConditions, rules, now);
        known = conditions;
        toldOfStretch += dueEvents.length;
        expect(toldOfStretch).toBeLessThanOrEqual(1);
        if (isKnown && waitingSince !== null && now - waitingSince >= limit) expect(toldOfStretch).toBe(1);
      }
    }),
  );
});
