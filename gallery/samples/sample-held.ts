import type { SourceSnapshot } from '../../preload/contract.ts';
import type { Phrase } from '../../strings/phrase.ts';
import { makeSource, sampleWatch, type WatchScene, withDrone } from './sample-watch.ts';

const minute = 60_000;

function heldSource(
  path: string,
  changedAt: number,
  why: readonly Phrase[],
  part: Partial<SourceSnapshot> = {},
): SourceSnapshot {
  return makeSource({
    path,
    state: 'held',
    why: [...why, { key: 'sources.held.nothing' }],
    at: changedAt,
    actions: ['leave-it', 'make-asset'],
    ...part,
  });
}

/** An office's folders with two changed flights. */
export function heldWatch(nowMs: number, accountId: string): WatchScene {
  const scene = sampleWatch(nowMs, accountId);
  const [removedFile, changedFiles] = ['DJI_0040.JPG', { names: ['DJI_0041.JPG', 'DJI_0042.JPG'] }];
  const damagedFiles = { names: ['DJI_0101.JPG', 'DJI_0102.JPG', 'DJI_0103.JPG'], more: 9 };
  const otherKind: Phrase = {
    key: 'findings.rule-kind.title',
    values: { found: { key: 'kinds.source.KML' }, wanted: { key: 'kinds.source.3D_CAPTURE' } },
  };
  const heldSources = [
    heldSource(
      '2026-11-19_Kai_3',
      nowMs - 5 * minute,
      [
        { key: 'sources.held.filesChanged', values: { count: 2, names: changedFiles } },
        { key: 'sources.held.filesRemoved', values: { count: 1, names: removedFile } },
      ],
      { assetId: 2_481_890 },
    ),
    heldSource('2026-11-16_Kontorhaus_Nordfassade_mit_einem_recht_langen_Namen', nowMs - 300 * minute, [
      { key: 'sources.held.cannotCompare' },
    ]),
    heldSource('2026-11-15_Lieferung', nowMs - 400 * minute, [{ key: 'sources.held.kindUndecided' }], {
      error: { code: 'watch-kind-undecided', subject: '2026-11-15_Lieferung', retryable: false },
      actions: ['leave-it', 'try-again'],
    }),
    heldSource(
      '2026-11-14_Befliegung',
      nowMs - 900 * minute,
      [
        {
          key: 'sources.held.found',
          values: { what: { key: 'findings.cut-off.title', values: { count: 12 } }, names: damagedFiles },
        },
      ],
      { actions: ['leave-it', 'take-anyway'] },
    ),
    heldSource(
      '2026-11-13_Modell',
      nowMs - 1_000 * minute,
      [
        {
          key: 'sources.held.found',
          values: { what: otherKind, names: { names: ['quartier.kmz'], more: 0 } },
        },
      ],
      { otherKind: true, actions: ['leave-it', 'take-anyway'] },
    ),
  ];
  const otherSources = (scene.sources.get('drone') ?? []).filter(({ path }) => path !== '2026-11-19_Kai_3');
  return withDrone(scene, { held: heldSources.length }, [...heldSources, ...otherSources]);
}

/** The bulk change guard: many finished sources of the first folder changed at once. */
export function askingWatch(nowMs: number, accountId: string, count: number): WatchScene {
  const scene = sampleWatch(nowMs, accountId);
  const names = { names: ['pilot.note', 'flight.log'] };
  const heldSources = Array.from({ length: count }, (_, index) =>
    heldSource(
      `Befliegung_2026-10_${String(index + 1).padStart(3, '0')}`,
      nowMs - 2 * minute,
      [{ key: 'sources.held.filesRemoved', values: { count: 2, names } }],
      { assetId: 2_470_000 + index },
    ),
  );
  const sources = [...heldSources, ...(scene.sources.get('drone') ?? [])];
  return withDrone(scene, { held: count }, sources, { question: { why: 'many-changed', count } });
}
