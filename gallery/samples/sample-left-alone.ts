import type { SourceSnapshot } from '../../preload/contract.ts';
import type { Said } from '../../strings/phrase.ts';
import { makeSource, sampleWatch, type WatchScene, withDrone } from './sample-watch.ts';

const minute = 60_000;

/** An office's folders with documents and films next to the flights. */
export function leftAloneWatch(nowMs: number, accountId: string): WatchScene {
  const scene = sampleWatch(nowMs, accountId);
  const skippedSource = (path: string, why: Said, files: number, bytes: number): SourceSnapshot =>
    makeSource({
      path,
      state: 'left-alone',
      why: [why],
      files,
      bytes,
      at: nowMs - 50 * minute,
      actions: ['take-anyway'],
    });
  const link = (path: string): SourceSnapshot => ({
    ...skippedSource(path, { key: 'sources.leftAlone.link' }, 0, 0),
    actions: [],
  });
  const skippedSources = [
    skippedSource('Lies_mich.txt', { key: 'sources.leftAlone.noData' }, 1, 2_100),
    skippedSource('documents', { key: 'sources.leftAlone.nothingInside' }, 12, 48e6),
    skippedSource('report.pdf', { key: 'sources.leftAlone.noData' }, 1, 3.4e6),
    skippedSource('stadtmodell_2026.gml', { key: 'sources.leftAlone.otherKind' }, 1, 480e6),
    link('latest'),
    link('previews/DJI_0001.jpg'),
  ];
  const withLinks = (source: SourceSnapshot, index: number) =>
    index % 4 === 1 ? { ...source, links: 2 } : source;
  const sources = [...(scene.sources.get('drone') ?? []).map(withLinks), ...skippedSources];
  return withDrone(scene, { leftAlone: skippedSources.length }, sources);
}
