import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, TileliftError, toErrorRecord } from '../../../main/errors.ts';
import { type Decision, decide, type Sighting } from '../../../main/watch/ledger/decide.ts';
import { type LedgerEntry, ledgerStates } from '../../../main/watch/model.ts';
import { foundSource, rowOf } from './found-sources.ts';

const now = 1_800_000_000_000;
const hour = 3_600_000;
const day = 24 * hour;
const found = foundSource('scan');
const errorOf = (code: ErrorCode) => toErrorRecord(new TileliftError(code));

function ask(known: LedgerEntry | undefined, more: Partial<Sighting> = {}): Decision {
  return decide({
    found,
    known,
    sameIdentity: [],
    rule: { whenChanged: 'new-asset' },
    now,
    isThere: () => true,
    ...more,
  });
}

const row = (more: Partial<LedgerEntry> = {}) => rowOf(found, more);
const changed = { found: { ...found, identity: 'another' } };
const touched = { found: { ...found, newestMs: found.newestMs + 1 } };

describe('a source that the ledger does not know', () => {
  it('is taken', () => {
    expect(ask(undefined)).toEqual({ kind: 'take', again: false });
  });

  const original = row({ path: 'original' });

  it('is taken as a copy while its original lies beside it', () => {
    expect(ask(undefined, { sameIdentity: [original] })).toEqual({ kind: 'take', again: false });
  });

  it('is a renamed one where nothing lies under the old name any more', () => {
    const asked: string[] = [];
    const isThere = (path: string) => {
      asked.push(path);
      return false;
    };
    expect(ask(undefined, { sameIdentity: [original], isThere })).toEqual({
      kind: 'renamed',
      from: 'original',
    });
    expect(asked).toEqual(['original']);
  });

  it('is a new one where we moved the old one away', () => {
    const moved = { ...original, movedTo: '/done/original' };
    expect(ask(undefined, { sameIdentity: [moved], isThere: () => false })).toMatchObject({ kind: 'take' });
  });

  it('is a new one where the times of the old one were others', () => {
    const sameIdentity = [{ ...original, newestMs: found.newestMs - 5 }];
    expect(ask(undefined, { sameIdentity, isThere: () => false })).toMatchObject({ kind: 'take' });
  });

  it('is left while the job of its old name is under way, and taken when that failed for want of it', () => {
    const gone = { isThere: () => false };
    const taken = { ...original, state: 'taken' } as const;
    expect(ask(undefined, { ...gone, sameIdentity: [taken] })).toEqual({ kind: 'leave', why: 'under-way' });
    const failed = { ...original, state: 'waits-for-change', error: errorOf('source-missing') } as const;
    expect(ask(undefined, { ...gone, sameIdentity: [failed] })).toEqual({ kind: 'take', again: false });
  });

  it('stays one with bad data under a new name', () => {
    const failed = { ...original, state: 'waits-for-change', error: errorOf('data-error') } as const;
    expect(ask(undefined, { sameIdentity: [failed], isThere: () => false })).toMatchObject({
      kind: 'renamed',
    });
  });
});

describe('a source that is as it was', () => {
  it.each(ledgerStates.filter((state) => state !== 'waits-for-retry'))('is not taken again: %s', (state) => {
    expect(ask(row({ state }))).toEqual({ kind: 'known' });
  });

  it('is taken again when its time for another try has come, not before', () => {
    const waiting = (retryAt: number) => row({ state: 'waits-for-retry', retryAt });
    expect(ask(waiting(now + 1))).toEqual({ kind: 'later', at: now + 1 });
    expect(ask(waiting(now))).toEqual({ kind: 'take', again: true });
    expect(ask(waiting(now - day))).toEqual({ kind: 'take', again: true });
  });

  it('is not waited for through years when the clock is set back', () => {
    const waiting = row({ state: 'waits-for-retry', retryAt: now + 365 * day });
    expect(ask(waiting)).toEqual({ kind: 'take', again: true });
  });

  it.each([hour, -hour])('is so when a drive shows all its times %i ms off', (shift) => {
    expect(ask(row(), { found: { ...found, newestMs: found.newestMs + shift } })).toEqual({ kind: 'known' });
  });

  it('is not when it was written anew about an hour later', () => {
    const later = { found: { ...found, newestMs: found.newestMs + hour + 1 } };
    expect(ask(row(), later)).toMatchObject({ kind: 'take' });
  });
});

describe.each([
  ['has other content', changed],
  ['was written anew', touched],
])('a source that %s', (_, more) => {
  it('is left while its job is under way', () => {
    expect(ask(row({ state: 'taken' }), more)).toEqual({ kind: 'leave', why: 'under-way' });
  });

  it.each(['complete', 'skipped'] as const)('becomes a new asset where the rule wants that: %s', (state) => {
    expect(ask(row({ state }), more)).toEqual({ kind: 'take', again: false });
    expect(ask(row({ state }), { ...more, rule: { whenChanged: 'leave' } })).toEqual({
      kind: 'leave',
      why: 'rule-leaves-changed',
    });
  });

  it.each(['waits-for-change', 'waits-for-retry', 'waits-for-person'] as const)(
    'is taken at once, whatever the rule: %s',
    (state) => {
      const rule = { whenChanged: 'leave' } as const;
      expect(ask(row({ state, retryAt: now + day }), { ...more, rule })).toEqual({
        kind: 'take',
        again: false,
      });
    },
  );
});

describe('whatever the ledger knows', () => {
  const anyRow = fc.record({
    state: fc.constantFrom(...ledgerStates),
    identity: fc.constantFrom(found.identity, 'another'),
    newestMs: fc.constantFrom(found.newestMs, found.newestMs + hour, found.newestMs + 1),
    retryAt: fc.option(fc.integer({ min: now - 400 * day, max: now + 400 * day })),
    movedTo: fc.option(fc.constant('/done/scan')),
  });
  const anyRule = fc.record({ whenChanged: fc.constantFrom('new-asset', 'leave') } as const);

  it('never takes a source whose job is under way', () => {
    fc.assert(
      fc.property(anyRow, anyRule, (more, rule) => {
        const decision = ask(row({ ...more, state: 'taken' }), { rule });
        expect(decision.kind).not.toBe('take');
      }),
    );
  });

  it('never takes the same again but for another try', () => {
    fc.assert(
      fc.property(anyRow, anyRule, (more, rule) => {
        const same = row({ ...more, identity: found.identity, newestMs: found.newestMs });
        const decision = ask(same, { rule });
        if (decision.kind === 'take') expect(same.state).toBe('waits-for-retry');
      }),
    );
  });

  it('never waits longer than a day and a tenth', () => {
    fc.assert(
      fc.property(anyRow, (more) => {
        const decision = ask(row(more));
        if (decision.kind === 'later') expect(decision.at - now).toBeLessThanOrEqual(1.1 * day);
      }),
    );
  });
});
