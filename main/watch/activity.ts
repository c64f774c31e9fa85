import { type Phrase, sayPhrase } from '../../strings/phrase.ts';
import { inEnglish } from '../../strings/say.ts';
import type { ActivityEntry } from './model.ts';

/** One line of a rule's activity log as it is kept: what happened, to be said in the language of whoever reads it. */
export interface ActivityLine {
  /** ms since the epoch. */
  readonly at: number;
  /** Its sentences; null in a line of an earlier version, which kept the words alone. */
  readonly said: readonly (Phrase | string)[] | null;
  /** In English; in a line of an earlier version, in the language that was spoken when it was written. */
  readonly text: string;
}

export function activityLine(at: number, said: readonly (Phrase | string)[]): ActivityLine {
  return { at, said, text: inEnglish(() => inWords(said)) };
}

/** In the language that is spoken now. A line that it has no words for keeps those that it was written with. */
export function activityEntry({ at, said, text }: ActivityLine): ActivityEntry {
  try {
    return { at, text: said === null ? text : inWords(said) };
  } catch {
    return { at, text };
  }
}

function inWords(sentences: readonly (Phrase | string)[]): string {
  return sentences.map(sayPhrase).join(' ');
}
