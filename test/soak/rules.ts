import type { WatchRule } from '../../main/watch/rule.ts';

/** One rule that leaves what it took, one that moves it. */
export function rulesFor(landings: string, scans: string): WatchRule[] {
  const common = {
    accountId: 'whoever signs in',
    assetType: '3DTILES',
    clampToTerrain: false,
    baseTerrainId: null,
    namePattern: '{name}',
    description: '',
    ignore: [],
    settleSeconds: null,
    whenChanged: 'new-asset',
    afterFailure: { kind: 'leave' },
    whenTooLong: 'upload',
    whenExpired: 'start-again',
    shared: false,
    on: true,
  } as const;
  return [
    {
      ...common,
      id: 'landings',
      name: 'Drone landings',
      folder: landings,
      unit: { kind: 'entries' },
      sourceType: '3D_CAPTURE',
      afterSuccess: { kind: 'leave' },
    },
    {
      ...common,
      id: 'scans',
      name: 'Scanner export',
      folder: scans,
      unit: { kind: 'files', patterns: ['*.xyz'] },
      sourceType: 'POINT_CLOUD',
      afterSuccess: { kind: 'move', folder: 'done' },
    },
  ];
}
