import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import { type LedgerEntry, ledgerStates } from '../../../../main/watch/model/model.ts';
import { compare, untold } from '../../../../main/watch/scan/content.ts';
import { type Decision, decide, type SourceContext } from '../../../../main/watch/state/decide.ts';
import { foundSource, requested, rowOf } from '../found-sources.ts';

/** Of sources of which something was made, or that are not wanted. */
const rowStates = ledgerStates.filter((state) => state !== 'seen');

const currentTime = 1_800_000_000_000;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const source = foundSource('scan');
const errorOf = (code: ErrorCode) => toErrorRecord(new TileliftError(code));

function ask(entry: LedgerEntry | undefined, more: Partial<SourceContext> = {}): Decision {
  return decide({
    source,
    entry,
    sameIdentity: [],
    rule: { whenChanged: 'new-asset', unit: { kind: 'entries' } },
    currentTime,
    isThere: () => true,
    content: 'its bytes',
    ...more,
  });
}

const row = (more: Partial<LedgerEntry> = {}) => rowOf(source, { content: 'its bytes', ...more });
const changed = { source: { ...source, identity: 'another' }, content: 'others' };
const rewritten = { source: { ...source, newestMs: source.newestMs + 1 }, content: 'others' };
const touched = { source: { ...source, newestMs: source.newestMs + 1, digest: 'later' } };
/** What was uploaded of it can't be compared with files. */
const incomparable = { content: untold };

describe('a source that the ledger does not know', () => {
  it('is taken', () => {
    expect(ask(undefined)).toEqual({ kind: 'take', isRetry: false });
  });

  const original = row({ path: 'original' });

  it('is taken as a copy while its original is beside it', () => {
    expect(ask(undefined, { sameIdentity: [original] })).toEqual({ kind: 'take', isRetry: false });
  });

  it('is a renamed one where nothing is under the old name any more', () => {
    const asked: string[] = [];
    const isThere = (path: string) => {
      asked.push(path);
      return false;
    };
    expect(ask(undefined, { sameIdentity: [original], isThere })).toEqual({
      kind: 'renamed',
      previousPath: 'original',
    });
    expect(asked).toEqual(['original']);
  });

  it('is a new one where we moved the old one away', () => {
    const moved = { ...original, movedTo: '/done/original' };
    expect(ask(undefined, { sameIdentity: [moved], isThere: () => false })).toMatchObject({ kind: 'take' });
  });

  it('is a new one where the times of the old one were others', () => {
    const sameIdentity = [{ ...original, newestMs: source.newestMs - 5 }];
    expect(ask(undefined, { sameIdentity, isThere: () => false })).toMatchObject({ kind: 'take' });
  });

  it('is left while the job of its old name is under way, and taken when that failed for want of it', () => {
    const gone = { isThere: () => false };
    const taken = { ...original, state: 'taken' } as const;
    expect(ask(undefined, { ...gone, sameIdentity: [taken] })).toEqual({ kind: 'leave', why: 'under-way' });
    const failed = { ...original, state: 'waits-for-change', error: errorOf('source-missing') } as const;
    expect(ask(undefined, { ...gone, sameIdentity: [failed] })).toEqual({ kind: 'take', isRetry: false });
  });

  it('stays one with bad data under a new name', () => {
    const failed = { ...original, state: 'waits-for-change', error: errorOf('data-error') } as const;
    expect(ask(undefined, { sameIdentity: [failed], isThere: () => false })).toMatchObject({
      kind: 'renamed',
    });
  });
});

describe('a source that is as it was', () => {
  it.each(rowStates.filter((state) => state !== 'waits-for-retry'))('is not taken isRetry: %s', (state) => {
    expect(ask(row({ state }))).toEqual({ kind: 'known' });
  });

  it('is taken again when its time for another try has come, not before', () => {
    const waiting = (retryAt: number) => row({ state: 'waits-for-retry', retryAt });
    expect(ask(waiting(currentTime + 1))).toEqual({ kind: 'later', retryAt: currentTime + 1 });
    expect(ask(waiting(currentTime))).toEqual({ kind: 'take', isRetry: true });
    expect(ask(waiting(currentTime - day))).toEqual({ kind: 'take', isRetry: true });
  });

  it('is not waited for through years when the clock is set back', () => {
    const waiting = row({ state: 'waits-for-retry', retryAt: currentTime + 365 * day });
    expect(ask(waiting)).toEqual({ kind: 'take', isRetry: true });
  });
});

