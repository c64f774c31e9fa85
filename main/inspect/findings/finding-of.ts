import type { Finding, FindingId } from '../../../shared/findings.ts';
import type { Content } from '../formats/base/content.ts';
import type { Verdict } from '../formats/base/format.ts';

const ofVerdict: Readonly<Record<NonNullable<Verdict>, FindingId>> = {
  empty: 'empty',
  lfsPointer: 'lfs-pointer',
  webPage: 'web-page',
  serverError: 'server-error',
  otherFormat: 'wrong-format',
  zeros: 'not-filled',
  noArchiveEnd: 'cut-off',
  noDirectory: 'cut-off',
  noEnd: 'cut-off',
  tooShort: 'cut-off',
  tooLong: 'unfinished',
};

/** Turns a file's verdict into a finding. `content`: its actual format. */
export const findingOf = (verdict: NonNullable<Verdict>, content?: Content): Finding => ({
  id: ofVerdict[verdict],
  ...(content && { values: { content: { key: `findings.content.${content}` as const } } }),
});
