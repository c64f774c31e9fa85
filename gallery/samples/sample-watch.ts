import type {
  DryRun,
  DryRunLooked,
  ErrorRecord,
  HistoryEntry,
  JobView,
  Result,
  RuleSnapshot,
  SourceSnapshot,
  WatchRule,
} from '../../preload/contract.ts';
import { noSources } from '../../shared/watch.ts';
import type { Phrase, Said } from '../../strings/phrase.ts';
import { errorPhrase } from '../../strings/said-error.ts';
import { error, jobsBefore, sentJob } from './sample-jobs.ts';

const minute = 60_000;

export interface WatchScene {
  readonly folders: readonly RuleSnapshot[];
  readonly sources: ReadonlyMap<string, readonly SourceSnapshot[]>;
  readonly activity: readonly HistoryEntry[];
  readonly dryRun: Result<DryRun>;
  readonly inspection: DryRunLooked | null;
  readonly error: ErrorRecord | null;
}

const foundInTest: Said = {
  key: 'sources.held.found',
  values: { what: { key: 'findings.cut-off.title', values: { count: 1 } }, names: 'DJI_0101.JPG' },
};

/** City models under a photogrammetry rule. */
export const otherKind: Said = {
  key: 'sources.held.found',
  values: {
    what: {
      key: 'findings.rule-kind.title',
      values: {
        found: { key: 'kinds.source.CITYGML' },
        wanted: { key: 'kinds.source.3D_CAPTURE' },
        count: 9,
      },
    },
    names: { names: ['campus_a.gml', 'campus_b.gml', 'campus_c.gml'], more: 6 },
  },
};

const dryRun: DryRun = {
  sources: [
    ['2026-11-20_Deponie_West', 312, 4.1e9],
    ['2026-11-20_Hafen_Sued', 1284, 18.6e9],
    ['2026-11-19_Kai_3', 640, 9.2e9],
    ['2026-11-18_Kontorhaus_Nordfassade_mit_einem_recht_langen_Namen', 88, 1.1e9],
    ['2026-11-18_Test', 2, 31e6],
    ['2026-11-17_Talsperre', 20_210, 212e9],
    ['2026-11-16_Campus', 9, 9.1e6],
  ].map(([path, files, bytes]) => ({
    path: String(path),
    name: `${path}`,
    files: Number(files),
    bytes: Number(bytes),
    outcome: 'would-be-taken',
    ...(path === '2026-11-16_Campus' ? { sourceType: 'CITYGML', held: [otherKind] } : {}),
  })),
  ...{ wouldBeTaken: 7, wouldBeHeld: 1 },
  known: 2,
};

const inspectedSources: DryRunLooked = {
  ...{ looked: 7, total: 7, isOver: true, heldCount: 2 },
  held: [
    { path: '2026-11-18_Test', name: '2026-11-18_Test', files: 2, bytes: 31e6, why: [foundInTest] },
    { path: '2026-11-16_Campus', name: '2026-11-16_Campus', files: 9, bytes: 9.1e6, why: [otherKind] },
  ],
};

export const noWatch: WatchScene = {
  folders: [],
  sources: new Map(),
  activity: [],
  dryRun: { ok: true, value: dryRun },
  inspection: inspectedSources,
  error: null,
};

/** A default rule with these changes. */
export function makeRule(part: Partial<WatchRule> & Pick<WatchRule, 'id' | 'name' | 'folder'>): WatchRule {
  return {
    accountId: 'account',
    unit: { kind: 'entries' },
    readyWhen: { kind: 'settled' },
    checksums: 'verify',
    hold: 'will-fail',
    assetType: '3DTILES',
    sourceType: '3D_CAPTURE',
    kindFrom: 'rule',
    clampToTerrain: false,
    baseTerrainId: null,
    options: '{}',
    namePattern: '{name}',
    description: '',
    ignore: [],
    settleSeconds: null,
    whenChanged: 'hold',
    afterSuccess: { kind: 'leave' },
    afterFailure: { kind: 'leave' },
    whenTooLong: 'hold',
    whenExpired: 'wait',
    cloudFiles: 'leave',
    mountMarker: null,
    shared: false,
    alerts: { failed: false, waitingHours: null, silentDays: null, signedOut: false },
    receiptFile: { kind: 'none' },
    on: true,
    ...part,
  };
}

export function makeWatched(
  rule: WatchRule,
  part: Partial<Omit<RuleSnapshot, 'rule' | 'counts'>> = {},
  counts: Partial<RuleSnapshot['counts']> = {},
): RuleSnapshot {
  return {
    rule,
    state: 'watching',
    notice: null,
    question: null,
    isNetworkDrive: false,
    lastTakenAt: null,
    waitingSince: null,
    lastLookAt: null,
    ...part,
    counts: { ...noSources, ...counts },
  };
}

export function makeSource(
  part: Partial<SourceSnapshot> & Pick<SourceSnapshot, 'path' | 'state' | 'why' | 'at'>,
): SourceSnapshot {
  return {
    ruleId: 'drone',
    files: 640,
    bytes: 9.2e9,
    jobId: null,
    assetId: null,
    error: null,
    actions: [],
    ...part,
  };
}

