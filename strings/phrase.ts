import { formatBytes } from './format/bytes.ts';
import { type Key, say } from './say.ts';

/** A sentence that outlives a change of language: what it says is kept, and said in the language of whoever reads it. */
export interface Phrase {
  readonly key: Key;
  /** Of the message's arguments. */
  readonly values?: Readonly<Record<string, PhraseValue>> | undefined;
}

/** `bytes`: a size, written as the locale writes it. */
export type PhraseValue = string | number | Phrase | { readonly bytes: number };

/** In the language that is spoken now; plain words stay as they are. Throws when a value that the message needs is missing. */
export function sayPhrase(phrase: Phrase | string): string {
  if (typeof phrase === 'string') return phrase;
  const values = Object.entries(phrase.values ?? {}).map(([name, value]) => [name, written(value)]);
  return say(phrase.key, Object.fromEntries(values));
}

function written(value: PhraseValue): string | number {
  if (typeof value !== 'object') return value;
  return 'key' in value ? sayPhrase(value) : formatBytes(value.bytes);
}
