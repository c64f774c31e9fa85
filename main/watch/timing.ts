/** How often and how long watching waits, ms (design, "Watch rules"). Tests hand in shorter times. */
export interface WatchTiming {
  /** Nothing may have changed for so long before a source is taken. */
  readonly settleMs: PerDrive;
  /** A folder is scanned again whatever its events say. */
  readonly lookMs: PerDrive;
  /** The same, where the system does not report changes in all folders. */
  readonly unheardLookMs: number;
  /** Hints that come within this are looked at together. */
  readonly gatherMs: number;
  /** A rest of this many times a look's length follows it: watching takes only a share of the processor. */
  readonly restAfterLook: number;
  /** Whether the folder is there, and still the same, is asked this often. */
  readonly presenceMs: number;
  /** How often a polled drive is asked what has changed. */
  readonly pollMs: number;
  /** The lease of a folder is renewed this often. */
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