describe('a source that only grew minutes after it was taken', () => {
  const hold = { whenChanged: 'hold', unit: { kind: 'entries' } } as const;
  const grown = (afterMs: number, more: Partial<SourceContext['source']> = {}) => ({
    source: {
      ...source,
      identity: 'another',
      bytes: source.bytes + 1,
      newestMs: source.newestMs + afterMs,
      ...more,
    },
    rule: hold,
  });

  it('belongs to the same delivery: the rest becomes the next asset also where the rule holds changes', () => {
    expect(ask(row(), grown(5 * minute))).toEqual({ kind: 'take', isRetry: false, grew: true });
  });

  it('is held like any other change later on, with other files, where it shrank, and where nobody wanted it', () => {
    const held = { kind: 'hold', why: 'changed' };
    expect(ask(row(), grown(11 * minute))).toEqual(held);
    expect(ask(row(), grown(minute, { files: [...source.files, ...source.files] }))).toEqual(held);
    expect(ask(row(), grown(minute, { bytes: source.bytes - 1 }))).toEqual(held);
    expect(ask(row({ state: 'skipped' }), grown(minute))).toEqual(held);
    const leaves = { ...grown(minute), rule: { ...hold, whenChanged: 'leave' as const } };
    expect(ask(row(), leaves)).toEqual({ kind: 'leave', why: 'rule-leaves-changed' });
  });
});

describe('a source at the path of one that was moved away', () => {
  const moved = (more: Partial<LedgerEntry> = {}) => row({ movedTo: '/done/scan', ...more });
  const holds = { rule: { whenChanged: 'hold', unit: { kind: 'entries' } } } as const;

  it.each([changed, rewritten])('is taken if it holds something else, whatever the rule says', (other) => {
    expect(ask(moved(), { ...other, ...holds })).toEqual({ kind: 'take', isRetry: false });
    const failed = moved({ state: 'waits-for-change', error: errorOf('data-error') });
    expect(ask(failed, { ...other, ...holds })).toEqual({ kind: 'take', isRetry: false });
  });

  it('is known if it holds the same, and compared before anyone says so', () => {
    expect(ask(moved(), touched)).toEqual({ kind: 'known' });
    expect(ask(moved(), { ...touched, content: undefined })).toEqual({ kind: 'compare', rows: [moved()] });
    expect(ask(moved(), { content: undefined })).toEqual({ kind: 'known' });
  });

  it('is known only by its looks if contents can’t be compared', () => {
    expect(ask(moved(incomparable), { source: { ...source, digest: 'later' } })).toEqual({ kind: 'known' });
    expect(ask(moved(incomparable), touched)).toEqual({ kind: 'take', isRetry: false });
  });
});

describe('a source whose content has to tell', () => {
  const gone = { isThere: () => false };
  const original = row({ path: 'original' });

  it('is compared before it is called renamed, and is a new one where it holds something else', () => {
    const sameIdentity = [original, { ...original, path: 'taken', state: 'taken' as const }];
    const unread = { ...gone, sameIdentity, content: undefined };
    expect(ask(undefined, unread)).toEqual({ kind: 'compare', rows: [original] });
    expect(ask(undefined, { ...unread, content: 'its bytes' })).toEqual({
      kind: 'renamed',
      previousPath: 'original',
    });
    const other = { ...gone, sameIdentity: [original], content: 'others' };
    expect(ask(undefined, other)).toEqual({ kind: 'take', isRetry: false });
    const unsummed = { ...original, content: null };
    expect(ask(undefined, { ...gone, sameIdentity: [unsummed] })).toEqual({
      kind: 'compare',
      rows: [unsummed],
    });
  });

  it('is the one of many alike that holds the same', () => {
    const rows = ['a', 'b', 'c'].map((path) => row({ path, content: `bytes of ${path}` }));
    const decision = ask(undefined, { ...gone, sameIdentity: rows, content: 'bytes of b' });
    expect(decision).toEqual({ kind: 'renamed', previousPath: 'b' });
  });

  it('is held where it can’t be compared and may be renamed', () => {
    for (const state of ['complete', 'skipped', 'waits-for-person'] as const) {
      const sameIdentity = [{ ...original, ...incomparable, state }];
      const decision = ask(undefined, { ...gone, sameIdentity, content: undefined });
      expect(decision).toEqual({ kind: 'hold', why: 'cannot-compare' });
    }
    const unsent = { ...original, content: null, state: 'waits-for-retry', uploadedAt: null } as const;
    expect(ask(undefined, { ...gone, sameIdentity: [unsent] })).toEqual({
      kind: 'renamed',
      previousPath: 'original',
    });
  });

  it('is compared when its times, or only the marks of its files, are others', () => {
    for (const one of [touched.source, { ...source, digest: 'later' }])
      expect(ask(row(), { source: one, content: undefined })).toEqual({ kind: 'compare', rows: [row()] });
    expect(ask(row(), touched)).toEqual({ kind: 'touched' });
    expect(ask(row(), { source: { ...source, digest: 'later' } })).toEqual({ kind: 'known' });
  });

  it('is where it was when the disk only spells it otherwise, whatever it holds', () => {
    const sameIdentity = [row({ path: 'Scan', content: 'others', identity: 'another' })];
    const spelled = { sameIdentity, isThere: () => 'other-case' as const };
    expect(ask(undefined, spelled)).toEqual({ kind: 'renamed', previousPath: 'Scan' });
    expect(ask(undefined, { ...spelled, isThere: () => true })).toEqual({ kind: 'take', isRetry: false });
  });
});

