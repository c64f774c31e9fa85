import { describe, expect, it } from 'vitest';
import { makeJob } from '../../../../../gallery/samples/sample-jobs.ts';
import { makeRule, makeSource, makeWatched } from '../../../../../gallery/samples/sample-watch.ts';
import type {
  BackgroundView,
  DryRun,
  DryRunLooked,
  JobView,
  RuleSnapshot,
  SourceSnapshot,
  WatchUnit,
} from '../../../../../preload/contract.ts';
import { formatWhen } from '../../../../../renderer/say.ts';
import { backgroundChoices } from '../../../../../renderer/screens/settings/drafts/background.ts';
import {
  afterWords,
  announceWatch,
  countWords,
  describeWatch,
  isSaidByState,
  makesWords,
  summarizeWatch,
} from '../../../../../renderer/state/watch/watch-card.ts';
import {
  type DryRunState,
  dryRunHeld,
  dryRunLooked,
  dryRunRest,
  dryRunRows,
  dryRunTitle,
  existingQuestion,
  saveWords,
} from '../../../../../renderer/state/watch/watch-dry-run.ts';
import {
  byReason,
  describeWatchSource,
  dryRunPath,
  sectionsOf,
} from '../../../../../renderer/state/watch/watch-sources.ts';
import { backgroundSwitches } from '../../../../../shared/background.ts';
import { noSources } from '../../../../../shared/watch.ts';
import type { Key } from '../../../../../strings/say.ts';

const now = new Date(2026, 10, 20, 14, 30).getTime();
const minute = 60_000;
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const rule = makeRule({ id: 'a', name: 'Drone landings', folder: '/srv/uav' });
const watched = (part: Partial<RuleSnapshot> = {}) => ({ ...makeWatched(rule), ...part });
const missing = { code: 'watch-folder-missing' as const, retryable: true };

it.each([
  [{ kind: 'entries' }, '3D_CAPTURE', 'Each folder or file → photogrammetry'],
  [{ kind: 'files', patterns: ['*.laz'] }, 'POINT_CLOUD', 'Each .laz file → point cloud'],
  [{ kind: 'files', patterns: ['*.las', '*.laz'] }, 'POINT_CLOUD', 'Each .las or .laz file → point cloud'],
  [{ kind: 'files', patterns: ['a/*.tif', '*.img'] }, 'MY_OWN', 'Each file matching a/*.tif… → MY_OWN'],
  [{ kind: 'whole-folder' }, 'CITYGML', 'Whole folder → CityGML'],
  [{ kind: 'batch' }, 'POINT_CLOUD', 'Everything that arrives together → point cloud'],
] satisfies [WatchUnit, string, string][])(
  'makesWords() describes %j of %s: %s',
  (unit, sourceType, words) => {
    expect(makesWords({ unit, sourceType })).toBe(words);
  },
);

it('makesWords() is followed by what happens to the sources', () => {
  const words = (success: string | null, failure: string | null) =>
    afterWords({
      afterSuccess: success === null ? { kind: 'leave' } : { kind: 'move', folder: success },
      afterFailure: failure === null ? { kind: 'leave' } : { kind: 'move', folder: failure },
    })
      .map(({ text, strong: isStrong }) => (isStrong ? `**${text}**` : text))
      .join('');
  expect(words(null, null)).toBe('left in place');
  expect(words('done', null)).toBe('then moved to **done**');
  expect(words('done', 'failed')).toBe('then moved to **done**, failed ones to **failed**');
  expect(words(null, 'failed')).toBe('left in place, failed ones to **failed**');
});

