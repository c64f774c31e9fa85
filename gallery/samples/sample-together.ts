import type { Said } from '../../strings/phrase.ts';
import { makeRule, makeSource, makeWatched, noWatch, type WatchScene } from './sample-watch.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Handover folder of an office that delivers batches several times a week. */
export function togetherWatch(nowMs: number, accountId: string): WatchScene {
  const rule = makeRule({
    id: 'handover',
    name: 'Handover Altona',
    folder: '\\\\nas02\\handover\\altona',
    accountId,
    unit: { kind: 'batch' },
    assetType: 'IMAGERY',
    sourceType: 'RASTER_IMAGERY',
    namePattern: '{name} {date} {counter}',
    whenChanged: 'hold',
    shared: true,
  });
  const batch = (number: number, part: Omit<Parameters<typeof makeSource>[0], 'path'>) =>
    makeSource({ ruleId: 'handover', path: `./batch-${number}`, ...part });
  const completeReason: readonly Said[] = [{ key: 'sources.why.complete' }];
  const [changedAt, fileName] = [nowMs - 3 * 60 * minute, 'north_04.tif'];
  return {
    ...noWatch,
    folders: [
      makeWatched(
        rule,
        { isNetworkDrive: true, lastTakenAt: nowMs - 26 * 60 * minute },
        { settling: 1, complete: 3, held: 1 },
      ),
    ],
    sources: new Map([
      [
        'handover',
        [
          batch(19, {
            state: 'held',
            why: [
              { key: 'sources.held.filesChanged', values: { count: 1, names: fileName } },
              { key: 'sources.held.nothing' },
            ],
            at: changedAt,
            takenAt: nowMs - 4 * day,
            files: 9,
            bytes: 2.2e9,
            assetId: 5_031_882,
            actions: ['leave-it', 'make-asset'],
          }),
          batch(23, {
            state: 'settling',
            why: [
              { key: 'sources.why.quiet', values: { time: { duration: 20_000 }, of: { duration: 60_000 } } },
            ],
            at: nowMs - minute,
            files: 14,
            bytes: 3.4e9,
            actions: ['take-now'],
          }),
          ...[
            { number: 22, ago: 26 * 60 * minute, files: 1, bytes: 0.3e9 },
            { number: 21, ago: 2 * day, files: 212, bytes: 48e9 },
            { number: 20, ago: 3 * day, files: 14, bytes: 3.1e9 },
          ].map(({ number, ago, files, bytes }) =>
            batch(number, {
              state: 'complete',
              why: completeReason,
              at: nowMs - ago + 40 * minute,
              takenAt: nowMs - ago,
              files,
              bytes,
              assetId: 5_031_900 + number,
            }),
          ),
        ],
      ],
    ]),
    inspection: { looked: 1, total: 1, isOver: true, heldCount: 0, held: [] },
    dryRun: {
      ok: true,
      value: {
        sources: [
          {
            path: './batch-1',
            name: 'altona 2026-11-20 001',
            files: 14,
            bytes: 3.4e9,
            outcome: 'would-be-taken',
          },
        ],
        wouldBeTaken: 1,
        known: 0,
      },
    },
  };
}
