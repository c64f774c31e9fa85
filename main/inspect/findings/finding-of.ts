import type { FindingId } from '../../../shared/findings.ts';
import type { Verdict } from '../formats/base/format.ts';

const ofVerdict: Readonly<Record<NonNullable<Verdict>, FindingId>> = {
  empty: 'empty',
  lfsPointer: 'lfs-pointer',
  webPage: 'web-page',
  serverError: 'server-error',
  noArchiveEnd: 'cut-off',
  noDirectory: 'cut-off',
  noEnd: 'cut-off',
  tooShort: 'cut-off',
  tooLong: 'unfinished',
};

/** What is wrong with a file as a whole, as a finding. */
export const findingOf = (verdict: NonNullable<Verdict>): FindingId => ofVerdict[verdict];
