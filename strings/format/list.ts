import type { Voice } from '../say.ts';

/** Several words in a row. */
export function listFormats({ say, perSpeech }: Voice) {
  const conjunction = perSpeech(({ locale }) => new Intl.ListFormat(locale, { type: 'conjunction' }));
  return {
    /** `a, b and c`. */
    formatList: (words: readonly string[]): string => conjunction().format(words),
    /** `a, b, c`: some of many, without an end. Empty for none. */
    formatNames([firstName = '', ...otherNames]: readonly string[]): string {
      return otherNames.reduce(
        (joinedNames, name) => say('general.nextName', { before: joinedNames, name }),
        firstName,
      );
    },
  };
}
