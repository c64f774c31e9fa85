import { type Said, sayAll } from '../../strings/phrase.ts';
import { inEnglish } from '../../strings/say.ts';
import type { ActivityEntry } from './model.ts';

/** One line of a rule's activity log as it is kept: what happened, to be said in the language of whoever reads it. */
export interface ActivityLine {
  /** ms since the epoch. */
  readonly at: number;
  /** Its sentences; null in a line of an earlier version, which kept the words alone. */
  readonly said: readonly Said[] | null;
  /** In English; in a line of an earlier version, in the language that was spoken when it was written. */
  readonly text: string;
}

export function activityLine(at: number, said: readonly Said[]): ActivityLine {
  return { at, said, text: inEnglish(() => sayAll(said)) };
}

/** A line that there are no words for keeps those that it was written with. */
export function activityEntry({ at, said, text }: ActivityLine): ActivityEntry {
  return { at, said: said !== null && isSayable(said) ? said : [text] };
}

/** A message may want other values than when the line was written. */
function isSayable(said: readonly Said[]): boolean {
  try {
    sayAll(said);
    return true;
  } catch {
    return false;
  }
}
