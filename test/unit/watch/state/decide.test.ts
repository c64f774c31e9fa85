import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import type { LedgerEntry } from '../../../../main/watch/model/model.ts';
import { ledgerStates } from '../../../../main/watch/model/records.ts';
import { compare, unverifiable } from '../../../../main/watch/scan/content.ts';
import { type Decision, decide, type SourceContext } from '../../../../main/watch/state/decide.ts';
import { foundSource, requested, rowOf } from '../found-sources.ts';

/** States of sources that were taken or skipped. */
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
    rule: { whenChanged: 'new-asset' },
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
/** Uploaded content that can’t be compared with files. */
const incomparable = { content: unverifiable };

describe('decide() for an unknown source', () => {
  it('takes an unknown source', () => {
    expect(ask(undefined)).toEqual({ kind: 'take', isRetry: false });
  });

  const original = row({ path: 'original' });

  it('takes a copy while its original still exists', () => {
    expect(ask(undefined, { sameIdentity: [original] })).toEqual({ kind: 'take', isRetry: false });
  });

  it('detects a rename if the old path no longer exists', () => {
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

  it('takes a source as new if Tilelift moved the old one away', () => {
    const moved = { ...original, movedTo: '/done/original' };
    expect(ask(undefined, { sameIdentity: [moved], isThere: () => false })).toMatchObject({ kind: 'take' });
  });

  it('takes a source as new if its modification times differ', () => {
    const sameIdentity = [{ ...original, newestMs: source.newestMs - 5 }];
    expect(ask(undefined, { sameIdentity, isThere: () => false })).toMatchObject({ kind: 'take' });
  });

  it('leaves a renamed source while its old job runs, and takes it once that job misses its files', () => {
    const gone = { isThere: () => false };
    const taken = { ...original, state: 'taken' } as const;
    expect(ask(undefined, { ...gone, sameIdentity: [taken] })).toEqual({ kind: 'leave', why: 'under-way' });
    const failed = { ...original, state: 'waits-for-change', error: errorOf('source-missing') } as const;
    expect(ask(undefined, { ...gone, sameIdentity: [failed] })).toEqual({ kind: 'take', isRetry: false });
  });

  it('detects the rename of a source with bad data', () => {
    const failed = { ...original, state: 'waits-for-change', error: errorOf('data-error') } as const;
    expect(ask(undefined, { sameIdentity: [failed], isThere: () => false })).toMatchObject({
      kind: 'renamed',
    });
  });
});

describe('decide() for an unchanged source', () => {
  it.each(rowStates.filter((state) => state !== 'waits-for-retry'))('ignores unchanged data: %s', (state) => {
    expect(ask(row({ state }))).toEqual({ kind: 'known' });
  });

  it('retries a source at its retry time, not before', () => {
    const waiting = (retryAt: number) => row({ state: 'waits-for-retry', retryAt });
    expect(ask(waiting(currentTime + 1))).toEqual({ kind: 'later', retryAt: currentTime + 1 });
    expect(ask(waiting(currentTime))).toEqual({ kind: 'take', isRetry: true });
    expect(ask(waiting(currentTime - day))).toEqual({ kind: 'take', isRetry: true });
  });

  it('retries a source at once if the clock was set back', () => {
    const waiting = row({ state: 'waits-for-retry', retryAt: currentTime + 365 * day });
    expect(ask(waiting)).toEqual({ kind: 'take', isRetry: true });
  });
});

describe('decide() for a source that grew after it was taken', () => {
  const hold = { whenChanged: 'hold' } as const;
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

  it('takes growth within minutes as the next asset, even if the rule holds changes', () => {
    expect(ask(row(), grown(5 * minute))).toEqual({ kind: 'take', isRetry: false, grew: true });
  });

  it('takes growth minutes after the pickup, although rsync dated the partial file 1970', () => {
    const partial = row({ newestMs: 0, takenAt: currentTime - 5 * minute });
    expect(ask(partial, grown(0))).toEqual({ kind: 'take', isRetry: false, grew: true });
    expect(ask({ ...partial, takenAt: currentTime - 11 * minute }, grown(0))).toEqual({
      kind: 'hold',
      why: 'changed',
    });
  });

  it('holds growth that is late, adds files, shrinks or follows a skip', () => {
    const held = { kind: 'hold', why: 'changed' };
    expect(ask(row(), grown(11 * minute))).toEqual(held);
    expect(ask(row(), grown(minute, { files: [...source.files, ...source.files] }))).toEqual(held);
    expect(ask(row(), grown(minute, { bytes: source.bytes - 1 }))).toEqual(held);
    expect(ask(row({ state: 'skipped' }), grown(minute))).toEqual(held);
    const leaves = { ...grown(minute), rule: { ...hold, whenChanged: 'leave' as const } };
    expect(ask(row(), leaves)).toEqual({ kind: 'leave', why: 'rule-leaves-changed' });
  });
});

describe('decide() for a source at the path of a moved one', () => {
  const moved = (more: Partial<LedgerEntry> = {}) => row({ movedTo: '/done/scan', ...more });
  const holds = { rule: { whenChanged: 'hold' } } as const;

  it.each([changed, rewritten])('takes different content at the path of a moved source', (other) => {
    expect(ask(moved(), { ...other, ...holds })).toEqual({ kind: 'take', isRetry: false });
    const failed = moved({ state: 'waits-for-change', error: errorOf('data-error') });
    expect(ask(failed, { ...other, ...holds })).toEqual({ kind: 'take', isRetry: false });
  });

  it('recognizes the same content at the path of a moved source after comparing it', () => {
    expect(ask(moved(), touched)).toEqual({ kind: 'known' });
    expect(ask(moved(), { ...touched, content: undefined })).toEqual({ kind: 'compare', rows: [moved()] });
    expect(ask(moved(), { content: undefined })).toEqual({ kind: 'known' });
  });

  it('recognizes incomparable content only by unchanged times', () => {
    expect(ask(moved(incomparable), { source: { ...source, digest: 'later' } })).toEqual({ kind: 'known' });
    expect(ask(moved(incomparable), touched)).toEqual({ kind: 'take', isRetry: false });
  });
});

describe('decide() by content', () => {
  const gone = { isThere: () => false };
  const original = row({ path: 'original' });

  it('compares content before it detects a rename', () => {
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

  it('detects which of several similar sources was renamed by its content', () => {
    const rows = ['a', 'b', 'c'].map((path) => row({ path, content: `bytes of ${path}` }));
    const decision = ask(undefined, { ...gone, sameIdentity: rows, content: 'bytes of b' });
    expect(decision).toEqual({ kind: 'renamed', previousPath: 'b' });
  });

  it('holds a possible rename if content can’t be compared', () => {
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

  it('compares content if only times or file marks differ', () => {
    for (const one of [touched.source, { ...source, digest: 'later' }])
      expect(ask(row(), { source: one, content: undefined })).toEqual({ kind: 'compare', rows: [row()] });
    expect(ask(row(), touched)).toEqual({ kind: 'touched' });
    expect(ask(row(), { source: { ...source, digest: 'later' } })).toEqual({ kind: 'known' });
  });

  it('detects a change of case on a case-insensitive disk as a rename', () => {
    const sameIdentity = [row({ path: 'Scan', content: 'others', identity: 'another' })];
    const spelled = { sameIdentity, isThere: () => 'other-case' as const };
    expect(ask(undefined, spelled)).toEqual({ kind: 'renamed', previousPath: 'Scan' });
    expect(ask(undefined, { ...spelled, isThere: () => true })).toEqual({ kind: 'take', isRetry: false });
  });
});

describe.each([
  ['has other content', changed],
  ['was rewritten', rewritten],
  ['was rewritten with the same time', { source: { ...source, digest: 'later' }, content: 'others' }],
  ['has more files', { source: { ...source, identity: 'another', bytes: source.bytes + 1 } }],
])('decide() for a source that %s', (_, more) => {
  it('leaves a changed source while its job runs', () => {
    expect(ask(row({ state: 'taken' }), more)).toEqual({ kind: 'leave', why: 'under-way' });
  });

  it.each(['complete', 'skipped'] as const)('takes a changed source if the rule allows it: %s', (state) => {
    expect(ask(row({ state }), more)).toEqual({ kind: 'take', isRetry: false });
    expect(ask(row({ state }), { ...more, rule: { whenChanged: 'leave' } })).toEqual({
      kind: 'leave',
      why: 'rule-leaves-changed',
    });
  });

  it.each(['complete', 'skipped'] as const)(
    'holds a changed source until the user decides, if the rule says so: %s',
    (state) => {
      const rule = { whenChanged: 'hold' } as const;
      expect(ask(row({ state }), { ...more, rule })).toEqual({ kind: 'hold', why: 'changed' });
      expect(ask(row({ state, standing: requested }), { ...more, rule })).toEqual({
        kind: 'take',
        isRetry: false,
      });
    },
  );

  it.each(['waits-for-change', 'waits-for-retry', 'waits-for-person'] as const)(
    'takes a changed source after a failure, whatever the rule: %s',
    (state) => {
      const rule = { whenChanged: 'leave' } as const;
      expect(ask(row({ state, retryAt: currentTime + day }), { ...more, rule })).toEqual({
        kind: 'take',
        isRetry: false,
      });
    },
  );
});

describe('decide() with any ledger row', () => {
  const anyRow = fc.record({
    state: fc.constantFrom(...rowStates),
    identity: fc.constantFrom(source.identity, 'another'),
    newestMs: fc.constantFrom(source.newestMs, source.newestMs + hour, source.newestMs + 1),
    retryAt: fc.option(fc.integer({ min: currentTime - 400 * day, max: currentTime + 400 * day })),
    movedTo: fc.option(fc.constant('/done/scan')),
    marks: fc.constantFrom(source.digest, 'earlier', null),
    content: fc.constantFrom('its bytes', 'others', unverifiable, null),
    uploadedAt: fc.constantFrom(5, null),
  });
  const anyContext = fc.record({
    content: fc.constantFrom('its bytes', undefined),
    isThere: fc.constantFrom(true, false, 'other-case' as const).map((there) => () => there),
  });
  const anyRule = fc.record({
    whenChanged: fc.constantFrom('hold', 'new-asset', 'leave'),
    unit: fc.constant({ kind: 'entries' }),
  } as const);

  it('never takes a source whose job is running', () => {
    fc.assert(
      fc.property(anyRow, anyRule, anyContext, (more, rule, context) => {
        const decision = ask(row({ ...more, state: 'taken' }), { ...context, rule });
        expect(['known', 'leave']).toContain(decision.kind);
      }),
    );
  });

  it('takes an unchanged source again only as a retry', () => {
    fc.assert(
      fc.property(anyRow, anyRule, (more, rule) => {
        const { identity, newestMs, digest: marks } = source;
        const same = row({ ...more, identity, newestMs, marks });
        const decision = ask(same, { rule });
        if (decision.kind === 'take') expect(same.state).toBe('waits-for-retry');
      }),
    );
  });

  it('never takes uploaded content again, nor equates different content', () => {
    fc.assert(
      fc.property(anyRow, anyRule, anyContext, fc.boolean(), (more, rule, context, isRenamed) => {
        const one = row({ ...more, ...(isRenamed ? { path: 'original' } : {}) });
        const rows = { entry: isRenamed ? undefined : one, sameIdentity: isRenamed ? [one] : [] };
        const decision = decide({ source, rule, currentTime, ...context, ...rows });
        const verdict = compare(context.content, one);
        const isOnePlace = context.isThere() === 'other-case';
        if (decision.kind === 'touched') expect(verdict).not.toBe('differs');
        if (decision.kind === 'renamed' && !isOnePlace) expect(verdict).not.toBe('differs');
        if (decision.kind === 'compare') expect(verdict).toBe('unknown');
        const isUploaded = one.state === 'complete' && verdict === 'same';
        if (isUploaded && !isRenamed) expect(['known', 'touched']).toContain(decision.kind);
      }),
    );
  });

  it('never delays a retry by more than 1.1 days', () => {
    fc.assert(
      fc.property(anyRow, (more) => {
        const decision = ask(row(more));
        if (decision.kind === 'later') expect(decision.retryAt - currentTime).toBeLessThanOrEqual(1.1 * day);
      }),
    );
  });
});

describe('decide() with a question to the user', () => {
  const asked = (why: 'changed' | 'restored') => ({ why, startedAt: currentTime }) as const;
  const newAsset = { kind: 'take', isRetry: false };

  it('holds a source until the user answers or the change is reverted', () => {
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

  it('holds sources after a restored backup until the user decides', () => {
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

  it('holds a source with findings, and creates no asset while its job can continue', () => {
    expect(ask(undefined, { heldFor: 'findings' })).toEqual({ kind: 'hold', why: 'findings' });
    const failed = row({ state: 'waits-for-retry', retryAt: currentTime });
    expect(ask(failed)).toEqual({ kind: 'take', isRetry: true });
    expect(ask(failed, { hasOwnJob: true })).toEqual({ kind: 'later', retryAt: currentTime });
  });
});
