import type { HistoryEntry } from '../../shared/job.ts';
import type { Said } from '../../strings/phrase.ts';
import { inEnglish } from '../../strings/sayer.ts';

/** One entry of a rule's activity log as stored: what happened, put into words in the reader's language. */
export interface ActivityLine {
  /** ms since the epoch. */
  readonly at: number;
  /** Its sentences; null where the catalogue lost one of them since. */
  readonly said: readonly Said[] | null;
  /** In English, as they were said then. */
  readonly text: string;
}

export function activityLine(at: number, said: readonly Said[]): ActivityLine {
  return { at, said, text: inEnglish.sayAll(said) };
}

/** A line that there are no words for keeps those that it was written with. */
export function activityEntry({ at, said, text }: ActivityLine): HistoryEntry {
  return { at, said: said !== null && isSayable(said) ? said : [text] };
}

/** A message may want other values than when the line was written. */
function isSayable(said: readonly Said[]): boolean {
  try {
    inEnglish.sayAll(said);
    return true;
  } catch {
    return false;
  }
}
