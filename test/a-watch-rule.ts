import type { WatchRule } from '../main/watch/model/rule.ts';
import { noAlerts } from '../shared/schemas/watch-rule.ts';

/** A rule with default values, except for those that matter to a test. */
export function aWatchRule(change: Partial<WatchRule> & Pick<WatchRule, 'folder'>): WatchRule {
  return {
    id: 'rule',
    name: 'Drone landings',
    accountId: 'account',
    unit: { kind: 'entries' },
    readyWhen: { kind: 'settled' },
    checksums: 'verify',
    hold: 'will-fail',
    kindFrom: 'rule',
    assetType: '3DTILES',
    sourceType: '3D_CAPTURE',
    clampToTerrain: false,
    baseTerrainId: null,
    options: '{}',
    namePattern: '{name}',
    description: '',
    ignore: [],
    settleSeconds: null,
    whenChanged: 'new-asset',
    afterSuccess: { kind: 'leave' },
    afterFailure: { kind: 'leave' },
    whenTooLong: 'hold',
    whenExpired: 'wait',
    cloudFiles: 'leave',
    mountMarker: null,
    shared: false,
    alerts: noAlerts,
    receiptFile: { kind: 'none' },
    on: true,
    ...change,
  };
}
