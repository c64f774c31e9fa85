import type { SourceSnapshot } from '../../preload/contract.ts';
import type { Said } from '../../strings/phrase.ts';
import { makeSource, sampleWatch, type WatchScene } from './sample-watch.ts';

const minute = 60_000;

function heldSource(
  path: string,
  why: readonly Said[],
  changedAt: number,
  assetId: number | null,
): SourceSnapshot {
  return makeSource({
    path,
    state: 'held',
    why,
    at: changedAt,
    assetId,
    actions: ['leave-it', 'make-asset'],
  });
}

/** An office's folders with two changed flights. */
export function heldWatch(nowMs: number, accountId: string): WatchScene {
  const scene = sampleWatch(nowMs, accountId);
  const heldSources = [
    heldSource(
      '2026-11-19_Kai_3',
      [
        {
          key: 'sources.held.filesChanged',
          values: { count: 2, names: { names: ['DJI_0041.JPG', 'DJI_0042.JPG'] } },
        },
        { key: 'sources.held.filesRemoved', values: { count: 1, names: 'DJI_0040.JPG' } },
        { key: 'sources.held.nothing' },
      ],
      nowMs - 5 * minute,
      2_481_890,
    ),
    heldSource(
      '2026-11-16_Kontorhaus_Nordfassade_mit_einem_recht_langen_Namen',
      [{ key: 'sources.held.cannotCompare' }, { key: 'sources.held.nothing' }],
      nowMs - 300 * minute,
      null,
    ),
    {
      ...heldSource(
        '2026-11-15_Lieferung',
        [{ key: 'sources.held.kindUndecided' }, { key: 'sources.held.nothing' }],
        nowMs - 400 * minute,
        null,
      ),
      error: {
        code: 'watch-kind-undecided' as const,
        subject: '2026-11-15_Lieferung',
        retryable: false,
      },
      actions: ['leave-it', 'try-again'] as const,
    },
    {
      ...heldSource(
        '2026-11-14_Befliegung',
        [
          {
            key: 'sources.held.found',
            values: {
              what: { key: 'findings.cut-off.title', values: { count: 12 } },
              names: { names: ['DJI_0101.JPG', 'DJI_0102.JPG', 'DJI_0103.JPG'], more: 9 },
            },
          },
          { key: 'sources.held.nothing' },
        ],
        nowMs - 900 * minute,
        null,
      ),
      actions: ['leave-it', 'take-anyway'] as const,
    },
    {
      ...heldSource(
        '2026-11-13_Modell',
        [
          {
            key: 'sources.held.found',
            values: {
              what: {
                key: 'findings.rule-kind.title',
                values: { found: { key: 'kinds.source.KML' }, wanted: { key: 'kinds.source.3D_CAPTURE' } },
              },
              names: { names: ['quartier.kmz'], more: 0 },
            },
          },
          { key: 'sources.held.nothing' },
        ],
        nowMs - 1_000 * minute,
        null,
      ),
      otherKind: true as const,
      actions: ['leave-it', 'take-anyway'] as const,
    },
  ];
  const otherSources = (scene.sources.get('drone') ?? []).filter(({ path }) => path !== '2026-11-19_Kai_3');
  return {
    ...scene,
    folders: scene.folders.map((view, index) =>
      index === 0 ? { ...view, counts: { ...view.counts, held: heldSources.length } } : view,
    ),
    sources: new Map([['drone', [...heldSources, ...otherSources]]]),
  };
}

/** The bulk change guard: many finished sources of the first folder changed at once. */
export function askingWatch(nowMs: number, accountId: string, count: number): WatchScene {
  const scene = sampleWatch(nowMs, accountId);
  const heldSources = Array.from({ length: count }, (_, index) =>
    heldSource(
      `Befliegung_2026-10_${String(index + 1).padStart(3, '0')}`,
      [
        {
          key: 'sources.held.filesRemoved',
          values: { count: 2, names: { names: ['pilot.note', 'flight.log'] } },
        },
        { key: 'sources.held.nothing' },
      ],
      nowMs - 2 * minute,
      2_470_000 + index,
    ),
  );
  return {
    ...scene,
    folders: scene.folders.map((view, index) =>
      index === 0
        ? { ...view, question: { why: 'many-changed', count }, counts: { ...view.counts, held: count } }
        : view,
    ),
    sources: new Map([['drone', [...heldSources, ...(scene.sources.get('drone') ?? [])]]]),
  };
}
