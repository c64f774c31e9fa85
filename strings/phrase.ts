import { formatBytes } from './format/bytes.ts';
import { formatDayAndClock } from './format/time.ts';
import { type Key, say } from './say.ts';

/** A sentence that outlives a change of language: what it says is kept, and said in the language of whoever reads it. */
export interface Phrase {
  readonly key: Key;
  /** Of the message's arguments. */
  readonly values?: Readonly<Record<string, PhraseValue>> | undefined;
}

/** `bytes`: a size, `time`: day and time (ms since the epoch), written as the locale writes them. */
export type PhraseValue = string | number | Phrase | { readonly bytes: number } | { readonly time: number };

/** In the language that is spoken now; plain words stay as they are. Throws when a value that the message needs is missing. */
export function sayPhrase(phrase: Phrase | string): string {
  if (typeof phrase === 'string') return phrase;
  const values = Object.entries(phrase.values ?? {}).map(([name, value]) => [name, written(value)]);
  return say(phrase.key, Object.fromEntries(values));
}

function written(value: PhraseValue): string | number {
  if (typeof value !== 'object') return value;
  if ('key' in value) return sayPhrase(value);
  return 'bytes' in value ? formatBytes(value.bytes) : formatDayAndClock(value.time);
}