describe('describeWatch()', () => {
  const words = (view: RuleSnapshot, missing: string | null = null) => describeWatch(view, missing, now).word;

  it('describeWatch() names the state in a word', () => {
    expect(words(watched())).toBe('Watching');
    expect(words(watched({ state: 'looking' }))).toBe('Scanning…');
    expect(words(watched({ state: 'paused' }))).toBe('Paused');
    expect(words(watched({ state: 'standing-by' }))).toBe('Standing by');
    const readyWhen = { kind: 'marker', name: '_ready' } as const;
    expect(words({ ...watched(), rule: { ...rule, unit: { kind: 'whole-folder' }, readyWhen } })).toBe(
      'Waiting for _ready',
    );
    expect(words(watched(), 'Crew')).toBe('Waiting for account Crew');
  });

  it('describeWatch() is not green with failures', () => {
    expect(describeWatch(watched(), null, now).tone).toBe('complete');
    const failingRule = { ...watched(), counts: { ...watched().counts, failed: 3 } };
    expect(describeWatch(failingRule, null, now)).toMatchObject({
      word: 'Watching, with failures',
      tone: 'error',
    });
  });

  it('describeWatch() names a missing drive and says that it resumes automatically', () => {
    const awayRule = watched({ state: 'suspended', notice: missing });
    expect(describeWatch(awayRule, null, now)).toEqual({
      word: 'Drive not connected',
      tone: 'waiting',
      detail: 'resumes when it is back',
    });
    expect(isSaidByState(awayRule)).toBe(true);
    expect(isSaidByState(watched({ notice: { ...missing, code: 'watch-limit-reached' } }))).toBe(false);
    expect(
      words(watched({ state: 'suspended', notice: { ...missing, code: 'watch-folder-unreadable' } })),
    ).toBe('Folder can’t be read');
  });

  it('describeWatch() names the time of the last upload', () => {
    expect(describeWatch(watched({ lastTakenAt: now - 42 * minute }), null, now).detail).toBe(
      'last picked up 13:48',
    );
    expect(describeWatch(watched(), null, now).detail).toBe('nothing picked up yet');
  });

  it('describeWatch() omits zero counts', () => {
    const counts = { ...noSources, settling: 1, underWay: 2, complete: 1214, failed: 3 };
    expect(countWords({ counts }).map(({ text }) => plain(text))).toEqual([
      '1 waiting',
      '2 under way',
      '3 failed',
      '1,214 done',
    ]);
    expect(plain(summarizeWatch([watched({ counts }), watched({ counts })]))).toBe(
      '2 folders · 6 failed · 4 under way · 2 waiting',
    );
    expect(summarizeWatch([])).toBe('');
  });
});

describe('announceWatch()', () => {
  const counts = watched().counts;

  it('announceWatch() announces ends and stops, not every step', () => {
    expect(announceWatch([watched()], [watched({ counts: { ...counts, settling: 4, underWay: 1 } })])).toBe(
      '',
    );
    expect(
      plain(announceWatch([watched()], [watched({ counts: { ...counts, complete: 2, failed: 1 } })])),
    ).toBe('Drone landings: 2 sources complete, 1 source failed.');
  });

  it('announceWatch() announces a drive that disconnects and reconnects', () => {
    const awayRule = watched({ state: 'suspended', notice: missing });
    expect(announceWatch([watched()], [awayRule])).toBe('Drone landings: Drive not connected.');
    expect(announceWatch([awayRule], [watched({ state: 'looking' })])).toBe(
      'Drone landings: Watching again.',
    );
  });

  it('announceWatch() is silent for new and removed rules', () => {
    expect(announceWatch([], [watched({ counts: { ...counts, complete: 9 } })])).toBe('');
    expect(announceWatch([watched()], [])).toBe('');
  });
});

