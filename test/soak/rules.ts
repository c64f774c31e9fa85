import type { WatchRule } from '../../main/watch/rule.ts';
import { aWatchRule } from '../a-watch-rule.ts';

/** One rule that leaves what it took, one that moves it. Their account is whoever signs in. */
export function rulesFor(landings: string, scans: string): [WatchRule, WatchRule] {
  const unattended = { whenTooLong: 'upload', whenExpired: 'start-again' } as const;
  return [
    aWatchRule({ ...unattended, id: 'landings', folder: landings }),
    aWatchRule({
      ...unattended,
      id: 'scans',
      name: 'Scanner export',
      folder: scans,
      unit: { kind: 'files', patterns: ['*.xyz'] },
      sourceType: 'POINT_CLOUD',
      afterSuccess: { kind: 'move', folder: 'done' },
    }),
  ];
}
