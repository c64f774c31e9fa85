/** What a rule would make of its folder now, in words. */

import type { DryRunView, ErrorView } from '../../preload/contract.ts';
import { formatCount } from '../../strings/format/number.ts';

/** How the folder was looked at for the draft as it is. */
export type DryRunState =
  /** Too little is said yet. */
  | { readonly kind: 'none' }
  /** `before`: what the last look found. */
  | { readonly kind: 'looking'; readonly before: DryRunView | null }
  | { readonly kind: 'found'; readonly run: DryRunView }
  | { readonly kind: 'failed'; readonly error: ErrorView };

/** `These 7 sources would become assets now`. */
export function dryRunTitle({ wouldBeTaken, known }: DryRunView): string {
  if (wouldBeTaken === 1) return 'This source would become an asset now';
  if (wouldBeTaken > 1) return `These ${formatCount(wouldBeTaken)} sources would become assets now`;
  return known > 0 ? 'Nothing new is in this folder' : 'Nothing is in this folder yet';
}

/** What stands below the list; empty when the list says it all. */
export function dryRunRest(run: DryRunView): string {
  const listed = run.sources.filter(({ outcome }) => outcome === 'would-be-taken').length;
  const parts: string[] = [];
  if (run.wouldBeTaken > listed) parts.push(`and ${formatCount(run.wouldBeTaken - listed)} more`);
  if (run.known > 0)
    parts.push(
      run.known === 1
        ? '1 was taken before or is not wanted'
        : `${formatCount(run.known)} were taken before or are not wanted`,
    );
  return parts.join(' · ');
}

/** What saving does. */
export function saveWords(isNew: boolean, takeExisting: boolean, look: DryRunState): string {
  if (!isNew) return 'Save';
  if (look.kind === 'none') return 'Watch';
  if (!takeExisting) return 'Watch from now on';
  if (look.kind !== 'found') return 'Watch and take what is there';
  return look.run.wouldBeTaken === 0 ? 'Watch' : `Watch and take ${formatCount(look.run.wouldBeTaken)}`;
}
