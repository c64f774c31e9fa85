/** Intervals and delays, ms (design, "Watch rules"). Tests pass shorter ones. */
export interface WatchTiming {
  /** Quiet before a source is uploaded. */
  readonly settleMs: PerDrive;
  /** Interval of full scans, independent of events. */
  readonly lookMs: PerDrive;
  /** If the system doesn't report changes in all folders. */
  readonly unheardLookMs: number;
  /** Hints within this time share one scan. */
  readonly gatherMs: number;
  /** Rest after a scan, as a multiple of its duration, which limits the CPU share. */
  readonly restAfterLook: number;
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
  lookMs: { local: 60 * 60_000, network: 15 * 60_000 },
  unheardLookMs: 60_000,
  gatherMs: 500,
  restAfterLook: 20,
  presenceMs: 5_000,
  pollMs: 30_000,
  renewLeaseMs: 20_000,
  staleLeaseMs: 10 * 60_000,
};
