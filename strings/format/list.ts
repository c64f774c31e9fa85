import type { Voice } from '../say.ts';

/** Lists of words. */
export function listFormats({ say, perSpeech }: Voice) {
  const conjunction = perSpeech(({ locale }) => new Intl.ListFormat(locale, { type: 'conjunction' }));
  return {
    /** `a, b and c`. */
    formatList: (words: readonly string[]): string => conjunction().format(words),
    /** `a, b, c`: the first of a longer list, so without "and". Empty for an empty list. */
    formatNames([firstName = '', ...otherNames]: readonly string[]): string {
      return otherNames.reduce(
        (joinedNames, name) => say('general.nextName', { before: joinedNames, name }),
        firstName,
      );
    },
    /** `a · b · c` of those that say something. A line breaks after a dot, never before one. */
    formatFacts: (facts: readonly (string | null | undefined)[]): string =>
      facts.filter(Boolean).join('\u00a0· '),
  };
}
