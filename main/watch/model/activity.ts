import type { HistoryEntry } from '../../../shared/job.ts';
import type { Said } from '../../../strings/phrase.ts';
import { inEnglish } from '../../../strings/sayer.ts';

/** A stored entry of a rule's activity log, translated on display. */
export interface ActivityLine {
  readonly timestamp: number;
  /** Null if the catalogue no longer has one of the keys. */
  readonly phrases: readonly Said[] | null;
  /** In English. */
  readonly text: string;
}

export function activityLine(timestamp: number, phrases: readonly Said[]): ActivityLine {
  return { timestamp, phrases, text: inEnglish.sayAll(phrases) };
}

/** Falls back to the stored English text if the message can't be translated. */
export function activityEntry({ timestamp, phrases, text }: ActivityLine): HistoryEntry {
  return { at: timestamp, said: phrases !== null && isSayable(phrases) ? phrases : [text] };
}

function isSayable(phrases: readonly Said[]): boolean {
  try {
    inEnglish.sayAll(phrases);
    return true;
  } catch {
    return false;
  }
}