describe.each([
  ['has other content', changed],
  ['was written anew', rewritten],
  ['was written anew with the same time', { source: { ...source, digest: 'later' }, content: 'others' }],
  ['has more files', { source: { ...source, identity: 'another', bytes: source.bytes + 1 } }],
])('a source that %s', (_, more) => {
  it('is left while its job is under way', () => {
    expect(ask(row({ state: 'taken' }), more)).toEqual({ kind: 'leave', why: 'under-way' });
  });

  it.each(['complete', 'skipped'] as const)('becomes a new asset where the rule wants that: %s', (state) => {
    expect(ask(row({ state }), more)).toEqual({ kind: 'take', isRetry: false });
    expect(
      ask(row({ state }), { ...more, rule: { whenChanged: 'leave', unit: { kind: 'entries' } } }),
    ).toEqual({
      kind: 'leave',
      why: 'rule-leaves-changed',
    });
  });

  it.each(['complete', 'skipped'] as const)(
    'is held where the rule wants that, until a person has chosen: %s',
    (state) => {
      const rule = { whenChanged: 'hold', unit: { kind: 'entries' } } as const;
      expect(ask(row({ state }), { ...more, rule })).toEqual({ kind: 'hold', why: 'changed' });
      expect(ask(row({ state, standing: requested }), { ...more, rule })).toEqual({
        kind: 'take',
        isRetry: false,
      });
    },
  );

  it.each(['waits-for-change', 'waits-for-retry', 'waits-for-person'] as const)(
    'is taken at once, whatever the rule: %s',
    (state) => {
      const rule = { whenChanged: 'leave', unit: { kind: 'entries' } } as const;
      expect(ask(row({ state, retryAt: currentTime + day }), { ...more, rule })).toEqual({
        kind: 'take',
        isRetry: false,
      });
    },
  );
});

