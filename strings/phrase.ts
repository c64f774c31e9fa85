import { formatBytes, formatFileRate, formatRate } from './format/bytes.ts';
import { formatList, formatNames } from './format/list.ts';
import { formatDayAndClock, formatDuration } from './format/time.ts';
import { type Key, say } from './say.ts';

/** A sentence that is kept or crosses a border: what it says, to be said in the language of whoever reads it. */
export interface Phrase {
  readonly key: Key;
  /** Of the message's arguments. */
  readonly values?: Readonly<Record<string, PhraseValue>> | undefined;
}

/** What is kept or crosses a border to be read by a person. A string is data, or a sentence of an earlier version, which stays as it was said. */
export type Said = Phrase | string;

/** What a message's argument may be, written as the locale writes it. */
export type PhraseValue = string | number | Phrase | Figure | Enumeration;

export type Figure =
  | { readonly bytes: number }
  /** Day and time, ms since the epoch. */
  | { readonly time: number }
  /** In ms. */
  | { readonly duration: number }
  | { readonly bytesPerSecond: number }
  | { readonly filesPerSecond: number };

export type Enumeration =
  /** `a, b and c`. */
  | { readonly list: readonly PhraseValue[] }
  /** `a, b, c`; `more`: how many there are besides. */
  | { readonly names: readonly PhraseValue[]; readonly more?: number };

/** In the language that is spoken now; plain words stay as they are. Throws when a value that the message needs is missing. */
export function sayPhrase(said: Said): string {
  if (typeof said === 'string') return said;
  const values = Object.entries(said.values ?? {}).map(([name, value]) => [name, written(value)]);
  return say(said.key, Object.fromEntries(values));
}

/** Several sentences, one after the other. */
export function sayAll(sentences: readonly Said[]): string {
  return sentences.map(sayPhrase).join(' ');
}

/** A value by itself, in words. */
export function sayValue(value: PhraseValue): string {
  return String(written(value));
}

function written(value: PhraseValue): string | number {
  if (typeof value !== 'object') return value;
  if ('key' in value) return sayPhrase(value);
  if ('list' in value) return formatList(value.list.map(sayValue));
  if ('names' in value) {
    const names = formatNames(value.names.map(sayValue));
    return value.more ? say('general.andMore', { names, more: value.more }) : names;
  }
  return figure(value);
}

function figure(value: Figure): string {
  if ('bytes' in value) return formatBytes(value.bytes);
  if ('time' in value) return formatDayAndClock(value.time);
  if ('duration' in value) return formatDuration(value.duration);
  return 'bytesPerSecond' in value ? formatRate(value.bytesPerSecond) : formatFileRate(value.filesPerSecond);
}
