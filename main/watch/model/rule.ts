import { isAbsolute, resolve } from 'node:path';
import {
  type AfterEnd,
  watchRuleSchema as ruleSchema,
  type WatchRule,
} from '../../../shared/schemas/watch-rule.ts';

export type { AfterEnd, WatchRule, WatchUnit } from '../../../shared/schemas/watch-rule.ts';

/** A watch rule for this computer, whose system defines absolute paths. */
export const watchRuleSchema = ruleSchema.extend({
  folder: ruleSchema.shape.folder.refine(isAbsolute, { params: { isRelativePath: true } }),
});

/** `place`: absolute; `field`: the rule field that names it. */
export interface Target {
  readonly place: string;
  readonly field: string;
}

/** The moves of a rule. */
export function targetFields(
  rule: Pick<WatchRule, 'folder' | 'afterSuccess' | 'afterFailure'>,
): readonly Target[] {
  return (['afterSuccess', 'afterFailure'] as const).flatMap((field) => {
    const place = targetOf(rule.folder, rule[field]);
    return place === null ? [] : [{ place, field: `${field}.folder` }];
  });
}

/** Returns null if sources aren't moved. */
export function targetOf(folder: string, after: AfterEnd): string | null {
  return after.kind === 'move' ? resolve(folder, after.folder) : null;
}

/** Folders in which other users may put files, absolute. */
export function openFolders({
  folder,
  afterSuccess,
  afterFailure,
  receiptFile,
}: WatchRule): readonly string[] {
  const targetFolders = [afterSuccess, afterFailure, receiptFile].flatMap((place) =>
    'folder' in place ? [resolve(folder, place.folder)] : [],
  );
  return [folder, ...targetFolders];
}

/** Intervals and delays, ms. Tests pass shorter ones. */
export interface WatchTiming {
  /** Quiet before a source is uploaded. */
  readonly settleMs: PerDrive;
  /** Interval of full scans, independent of events. */
  readonly scanMs: PerDrive;
  /** If the system doesn't report changes in all folders. */
  readonly unheardScanMs: number;
  /** Hints within this time share one scan. */
  readonly gatherMs: number;
  /** Rest after a scan, as a multiple of its duration, which limits the CPU share. */
  readonly restAfterScan: number;
  /** Interval of checks that the folder is still the same. */
  readonly presenceMs: number;
  /** On network drives. */
  readonly pollMs: number;
  readonly renewLeaseMs: number;
  /** Other computers then take over a lease. */
  readonly staleLeaseMs: number;
}

export interface PerDrive {
  readonly local: number;
  readonly network: number;
}

export const defaultTiming: WatchTiming = {
  settleMs: { local: 10_000, network: 60_000 },
  scanMs: { local: 60 * 60_000, network: 15 * 60_000 },
  unheardScanMs: 60_000,
  gatherMs: 500,
  restAfterScan: 20,
  presenceMs: 5_000,
  pollMs: 30_000,
  renewLeaseMs: 20_000,
  staleLeaseMs: 10 * 60_000,
};