describe('sources of a rule', () => {
  const source = (state: Parameters<typeof makeSource>[0]['state'], at: number, path = `${state}-${at}`) =>
    makeSource({ path, state, why: [], at });

  it('sources of a rule are grouped, the latest first and active before waiting ones', () => {
    const sections = sectionsOf([
      source('complete', 1),
      source('settling', 9),
      source('complete', 5),
      source('under-way', 2),
      source('failed', 3),
      source('held', 7),
      source('waiting', 4),
      source('skipped', 6),
    ]);
    expect(sections.map(({ section, sources }) => [section, ...sources.map(({ path }) => path)])).toEqual([
      ['held', 'held-7'],
      ['now', 'under-way-2', 'waiting-4', 'settling-9'],
      ['failed', 'failed-3'],
      ['done', 'complete-5', 'complete-1'],
      ['left', 'skipped-6'],
    ]);
    expect(sectionsOf([])).toEqual([]);
  });

  it('sources of a rule with the same reason share one line, the others keep theirs', () => {
    const because = (path: string, code: 'source-empty' | 'source-missing') =>
      makeSource({
        path,
        state: 'failed',
        why: [{ key: 'general.givenPlace' }],
        error: { code, retryable: false },
        at: 1,
      });
    const failedSources = [
      because('a', 'source-empty'),
      because('b', 'source-missing'),
      because('c', 'source-empty'),
    ];
    const groups = byReason([...failedSources, source('complete', 1)]);
    expect(groups.map(({ common, sources }) => [common?.path, ...sources.map(({ path }) => path)])).toEqual([
      ['a', 'a', 'c'],
      [undefined, 'b', 'complete-1'],
    ]);
    expect(byReason([])).toEqual([]);
  });

  const describedSource = (
    state: SourceSnapshot['state'],
    key: Key,
    part: Partial<SourceSnapshot> = {},
    job?: JobView,
  ) => {
    const foundSource = makeSource({ path: 'Kai_3', state, why: [{ key }], at: now, ...part });
    const { word, detail, ...words } = describeWatchSource(foundSource, '/srv/fme/ortho', job, now);
    return { ...words, word: plain(word), detail: plain(detail) };
  };

  it('sources of a rule say why they settle or wait', () => {
    const values = { time: { duration: 4_000 }, of: { duration: 10_000 } };
    const why = [{ key: 'sources.why.quiet', values }] as const;
    expect(describedSource('settling', 'sources.why.quiet', { why, files: 312, bytes: 4.1e9 }).detail).toBe(
      'Stable for 4 s of 10 s · 312 files · 4.1 GB',
    );
    expect(describedSource('waiting', 'sources.why.turn')).toMatchObject({
      word: 'Waiting',
      detail: 'Waiting for its turn',
    });
  });

  it('sources of a rule name links that are not followed in any state', () => {
    expect(describedSource('waiting', 'sources.why.turn', { links: 2 }).detail).toBe(
      'Waiting for its turn · 2 links not followed',
    );
    expect(describedSource('complete', 'sources.why.complete', { links: 2 }).detail).toMatch(
      / · 2 links not followed$/,
    );
  });

  it('sources of a rule show the progress of their job', () => {
    const sourceUnderWay = (job?: Partial<JobView> & Pick<JobView, 'status'>) =>
      describedSource(
        'under-way',
        'sources.why.prepared',
        { jobId: 'j' },
        job && makeJob({ id: 'j', createdAt: now, ...job }),
      );
    expect(sourceUnderWay({ status: 'uploading', bytesTotal: 100, bytesDone: 63 })).toMatchObject({
      word: 'Uploading · 63 %',
      fraction: 0.63,
    });
    expect(sourceUnderWay({ status: 'tiling', percentComplete: 40 }).fraction).toBe(0.4);
    expect(sourceUnderWay()).toMatchObject({ word: 'Under way', detail: 'Being prepared', fraction: null });
  });

  it('sources of a rule say where they were moved, and mention completion once', () => {
    const oneFile = { files: 1, bytes: 0 };
    expect(describedSource('complete', 'sources.why.complete', { ...oneFile, movedTo: 'done' }).detail).toBe(
      '1 file · 0 bytes · moved to done',
    );
    expect(describedSource('complete', 'sources.why.complete', oneFile).detail).toBe('1 file · 0 bytes');
  });

  it('sources of a rule are named by file count and time when they arrived together', () => {
    const takenAt = now - 24 * 60 * minute;
    const delivery = { path: './batch-7', takenAt, files: 14, bytes: 3e9 };
    expect(describedSource('complete', 'sources.why.complete', delivery)).toMatchObject({
      name: `14 files from ${formatWhen(takenAt, now)}`,
      detail: '3.0 GB',
    });
    expect(dryRunPath({ path: './batch-1', name: 'altona 001' }, 'altona')).toBe('');
  });

  it('sources of a rule are named like the folder when they are all of it', () => {
    expect(describedSource('settling', 'sources.why.turn', { path: '.' }).name).toBe('ortho');
  });
});