export function watchJobs(nowMs: number): readonly JobView[] {
  const job = jobsBefore(nowMs);
  return [
    job('watch-harbour', 'uploading', 3, '2026-11-20_Hafen_Sued', {
      sourceType: '3D_CAPTURE',
      paths: ['\\\\nas02\\uav\\incoming\\2026-11-20_Hafen_Sued'],
      ...sentJob(1284, 18.6e9, 1784, 11.7e9, 1121),
      bytesPerSecond: 41.8e6,
      secondsLeft: 167,
      partsOnWire: 8,
      credentialsEndAt: nowMs + 51 * minute,
      assetId: 2481931,
      actions: ['pause', 'cancel'],
    }),
  ];
}

function droneSources(nowMs: number): readonly SourceSnapshot[] {
  const source = (
    path: string,
    state: SourceSnapshot['state'],
    minutes: number,
    why: Phrase,
    part: Partial<SourceSnapshot> = {},
  ) => makeSource({ path, state, why: [why], at: nowMs - minutes * minute, ...part });
  const noPosition = error('data-error', null, {
    message: '2 images have no position: DJI_0041.JPG, DJI_0042.JPG',
  });
  const refusedError = error('storage-unreachable', 's3.example.com');
  return [
    source(
      '2026-11-20_Deponie_West',
      'settling',
      1,
      { key: 'sources.why.quiet', values: { time: { duration: 4_000 }, of: { duration: 10_000 } } },
      { files: 312, bytes: 4.1e9, actions: ['take-now'] },
    ),
    source(
      '2026-11-20_Hafen_Sued',
      'under-way',
      3,
      { key: 'sources.why.uploading', values: { percent: 62 } },
      { files: 1284, bytes: 18.6e9, jobId: 'watch-harbour', assetId: 2481931 },
    ),
    source('2026-11-20_Kontorhaus_Nordfassade_mit_einem_recht_langen_Namen', 'waiting', 2, {
      key: 'sources.why.turn',
    }),
    source(
      '2026-11-20_Speicherstadt',
      'waiting',
      8,
      { key: 'sources.why.retryIn', values: { why: errorPhrase(refusedError), time: { duration: 130_000 } } },
      { error: refusedError, actions: ['try-again'] },
    ),
    source(
      '2026-11-18_Test',
      'failed',
      2600,
      { key: 'sources.why.change', values: { why: errorPhrase(noPosition) } },
      { files: 2, bytes: 31e6, assetId: 2481402, error: noPosition, actions: ['try-again', 'dismiss'] },
    ),
    source(
      '2026-11-19_Kai_3',
      'complete',
      42,
      { key: 'sources.why.complete' },
      { movedTo: 'done', assetId: 2481890 },
    ),
    source(
      '2026-11-17_Talsperre',
      'complete',
      4000,
      { key: 'sources.why.complete' },
      { movedTo: 'done', files: 20_210, bytes: 212e9, assetId: 2480012 },
    ),
    source('archive', 'skipped', 9000, { key: 'sources.why.unwanted' }, { actions: ['try-again'] }),
  ];
}

function activity(nowMs: number): readonly HistoryEntry[] {
  const [harbour, quay, test] = ['2026-11-20_Hafen_Sued', '2026-11-19_Kai_3', '2026-11-18_Test'];
  const describedSource = { name: harbour, files: 1_284, size: { bytes: 18.6e9 } };
  const why: Phrase = { key: 'errors.data-error.message', values: { subject: test } };
  const lines: readonly (readonly Said[])[] = [
    [{ key: 'sources.tookIt', values: { source: { key: 'sources.described', values: describedSource } } }],
    [
      { key: 'sources.complete', values: { name: quay, id: '2481890' } },
      { key: 'sources.moved', values: { name: quay, place: `done/${quay}` } },
    ],
    [{ key: 'sources.folderBack' }],
    [{ key: 'sources.folderAway' }],
    [
      {
        key: 'sources.failedSaying',
        values: { name: test, why, remote: '2 images have no position: DJI_0041.JPG, DJI_0042.JPG' },
      },
      { key: 'sources.waitsForChange' },
    ],
    [{ key: 'sources.ruleMade' }],
  ];
  return lines.map((phrases, index) => ({ at: nowMs - index * 47 * minute, said: phrases }));
}

