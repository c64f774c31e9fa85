/** Why a source is held: nothing is uploaded of it until a person has chosen. The words are `sources.held.…` in the catalogue. */
export const holdReasons = [
  /** It was taken before, and is not as it was then. */
  'changed',
  /** Whether it is what was taken before can't be told. */
  'cannot-compare',
  /** So many look changed at once that it is hardly the sources that changed. */
  'many-changed',
  /** The journal was put back from a backup: it may have been taken since. */
  'restored',
] as const;

/** Of what the journal keeps. */
export type HoldReason = (typeof holdReasons)[number];

/** Likewise, and what every look finds anew: nobody can tell what kind of data it is. */
export type HoldWhy = HoldReason | 'kind-undecided';