describe('a dry run', () => {
  const run = (wouldBeTaken: number, knownCount: number, listedCount = wouldBeTaken): DryRun => ({
    sources: Array.from({ length: listedCount }, (_, index) => ({
      path: `${index}`,
      name: `${index}`,
      files: 1,
      bytes: 1,
      outcome: 'would-be-taken',
    })),
    wouldBeTaken,
    known: knownCount,
  });

  it('a dry run announces a comparison before calling files known', () => {
    const comparedRun = { ...run(0, 0), compared: 3 };
    expect(plain(dryRunTitle(comparedRun, null))).toBe(
      '3 sources will first be compared with what was uploaded',
    );
    expect(plain(dryRunRest({ ...run(2, 1), compared: 3 }, 2))).toBe(
      '1 was picked up before or skipped · 3 will first be compared with what was uploaded',
    );
  });

  const foundRun = (wouldBeTaken: number): DryRunState => ({
    kind: 'found',
    run: run(wouldBeTaken, 0),
    inspection: null,
  });

  it('a dry run announces what would become assets', () => {
    expect(dryRunTitle(run(7, 0), null)).toBe('These 7 sources would become assets now');
    expect(dryRunTitle(run(1, 3), null)).toBe('This source would become an asset now');
    expect(dryRunTitle(run(0, 3), null)).toBe('Nothing new in this folder');
    expect(dryRunTitle(run(0, 0), null)).toBe('This folder is empty');
  });

  it('a dry run counts unlisted sources', () => {
    expect(dryRunRest(run(1412, 1, 300), 300)).toBe(
      'and 1,112 more\u00a0· 1 was picked up before or skipped',
    );
    expect(dryRunRest(run(7, 0), 7)).toBe('');
  });

  const inspectionOf = (part: Partial<DryRunLooked>): DryRunLooked => ({
    ...{ looked: 7, total: 7, isOver: true, heldCount: 0, held: [] },
    ...part,
  });

  it('a dry run counts checked and held sources', () => {
    expect(dryRunLooked(null)).toBe('');
    expect(dryRunLooked(inspectionOf({ looked: 120, total: 1412, isOver: false }))).toBe(
      'Checking files: 120 of 1,412 sources',
    );
    expect(dryRunLooked(inspectionOf({ looked: 120, total: 1412, heldCount: 3 }))).toBe(
      '120 of 1,412 sources checked',
    );
    expect(dryRunLooked(inspectionOf({ looked: 1, total: 1 }))).toBe('1 of 1 source checked');
  });

  it('a dry run lists held sources first', () => {
    const why = [{ key: 'sources.why.complete' as const }];
    const heldSources = ['1', '40'].map((path) => ({ path, name: path, files: 1, bytes: 1, why }));
    const rows = dryRunRows(run(1412, 0, 300), inspectionOf({ heldCount: 2, held: heldSources }), 3);
    expect(rows.map((row) => [row.path, row.why.length])).toEqual([
      ['1', 1],
      ['40', 1],
      ['0', 0],
    ]);
    expect(dryRunRows(run(2, 0), null, 60).map(({ path }) => path)).toEqual(['0', '1']);
  });

  it('a dry run asks about an edited rule only when existing files are affected, leaving them by default', () => {
    const edited = { ...run(7, 0), newlyTaken: 3 };
    expect(existingQuestion(false, edited, null, false)).toEqual({
      about: 'With these changes, 3 sources already in the folder count as new.',
      take: 'Upload all 3',
      leave: 'Leave them as they are',
    });
    expect(existingQuestion(false, { ...edited, newlyTaken: 0 }, null, false)).toBeNull();
    expect(existingQuestion(false, null, null, true)).toBeNull();
    expect(saveWords(false, true, { kind: 'found', run: edited, inspection: null })).toBe(
      'Save and upload 3',
    );
    expect(saveWords(false, false, { kind: 'found', run: edited, inspection: null })).toBe('Save');
  });

  it('a dry run asks about a new rule before its inspection ends', () => {
    expect(existingQuestion(true, null, null, true)).toMatchObject({ take: 'Upload existing data' });
    expect(existingQuestion(true, run(7, 0), null, false)).toMatchObject({ take: 'Upload all 7' });
    expect(existingQuestion(true, run(0, 7), null, false)).toBeNull();
    expect(existingQuestion(true, null, null, false)).toBeNull();
  });

  it('a dry run counts assets and held sources, by kind and by content', () => {
    const why = [{ key: 'sources.why.complete' as const }];
    const runOfKind = (total: number, heldCount: number): DryRun => {
      const { sources, ...otherFields } = run(total, 0);
      return {
        ...otherFields,
        sources: sources.map((item, at) => (at < heldCount ? { ...item, held: why } : item)),
      };
    };
    const inFiles = (...paths: readonly string[]) =>
      inspectionOf({
        heldCount: paths.length,
        held: paths.map((path) => ({ path, name: path, files: 1, bytes: 1, why })),
      });
    const words = (isNew: boolean, dryRun: DryRun, inspection: DryRunLooked | null) => [
      dryRunTitle(dryRun, inspection),
      existingQuestion(isNew, dryRun, inspection, false)?.take,
      saveWords(isNew, true, { kind: 'found', run: dryRun, inspection }),
    ];
    expect(words(true, runOfKind(7, 2), null)).toEqual([
      '5 of these 7 sources would become assets now',
      'Upload 5, hold 2 until you confirm',
      'Watch and upload 5',
    ]);
    expect(plain(dryRunHeld(runOfKind(7, 2), null))).toBe('2 will be held, for the reasons below');
    expect(dryRunHeld(runOfKind(7, 7), null)).toBe('');
    // One is held for both reasons.
    expect(words(true, runOfKind(7, 2), inFiles('1', '5'))[0]).toBe(
      '4 of these 7 sources would become assets now',
    );
    expect(words(true, runOfKind(2, 1), null)[0]).toBe('1 of these 2 sources would become an asset now');
    expect(words(true, runOfKind(7, 0), inFiles('0', '1', '2', '3', '4', '5', '6'))).toEqual([
      'All 7 sources would be held',
      'Hold all 7 until you confirm',
      'Watch',
    ]);
    expect(words(true, runOfKind(1, 1), null)).toEqual([
      'This source would be held',
      'Hold it until you confirm',
      'Watch',
    ]);
    const changed = { ...runOfKind(7, 3), newlyTaken: 2, newlyHeld: 1 };
    expect(words(false, changed, null).slice(1)).toEqual([
      'Upload 1, hold 1 until you confirm',
      'Save and upload 1',
    ]);
    expect(words(false, changed, inspectionOf({ heldCount: 4, newlyHeld: 2 })).slice(1)).toEqual([
      'Hold all 2 until you confirm',
      'Save',
    ]);
    expect(words(false, { ...runOfKind(7, 3), newlyTaken: 2 }, null)[2]).toBe('Save and upload 2');
  });

  it.each<[boolean, boolean, DryRunState, string]>([
    [false, true, foundRun(7), 'Save'],
    [true, true, foundRun(7), 'Watch and upload 7'],
    [true, false, foundRun(7), 'Watch for new data'],
    [true, true, foundRun(0), 'Watch'],
    [true, true, { kind: 'looking', previous: run(7, 0) }, 'Watch and upload existing data'],
    [true, true, { kind: 'none' }, 'Watch'],
  ])('a dry run labels the save button (new: %s, with existing data: %s)', (isNew, isTaken, state, label) => {
    expect(saveWords(isNew, isTaken, state)).toBe(label);
  });
});

describe('backgroundChoices()', () => {
  const view = {
    startAtLogin: false,
    canStartAtLogin: false,
    keepRunning: true,
    withoutWindow: 'stays' as const,
    ...backgroundSwitches,
  };

  it('backgroundChoices() explains why one is unavailable', () => {
    const [login, ...otherChoices] = backgroundChoices(view, 'linux');
    expect(login).toMatchObject({ key: 'startAtLogin', canChange: false });
    expect(login?.detail).toContain('--background');
    expect(otherChoices.every(({ canChange }) => canChange)).toBe(true);
  });

  it('backgroundChoices() says what closing the window does at the moment', () => {
    const detailOf = (withoutWindow: BackgroundView['withoutWindow'], platform: 'linux' | 'darwin') =>
      backgroundChoices({ ...view, keepRunning: withoutWindow === 'stays', withoutWindow }, platform)[1];
    expect(detailOf('stays', 'linux')?.detail).toContain('tray');
    expect(detailOf('quits', 'linux')?.detail).toContain('quits Tilelift');
    expect(detailOf('stays-for-uploads', 'linux')?.detail).toContain(
      'until the current uploads are complete',
    );
    expect(detailOf('stays', 'darwin')).toMatchObject({ on: true, canChange: false });
  });
});
