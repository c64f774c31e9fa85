import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RuleFacts } from '../../../main/alerts/alert-model.ts';
import { type Conditions, signInPatienceMs, updateConditions } from '../../../main/alerts/conditions.ts';
import { noAlerts } from '../../../shared/schemas/watch-rule.ts';

const hour = 3_600_000;
const day = 24 * hour;
const begin = Date.UTC(2026, 10, 22);

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
const none: Conditions = new Map();

/** Updates the conditions in turn and returns the kinds alerted each time. */
function play(scans: readonly { at: number; facts: Partial<RuleFacts> }[]): readonly (readonly string[])[] {
  let known = none;
  return scans.map(({ at, facts: change }) => {
    // A restart restores them like this.
    const storedConditions: Conditions = new Map(JSON.parse(JSON.stringify([...known])));
    const { conditions, dueEvents: due } = updateConditions(storedConditions, [facts(change)], begin + at);
    known = conditions;
    return due.map(({ what }) => what.kind);
  });
}

describe('an alert about a waiting source', () => {
  const wishes = { ...noAlerts, waitingHours: 4 };
  const waiting = [{ path: 'a', arrivedAt: begin, isArriving: true }];

  test('an alert about a waiting source appears once after the chosen time', () => {
    const eventKinds = play([
      { at: 4 * hour - 1, facts: { alerts: wishes, waitingSources: waiting } },
      { at: 4 * hour, facts: { alerts: wishes, waitingSources: waiting } },
      { at: 9 * hour, facts: { alerts: wishes, waitingSources: waiting } },
    ]);
    expect(eventKinds).toEqual([[], ['waiting'], []]);
  });

  test('an alert about a waiting source does not repeat after a restart, before a scan or while the folder is missing', () => {
    const eventKinds = play([
      { at: 5 * hour, facts: { alerts: wishes, waitingSources: waiting } },
      { at: 6 * hour, facts: { alerts: wishes, waitingSources: null } },
      {
        at: 7 * hour,
        facts: {
          alerts: wishes,
          waitingSources: [{ path: 'a', arrivedAt: begin + 6 * hour, isArriving: true }],
        },
      },
      { at: 99 * hour, facts: { alerts: wishes, waitingSources: waiting } },
    ]);
    expect(eventKinds).toEqual([['waiting'], [], [], []]);
  });

  test('an alert about a waiting source keeps its time across a restart, which sees the source as new', () => {
    const eventKinds = play([
      { at: 0, facts: { alerts: wishes, waitingSources: waiting } },
      { at: 3 * hour, facts: { alerts: wishes, waitingSources: null } },
      {
        at: 4 * hour,
        facts: {
          alerts: wishes,
          waitingSources: [{ path: 'a', arrivedAt: begin + 4 * hour, isArriving: true }],
        },
      },
    ]);
    expect(eventKinds).toEqual([[], [], ['waiting']]);
  });

  test('an alert about a waiting source restarts when the source is picked up and waits again', () => {
    const eventKinds = play([
      { at: 5 * hour, facts: { alerts: wishes, waitingSources: waiting } },
      { at: 6 * hour, facts: { alerts: wishes, waitingSources: [] } },
      {
        at: 20 * hour,
        facts: {
          alerts: wishes,
          waitingSources: [{ path: 'a', arrivedAt: begin + 7 * hour, isArriving: true }],
        },
      },
    ]);
    expect(eventKinds).toEqual([['waiting'], [], ['waiting']]);
  });

  test('an alert about a waiting source is off while its rule is paused or wants none', () => {
    expect(play([{ at: day, facts: { alerts: wishes, waitingSources: waiting, isOn: false } }])).toEqual([
      [],
    ]);
    expect(play([{ at: day, facts: { waitingSources: waiting } }])).toEqual([[]]);
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
      { at: 4 * day, facts: { alerts: wishes, lastTakenAt: begin + 4 * day } },
      { at: 6 * day, facts: { alerts: wishes, lastTakenAt: begin + 4 * day } },
      { at: 7 * day, facts: { alerts: wishes, lastTakenAt: begin + 4 * day } },
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
          waitingSources: [{ path: 'new', arrivedAt: begin + 14 * day, isArriving: true }],
        },
      },
      { at: 14 * day + hour, facts: { alerts: wishes, lastTakenAt: begin + 14 * day } },
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
  const stuck = [{ path: 'stuck', arrivedAt: begin, isArriving: false }];
  expect(
    play([
      { at: 0, facts: { alerts: wishes } },
      { at: 3 * day, facts: { alerts: wishes, waitingSources: stuck } },
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
      let known = none;
      let now = begin;
      /** Waiting sources as a scan sees them. */
      let since: number | null = null;
      let toldOfStretch = 0;
      for (const { waits, pass, isKnown } of steps) {
        now += pass;
        if (isKnown && waits && since === null) {
          since = now;
          toldOfStretch = 0;
        }
        if (isKnown && !waits) since = null;
        const waiting = !isKnown ? null : waits ? [{ path: 'a', arrivedAt: now, isArriving: false }] : [];
        const storedConditions: Conditions = new Map(JSON.parse(JSON.stringify([...known])));
        const rules = [facts({ alerts: { ...noAlerts, waitingHours: 4 }, waitingSources: waiting })];
        const { conditions, dueEvents: due } = updateConditions(storedConditions, rules, now);
        known = conditions;
        toldOfStretch += due.length;
        expect(toldOfStretch).toBeLessThanOrEqual(1);
        if (isKnown && since !== null && now - since >= limit) expect(toldOfStretch).toBe(1);
      }
    }),
  );
});
