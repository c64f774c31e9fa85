import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRule, makeSource, makeWatched } from '../../../../../gallery/samples/sample-watch.ts';
import type { DryRun, RuleSnapshot, WatchUnit } from '../../../../../preload/contract.ts';
import { speak } from '../../../../../renderer/say.ts';
import {
  afterWords,
  announceWatch,
  countWords,
  describeWatch,
  makesWords,
  summarizeWatch,
} from '../../../../../renderer/state/watch/watch-card.ts';
import { newWatchDraft, type WatchDraft } from '../../../../../renderer/state/watch/watch-draft.ts';
import { dryRunRest, dryRunTitle, saveWords } from '../../../../../renderer/state/watch/watch-dry-run.ts';
import { watchProblems } from '../../../../../renderer/state/watch/watch-problems.ts';
import { describeWatchSource, sectionTitle } from '../../../../../renderer/state/watch/watch-sources.ts';

const now = new Date(2026, 10, 20, 14, 30).getTime();
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const rule = makeRule({ id: 'a', name: 'Drohne', folder: '/srv/uav' });
const watched = (part: Partial<RuleSnapshot> = {}) => ({ ...makeWatched(rule), ...part });
const nothing = watched().counts;

beforeEach(() => speak({ language: 'de', locale: 'de-DE' }));
afterEach(() => speak({ language: 'en', locale: 'en-GB' }));

describe('the card of a watched folder in German', () => {
  it.each([
    [{ kind: 'files', patterns: ['*.laz'] }, 'Jede Datei (.laz) → '],
    [{ kind: 'files', patterns: ['*.las', '*.laz', '*.e57'] }, 'Jede Datei (.las, .laz oder .e57) → '],
    [{ kind: 'files', patterns: ['a/*.tif', '*.img'] }, 'Jede Datei wie a/*.tif … → '],
    [{ kind: 'trigger', file: '_ready' }, 'Ganzer Ordner → '],
    [{ kind: 'batch' }, 'Alles, was zusammen ankommt → '],
  ] satisfies [WatchUnit, string][])('describes %j: %s', (unit, words) => {
    expect(plain(makesWords({ unit, sourceType: 'MY_OWN' }))).toBe(`${words}MY_OWN`);
  });

  it('keeps capital letters of nouns', () => {
    expect(makesWords({ unit: { kind: 'entries' }, sourceType: 'POINT_CLOUD' })).toMatch(/→ P/);
  });

  it('describes what happens to sources in German order', () => {
    const words = afterWords({
      afterSuccess: { kind: 'move', folder: 'fertig' },
      afterFailure: { kind: 'move', folder: '**neu**' },
    });
    expect(words.map(({ text, strong }) => (strong ? `<${text}>` : text)).join('')).toBe(
      'dann nach <fertig>, Fehlgeschlagenes nach <**neu**>',
    );
  });

  it('inflects verbs by number', () => {
    const words = (counts: Partial<RuleSnapshot['counts']>) =>
      countWords({ counts: { ...nothing, ...counts } }).map(({ text }) => plain(text));
    expect(words({ settling: 1, waiting: 1, underWay: 1 })).toEqual(['2 warten', '1 läuft']);
    expect(words({ settling: 2, waiting: 3, underWay: 4, complete: 1214 })).toEqual([
      '5 warten',
      '4 laufen',
      '1.214 fertig',
    ]);
    const counts = { ...nothing, underWay: 1 };
    expect(plain(summarizeWatch([watched({ counts })]))).toBe('1 Ordner · 1 läuft');
  });

  it('names the time of the last upload', () => {
    const at = new Date(2026, 10, 20, 13, 48).getTime();
    expect(describeWatch(watched({ lastTakenAt: at }), null, now).detail).toBe('zuletzt 13:48');
  });

  it('announces one source and several', () => {
    const after = watched({ counts: { ...nothing, complete: 2, failed: 1 } });
    expect(plain(announceWatch([watched()], [after]))).toBe(
      'Drohne: 2 Quellen fertig, 1 Quelle fehlgeschlagen.',
    );
  });
});

describe('sources of a rule in German', () => {
  it('mention completion once', () => {
    const done = (movedTo?: string) =>
      describeWatchSource(
        {
          ...makeSource({
            path: 'Kai_3',
            state: 'complete',
            why: [{ key: 'sources.why.complete' }],
            at: now,
          }),
          ...(movedTo === undefined ? {} : { movedTo }),
        },
        '/srv',
        undefined,
        now,
      ).detail;
    expect(done('done')).toMatch(/ · nach done verschoben$/);
    expect(done()).not.toContain('Fertig');
  });

  it('have German headings', () => {
    expect((['now', 'failed', 'done', 'left'] as const).map(sectionTitle)).toEqual([
      'Jetzt',
      'Fehlgeschlagen',
      'Fertig',
      'Übersprungen',
    ]);
  });
});

describe('the rule editor in German', () => {
  const run = (wouldBeTaken: number, known = 0) => ({ sources: [], wouldBeTaken, known });
  const draft: WatchDraft = {
    ...newWatchDraft('a', 'account'),
    folder: '/srv/uav',
    unit: 'files',
    patterns: '*.laz',
    ignore: '[a',
    success: { kind: 'move', folder: 'fertig' },
    failure: { kind: 'move', folder: 'fertig 2' },
  };

  it('announces how many sources would become assets', () => {
    expect(dryRunTitle(run(1), null)).toBe('Diese Quelle würde jetzt zum Asset');
    expect(dryRunTitle(run(1412), null)).toBe('Diese 1.412 Quellen würden jetzt zu Assets');
    expect(dryRunRest(run(1412, 2), 0)).toBe('und 1.412 weitere · 2 schon übernommen oder übersprungen');
    expect(saveWords(true, true, { kind: 'found', run: run(1412), inspection: null })).toBe(
      'Überwachen und 1.412 hochladen',
    );
  });

  it('announces how many are held', () => {
    const why = [{ key: 'sources.why.complete' as const }];
    const held = (total: number, count: number): DryRun => ({
      ...run(total),
      sources: Array.from({ length: count }, (_, at) => ({
        ...{ path: `${at}`, name: `${at}`, files: 1, bytes: 1, outcome: 'would-be-taken' as const },
        held: why,
      })),
    });
    expect(dryRunTitle(held(7, 6), null)).toBe('1 dieser 7 Quellen würde jetzt zum Asset');
    expect(dryRunTitle(held(7, 2), null)).toBe('5 dieser 7 Quellen würden jetzt zu Assets');
    expect(dryRunTitle(held(1, 1), null)).toBe('Diese Quelle würde zurückgehalten');
    expect(saveWords(true, true, { kind: 'found', run: held(7, 7), inspection: null })).toBe('Überwachen');
  });

  it('names tokens as typed', () => {
    expect(watchProblems({ ...draft, namePattern: '{nane}' }).get('namePattern')).toBe(
      '{nane} ist kein gültiger Platzhalter. Verwenden Sie {name}, {parent}, {path}, {date} oder {counter}.',
    );
  });
});
