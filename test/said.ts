import type { SourceSnapshot } from '../main/watch/model/model.ts';
import { sayAll } from '../renderer/say.ts';
import type { Said } from '../strings/phrase.ts';

/** Stored facts in a reader's words. */

/** A source with its reasons in words. */
export type SaidSource = Omit<SourceSnapshot, 'why'> & { readonly why: string };

export const saidSource = (source: SourceSnapshot): SaidSource => ({ ...source, why: sayAll(source.why) });

/** Lines of a history or an activity log. */
export const saidLines = (lines: readonly { readonly at: number; readonly said: readonly Said[] | null }[]) =>
  lines.map(({ at, said: sentences }) => ({ at, text: sayAll(sentences ?? []) }));
