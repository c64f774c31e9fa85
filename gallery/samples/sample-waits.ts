import type { HistoryEntry, SourceSnapshot } from '../../preload/contract.ts';
import type { PhraseValue, Said } from '../../strings/phrase.ts';
import type { Key } from '../../strings/say.ts';
import { makeSource, sampleWatch, type WatchScene, withDrone } from './sample-watch.ts';

const minute = 60_000;

/** A source for each reason to wait. */
export function waitsWatch(nowMs: number, accountId: string): WatchScene {
  const scene = sampleWatch(nowMs, accountId);
  const settling = (path: string, why: Said): SourceSnapshot =>
    makeSource({ path, state: 'settling', why: [why], at: nowMs - 3 * minute, actions: ['take-now'] });
  const waitingSource = (path: string, why: Said): SourceSnapshot =>
    makeSource({ path, state: 'waiting', why: [why], at: nowMs - 3 * minute });
  const sources = [
    settling('2026-11-20_Deponie_West', {
      key: 'sources.why.quiet',
      values: { time: { duration: 4 * minute }, of: { duration: 12 * minute } },
    }),
    settling('2026-11-20_Elbe.tif', {
      key: 'sources.doubt.onlyInCloud',
      values: { file: '2026-11-20_Elbe.tif', service: 'OneDrive' },
    }),
    settling('2026-11-20_Hafen.zip', {
      key: 'sources.held.found',
      values: {
        what: { key: 'findings.cut-off.title', values: { count: 1 } },
        names: { names: ['2026-11-20_Hafen.zip'], more: 0 },
      },
    }),
    settling('2026-11-20_Modell.obj', {
      key: 'sources.doubt.missingMore',
      values: { file: 'fassade_nord.jpg', more: 3 },
    }),
    settling('2026-11-20_Ufer', {
      key: 'sources.doubt.mismatch',
      values: { file: 'DJI_0040.JPG', list: 'SHA256SUMS' },
    }),
    settling('scan_7.laz', { key: 'sources.doubt.noMarker', values: { file: 'scan_7.laz.ok' } }),
    waitingSource('2026-11-18_Kai_3', { key: 'sources.why.comparing', values: { percent: 64 } }),
    waitingSource('2026-11-18_Mole', { key: 'sources.why.elsewhere' }),
    waitingSource('2026-11-18_Werft', { key: 'sources.why.line' }),
  ];
  const counts = { settling: 6, waiting: 3, underWay: 0, complete: 0, failed: 0 };
  return { ...withDrone(scene, counts, sources), activity: busyDays(nowMs) };
}

/** Activity log with an outage and other incidents. */
function busyDays(nowMs: number): readonly HistoryEntry[] {
  const messages: readonly (readonly [Key, Readonly<Record<string, PhraseValue>>])[] = [
    ['sources.outageOver', { from: { time: nowMs - 190 * minute }, hours: 3, minutes: 190, count: 12 }],
    ['sources.manyHeld', { count: 312 }],
    ['sources.allLeft', { count: 312 }],
    ['sources.leftAsIs', { name: '2026-11-19_Kai_3' }],
    ['sources.wantedAnew', { name: '2026-11-16_Kontorhaus' }],
    ['sources.folderBack', {}],
    ['sources.folderAway', {}],
    ['sources.leftToRule', { name: 'ortho.tif', rule: 'Orthophotos' }],
    ['sources.leftOrphan', { host: 'office-2', id: '4711', name: '2026-11-18_Mole' }],
    ['sources.restored', {}],
    ['sources.program.exit', { program: 'register-asset', name: '2026-11-19_Kai_3', code: 2 }],
  ];
  return messages.map(([key, values], index) => ({
    at: nowMs - index * 47 * minute,
    said: [{ key, values }],
  }));
}