describe('whatever the ledger knows', () => {
  const anyRow = fc.record({
    state: fc.constantFrom(...rowStates),
    identity: fc.constantFrom(source.identity, 'another'),
    newestMs: fc.constantFrom(source.newestMs, source.newestMs + hour, source.newestMs + 1),
    retryAt: fc.option(fc.integer({ min: currentTime - 400 * day, max: currentTime + 400 * day })),
    movedTo: fc.option(fc.constant('/done/scan')),
    marks: fc.constantFrom(source.digest, 'earlier', null),
    content: fc.constantFrom('its bytes', 'others', untold, null),
    uploadedAt: fc.constantFrom(5, null),
  });
  const anySighting = fc.record({
    content: fc.constantFrom('its bytes', undefined),
    isThere: fc.constantFrom(true, false, 'other-case' as const).map((there) => () => there),
  });
  const anyRule = fc.record({
    whenChanged: fc.constantFrom('hold', 'new-asset', 'leave'),
    unit: fc.constant({ kind: 'entries' }),
  } as const);

  it('never takes a source whose job is under way', () => {
    fc.assert(
      fc.property(anyRow, anyRule, anySighting, (more, rule, sighting) => {
        const decision = ask(row({ ...more, state: 'taken' }), { ...sighting, rule });
        expect(['known', 'leave']).toContain(decision.kind);
      }),
    );
  });

  it('never takes the same again but for another try', () => {
    fc.assert(
      fc.property(anyRow, anyRule, (more, rule) => {
        const { identity, newestMs, digest: marks } = source;
        const same = row({ ...more, identity, newestMs, marks });
        const decision = ask(same, { rule });
        if (decision.kind === 'take') expect(same.state).toBe('waits-for-retry');
      }),
    );
  });

  it('never takes what holds the same as was uploaded of it, and calls nothing the same that does not', () => {
    fc.assert(
      fc.property(anyRow, anyRule, anySighting, fc.boolean(), (more, rule, sighting, isRenamed) => {
        const one = row({ ...more, ...(isRenamed ? { path: 'original' } : {}) });
        const rows = { entry: isRenamed ? undefined : one, sameIdentity: isRenamed ? [one] : [] };
        const decision = decide({ source, rule, currentTime, ...sighting, ...rows });
        const verdict = compare(sighting.content, one);
        const isOnePlace = sighting.isThere() === 'other-case';
        if (decision.kind === 'touched') expect(verdict).not.toBe('differs');
        if (decision.kind === 'renamed' && !isOnePlace) expect(verdict).not.toBe('differs');
        if (decision.kind === 'compare') expect(verdict).toBe('unknown');
        const isUploaded = one.state === 'complete' && verdict === 'same';
        if (isUploaded && !isRenamed) expect(['known', 'touched']).toContain(decision.kind);
      }),
    );
  });

  it('never waits longer than a day and a tenth', () => {
    fc.assert(
      fc.property(anyRow, (more) => {
        const decision = ask(row(more));
        if (decision.kind === 'later') expect(decision.retryAt - currentTime).toBeLessThanOrEqual(1.1 * day);
      }),
    );
  });
});

it('creates another asset from the same bytes where their trigger file was written again', () => {
  const rule = { whenChanged: 'new-asset', unit: { kind: 'trigger', file: 'READY' } } as const;
  expect(ask(row({ state: 'complete' }), { ...touched, content: 'its bytes', rule })).toEqual({
    kind: 'take',
    isRetry: false,
  });
});

describe('a source about which the user is asked', () => {
  const asked = (why: 'changed' | 'restored') => ({ why, startedAt: currentTime, isGrouped: false }) as const;
  const newAsset = { kind: 'take', isRetry: false };

  it('waits for the answer although its rule makes new assets, until it is as it was', () => {
    const question = asked('changed');
    expect(ask(row({ state: 'complete', standing: question }), changed)).toEqual({
      kind: 'hold',
      why: 'changed',
    });
    expect(ask(row({ state: 'complete', standing: question }))).toEqual({ kind: 'known' });
    expect(ask(row({ state: 'complete', standing: requested }), changed)).toEqual(newAsset);
    expect(ask(row({ state: 'complete', standing: { ...question, why: 'gone' } }), changed)).toEqual(
      newAsset,
    );
  });

  it('is held after a backup was put back, whatever would take it, until the user has chosen', () => {
    const restored = { kind: 'hold', why: 'restored' };
    expect(ask(undefined, { isRestored: true })).toEqual(restored);
    expect(ask(row({ state: 'complete' }), { isRestored: true })).toEqual({ kind: 'known' });
    expect(ask(row({ state: 'complete' }), { ...changed, isRestored: true })).toEqual(restored);
    const marked = row({ state: 'seen', standing: asked('restored') });
    expect(ask(marked)).toEqual(restored);
    expect(ask(marked, changed)).toEqual(newAsset);
    expect(ask({ ...marked, standing: requested }, { isRestored: true })).toEqual(newAsset);
    expect(ask(row({ state: 'waits-for-retry', retryAt: currentTime, standing: asked('restored') }))).toEqual(
      restored,
    );
  });

  it('stays held for what was found in it, and is not another asset while its own job can continue', () => {
    expect(ask(undefined, { heldFor: 'findings' })).toEqual({ kind: 'hold', why: 'findings' });
    const failed = row({ state: 'waits-for-retry', retryAt: currentTime });
    expect(ask(failed)).toEqual({ kind: 'take', isRetry: true });
    expect(ask(failed, { hasOwnJob: true })).toEqual({ kind: 'later', retryAt: currentTime });
  });
});
