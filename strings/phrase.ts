import type { byteFormats } from './format/bytes.ts';
import type { listFormats } from './format/list.ts';
import type { Area, placeFormats } from './format/place.ts';
import type { timeFormats } from './format/time.ts';
import type { Key, Voice } from './say.ts';

/** A sentence that is stored or sent as a key, and translated for its reader. */
export interface Phrase {
  readonly key: Key;
  /** The message's arguments. */
  readonly values?: Readonly<Record<string, PhraseValue>> | undefined;
}

/**
 * A text for users that is stored or sent to another process. A string is data, or an earlier version's
 * sentence, which stays unchanged.
 */
export type Said = Phrase | string;

/** A message's argument, formatted for the locale. */
export type PhraseValue = string | number | Phrase | Figure | Enumeration;

export type Figure =
  | { readonly bytes: number }
  /** Day and time, ms since the epoch. */
  | { readonly time: number }
  /** In ms. */
  | { readonly duration: number }
  | { readonly bytesPerSecond: number }
  | { readonly filesPerSecond: number }
  | { readonly area: Area };

export type Enumeration =
  /** `a, b and c`. */
  | { readonly list: readonly PhraseValue[] }
  /** `a, b, c`; `more`: the number of unnamed ones. */
  | { readonly names: readonly PhraseValue[]; readonly more?: number };

type Formats = ReturnType<typeof byteFormats> &
  ReturnType<typeof listFormats> &
  ReturnType<typeof placeFormats> &
  ReturnType<typeof timeFormats>;

/** Formats stored or received sentences. */
export function phraseWords({ say }: Voice, formats: Formats) {
  /** Uses the current language; plain words stay unchanged. Throws if a value is missing. */
  function sayPhrase(phrase: Said): string {
    if (typeof phrase === 'string') return phrase;
    const values = Object.entries(phrase.values ?? {}).map(([name, value]) => [name, formatValue(value)]);
    return say(phrase.key, Object.fromEntries(values));
  }

  function formatValue(value: PhraseValue): string | number {
    if (typeof value !== 'object') return value;
    if ('key' in value) return sayPhrase(value);
    if ('list' in value) return formats.formatList(value.list.map(sayValue));
    if ('names' in value) {
      const names = formats.formatNames(value.names.map(sayValue));
      return value.more ? say('general.andMore', { names, more: value.more }) : names;
    }
    return figure(value);
  }

  function figure(value: Figure): string {
    if ('bytes' in value) return formats.formatBytes(value.bytes);
    if ('time' in value) return formats.formatDayAndClock(value.time);
    if ('duration' in value) return formats.formatDuration(value.duration);
    if ('area' in value) return formats.formatArea(value.area);
    return 'bytesPerSecond' in value
      ? formats.formatRate(value.bytesPerSecond)
      : formats.formatFileRate(value.filesPerSecond);
  }

  /** Formats a single value. */
  const sayValue = (value: PhraseValue): string => String(formatValue(value));

  return {
    sayPhrase,
    sayValue,
    /** Several sentences, one after the other. */
    sayAll: (sentences: readonly Said[]): string => sentences.map(sayPhrase).join(' '),
  };
}

export type PhraseWords = ReturnType<typeof phraseWords>;
