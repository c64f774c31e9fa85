import type { Voice } from '../say.ts';

/** Several words in a row. */
export function listFormats({ say, perSpeech }: Voice) {
  const all = perSpeech(({ locale }) => new Intl.ListFormat(locale, { type: 'conjunction' }));
  return {
    /** `a, b and c`. */
    formatList: (words: readonly string[]): string => all().format(words),
    /** `a, b, c`: some of many, without an end. Empty for none. */
    formatNames([first = '', ...others]: readonly string[]): string {
      return others.reduce((before, name) => say('general.nextName', { before, name }), first);
    },
  };
}
