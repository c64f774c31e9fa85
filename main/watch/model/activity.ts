import type { HistoryEntry } from '../../../shared/job.ts';
import type { Said } from '../../../strings/phrase.ts';
import { inEnglish } from '../../../strings/sayer.ts';

/** A stored entry of a rule's activity log, translated on display. */
export interface ActivityLine {
  readonly at: number;
  /** Null if the catalogue no longer has one of the keys. */
  readonly said: readonly Said[] | null;
  /** In English. */
  readonly text: string;
}

export function activityLine(at: number, said: readonly Said[]): ActivityLine {
  return { at, said, text: inEnglish.sayAll(said) };
}

/** Falls back to the stored English text if the message can't be translated. */
export function activityEntry({ at, said, text }: ActivityLine): HistoryEntry {
  return { at, said: said !== null && isSayable(said) ? said : [text] };
}

function isSayable(said: readonly Said[]): boolean {
  try {
    inEnglish.sayAll(said);
    return true;
  } catch {
    return false;
  }
}