export function sampleWatch(nowMs: number, accountId: string): WatchScene {
  const drone = makeRule({
    id: 'drone',
    name: 'Drone landings',
    folder: '\\\\nas02\\uav\\incoming',
    accountId,
    afterSuccess: { kind: 'move', folder: 'done' },
    shared: true,
  });
  const scanner = makeRule({
    id: 'scanner',
    name: 'Scanner export',
    folder: 'D:\\Scans\\laz',
    accountId,
    unit: { kind: 'files', patterns: ['*.las', '*.laz'] },
    sourceType: 'POINT_CLOUD',
    options: '{"inputCrs":"EPSG:25833"}',
  });
  const ortho = makeRule({
    id: 'ortho',
    name: 'Orthophotos from FME',
    folder: '/srv/fme/out/ortho',
    accountId,
    unit: { kind: 'whole-folder' },
    readyWhen: { kind: 'marker', name: '_ready' },
    assetType: 'IMAGERY',
    sourceType: 'RASTER_IMAGERY',
    namePattern: '{name} {date}',
    afterSuccess: { kind: 'move', folder: '/srv/fme/archive' },
    afterFailure: { kind: 'move', folder: 'failed' },
  });
  const usb = makeRule({
    id: 'usb',
    name: 'USB handover',
    folder: 'E:\\Lieferung',
    accountId,
    assetType: 'TERRAIN',
    sourceType: 'RASTER_TERRAIN',
  });
  return {
    ...noWatch,
    folders: [
      makeWatched(
        drone,
        { isNetworkDrive: true, lastTakenAt: nowMs - 3 * minute },
        { settling: 1, waiting: 2, underWay: 1, complete: 2, failed: 1 },
      ),
      makeWatched(scanner, { lastTakenAt: nowMs - 26 * 60 * minute }, { complete: 214 }),
      makeWatched(ortho, { lastTakenAt: nowMs - 4 * 24 * 60 * minute }, { complete: 31 }),
      makeWatched(usb, { state: 'suspended', notice: error('watch-folder-missing', 'E:\\Lieferung') }),
    ],
    sources: new Map([['drone', droneSources(nowMs)]]),
    activity: activity(nowMs),
  };
}

/** The scene with other counts and sources of its first folder. */
export function withDrone(
  scene: WatchScene,
  counts: Partial<RuleSnapshot['counts']>,
  sources: readonly SourceSnapshot[],
  part: Partial<RuleSnapshot> = {},
): WatchScene {
  const folders = scene.folders.map((view, index) =>
    index === 0 ? { ...view, ...part, counts: { ...view.counts, ...counts } } : view,
  );
  return { ...scene, folders, sources: new Map([['drone', sources]]) };
}

/** A folder in every inactive state. */
export function suspendedWatch(nowMs: number, accountId: string): WatchScene {
  const scene = sampleWatch(nowMs, accountId);
  const [drone, scanner, ortho, usb] = scene.folders;
  if (!drone || !scanner || !ortho || !usb) return scene;
  return {
    ...scene,
    folders: [
      usb,
      { ...drone, notice: error('watch-events-missing', '\\\\nas02\\uav\\incoming') },
      {
        ...scanner,
        state: 'paused',
        rule: { ...scanner.rule, on: false },
        notice: error('watch-ledger-lost', 'D:\\Scans\\laz'),
      },
      { ...ortho, state: 'suspended', notice: error('watch-folder-unreadable', '/srv/fme/out/ortho') },
      makeWatched(makeRule({ ...drone.rule, id: 'shared', name: 'Shared landings', shared: true }), {
        state: 'standing-by',
        notice: error('watch-standing-by', 'office-2'),
      }),
      makeWatched(
        makeRule({
          ...ortho.rule,
          id: 'away',
          name: 'Survey North deliveries',
          accountId: 'signed-out',
          unit: { kind: 'entries' },
        }),
        {},
        { waiting: 3 },
      ),
      makeWatched(makeRule({ ...scanner.rule, id: 'look', name: 'Tunnel scans' }), { state: 'looking' }),
      makeWatched(makeRule({ ...usb.rule, id: 'off', name: 'Old handover', on: false }), { state: 'paused' }),
    ],
  };
}

/** Many rules, the first with many sources. */
export function manyWatched(nowMs: number, accountId: string, rules: number, sources: number): WatchScene {
  const scene = sampleWatch(nowMs, accountId);
  const states = ['complete', 'complete', 'complete', 'failed', 'settling', 'waiting'] as const;
  return {
    ...scene,
    folders: Array.from({ length: rules }, (_, index) => {
      const model =
        scene.folders[index % scene.folders.length] ??
        makeWatched(makeRule({ id: '', name: '', folder: '/' }));
      const name = `${model.rule.name} ${index + 1}`;
      if (index > 0) return { ...model, rule: { ...model.rule, id: `rule-${index}`, name } };
      const sixth = Math.floor(sources / states.length);
      const counts = { ...model.counts, settling: sixth, waiting: sixth, underWay: 0 };
      return {
        ...model,
        rule: { ...model.rule, id: 'drone', name },
        counts: { ...counts, failed: sixth, complete: sources - 3 * sixth },
      };
    }),
    sources: new Map([
      [
        'drone',
        Array.from({ length: sources }, (_, index) => {
          const state = states[index % states.length] ?? 'complete';
          return makeSource({
            path: `Kachel 33_${380 + (index % 40)}_${5800 + index}`,
            state,
            why: [
              state === 'complete'
                ? { key: 'sources.why.complete' }
                : {
                    key: 'sources.why.quiet',
                    values: { time: { duration: 4_000 }, of: { duration: 10_000 } },
                  },
            ],
            ...(state === 'complete' ? { movedTo: 'done' } : {}),
            at: nowMs - index * 3 * minute,
            assetId: state === 'complete' ? 2470000 - index : null,
          });
        }),
      ],
    ]),
  };
}
