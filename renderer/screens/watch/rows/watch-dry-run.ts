/** What a rule would make of its folder now, in words. */

import type { DryRun, DryRunLooked, ErrorRecord } from '../../../../preload/contract.ts';
import { say } from '../../../say.ts';

/** How the folder was looked at for the draft as it is. */
export type DryRunState =
  /** Too little is said yet. */
  | { readonly kind: 'none' }
  /** `before`: what the last look found. */
  | { readonly kind: 'looking'; readonly before: DryRun | null }
  /** `looked`: null until something is told of the files. */
  | { readonly kind: 'found'; readonly run: DryRun; readonly looked: DryRunLooked | null }
  | { readonly kind: 'failed'; readonly error: ErrorRecord };

/** `These 7 sources would become assets now`. */
export function dryRunTitle({ wouldBeTaken, known, compared = 0 }: DryRun): string {
  if (wouldBeTaken > 0) return say('watchEditor.dryRun.found', { count: wouldBeTaken });
  if (compared > 0) return say('watchEditor.dryRun.comparedFirst', { count: compared });
  return known > 0 ? say('watchEditor.dryRun.nothingNew') : say('watchEditor.dryRun.empty');
}

/** What stands below the list of so many; empty when the list says it all. */
export function dryRunRest(run: DryRun, listed: number): string {
  const parts: string[] = [];
  if (run.wouldBeTaken > listed)
    parts.push(say('watchEditor.dryRun.more', { count: run.wouldBeTaken - listed }));
  if (run.known > 0) parts.push(say('watchEditor.dryRun.known', { count: run.known }));
  if (run.compared && run.wouldBeTaken > 0)
    parts.push(say('watchEditor.dryRun.compared', { count: run.compared }));
  return parts.join(' · ');
}

/** `120 of 340 sources checked · 3 will be held`; empty where nothing is checked. */
export function dryRunLooked(looked: DryRunLooked | null): string {
  if (looked === null) return '';
  const { looked: done, total, isOver, heldCount } = looked;
  const key = isOver ? 'watchEditor.dryRun.checked' : 'watchEditor.dryRun.checking';
  const parts = [say(key, { looked: done, total })];
  if (heldCount > 0) parts.push(say('watchEditor.dryRun.wouldBeHeld', { count: heldCount }));
  return parts.join(' · ');
}

/** A source of a dry run as it is listed, and what it would be held for. */
type Row = DryRun['sources'][number] & { readonly why: DryRunLooked['held'][number]['why'] };

/** The first that would be taken, and behind them others that would be held. */
export function dryRunRows(run: DryRun, looked: DryRunLooked | null, most: number): readonly Row[] {
  const held = new Map((looked?.held ?? []).map((one) => [one.path, one]));
  const taken = run.sources.filter(({ outcome }) => outcome === 'would-be-taken').slice(0, most);
  const rows = taken.map((source) => ({ ...source, why: held.get(source.path)?.why ?? source.held ?? [] }));
  for (const { path } of rows) held.delete(path);
  return [...rows, ...[...held.values()].map((one): Row => ({ ...one, outcome: 'would-be-taken' }))];
}

/** What is asked about what is in the folder already; null where nothing is. */
interface ExistingQuestion {
  /** Empty where the list says it all. */
  readonly about: string;
  readonly take: string;
  readonly leave: string;
}

/** `run`: null while the folder is looked at for the first time. */
export function existingQuestion(
  isNew: boolean,
  run: DryRun | null,
  looking: boolean,
): ExistingQuestion | null {
  if (isNew) {
    if (run === null ? !looking : run.wouldBeTaken === 0) return null;
    const take =
      run === null
        ? say('watchEditor.existing.takeUnknown')
        : say('watchEditor.existing.take', { count: run.wouldBeTaken });
    return { about: '', take, leave: say('watchEditor.existing.leave') };
  }
  const count = run?.newlyTaken ?? 0;
  if (count === 0) return null;
  return {
    about: say('watchEditor.existing.changed', { count }),
    take: say('watchEditor.existing.upload', { count }),
    leave: say('watchEditor.existing.leaveIt', { count }),
  };
}

/** What saving does. */
export function saveWords(isNew: boolean, takeExisting: boolean, look: DryRunState): string {
  if (!isNew) {
    const count = look.kind === 'found' ? (look.run.newlyTaken ?? 0) : 0;
    return takeExisting && count > 0
      ? say('watchEditor.save.upload', { count })
      : say('watchEditor.save.kept');
  }
  if (look.kind === 'none') return say('watchEditor.save.watch');
  if (!takeExisting) return say('watchEditor.save.fromNowOn');
  if (look.kind !== 'found') return say('watchEditor.save.takeUnknown');
  const { wouldBeTaken: count } = look.run;
  return count === 0 ? say('watchEditor.save.watch') : say('watchEditor.save.take', { count });
}
