/** What a rule would make of its folder now, in words. */

import type { DryRunView, ErrorView } from '../../preload/contract.ts';
import { say } from '../../strings/say.ts';

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
  if (wouldBeTaken > 0) return say('watchEditor.dryRun.found', { count: wouldBeTaken });
  return known > 0 ? say('watchEditor.dryRun.nothingNew') : say('watchEditor.dryRun.empty');
}

/** What stands below the list; empty when the list says it all. */
export function dryRunRest(run: DryRunView): string {
  const listed = run.sources.filter(({ outcome }) => outcome === 'would-be-taken').length;
  const parts: string[] = [];
  if (run.wouldBeTaken > listed)
    parts.push(say('watchEditor.dryRun.more', { count: run.wouldBeTaken - listed }));
  if (run.known > 0) parts.push(say('watchEditor.dryRun.known', { count: run.known }));
  return parts.join(' · ');
}

/** What saving does. */
export function saveWords(isNew: boolean, takeExisting: boolean, look: DryRunState): string {
  if (!isNew) return say('watchEditor.save.kept');
  if (look.kind === 'none') return say('watchEditor.save.watch');
  if (!takeExisting) return say('watchEditor.save.fromNowOn');
  if (look.kind !== 'found') return say('watchEditor.save.takeUnknown');
  const { wouldBeTaken: count } = look.run;
  return count === 0 ? say('watchEditor.save.watch') : say('watchEditor.save.take', { count });
}
