/** The intervals and delays of watching, ms (design, "Watch rules"). Tests pass shorter ones. */
export interface WatchTiming {
  /** Quiet time before a source is uploaded. */
  readonly settleMs: PerDrive;
  /** Interval of full scans, independent of events. */
  readonly lookMs: PerDrive;
  /** The same if the system doesn't report changes in all folders. */
  readonly unheardLookMs: number;
  /** Hints within this time share one scan. */
  readonly gatherMs: number;
  /** Rest after a scan, as a multiple of its duration, which limits the CPU share of watching. */
  readonly restAfterLook: number;
  /** Interval of checks that the folder is present and the same. */
  readonly presenceMs: number;
  /** Interval of checks on a polled drive. */
  readonly pollMs: number;
  /** Interval of lease renewals. */
  readonly renewLeaseMs: number;
  /** Other computers take over a lease that wasn't renewed for this long. */
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
