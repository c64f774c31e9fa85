/** Finding by words, as people type them: in any order, without accents, from the beginning of a word. */

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Words of a question or a text, without accents and case. */
export const wordsIn = (text: string): readonly string[] => plain(text).match(/[\p{L}\d]+/gu) ?? [];

/**
 * How well a word of the question fits words of a text: whole 4, beginning 3, within 2, letters in order 1.
 */
function fitOf(asked: string, words: readonly string[]): number {
  let best = 0;
  for (const word of words) {
    if (word === asked) return 4;
    if (word.startsWith(asked)) best = Math.max(best, 3);
    else if (asked.length > 1 && word.includes(asked)) best = Math.max(best, 2);
    else if (asked.length > 2 && hasInOrder(word, asked)) best = Math.max(best, 1);
  }
  return best;
}

function hasInOrder(word: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = word.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** A text to be found in, and how much it counts. */
export interface Weighed {
  readonly text: string;
  readonly weight: number;
  /** How well a word has to fit at least: in long texts letters in order are everywhere. Default 1. */
  readonly least?: 1 | 2 | 3;
}

/**
 * How well texts answer a question. Each of its words has to be in one of them; 0 where one is in none, and
 * for a question without words.
 */
export function scoreOf(question: readonly string[], texts: readonly Weighed[]): number {
  const worded = texts.map(({ text, weight, least = 1 }) => ({ words: wordsIn(text), weight, least }));
  let score = 0;
  for (const asked of question) {
    const best = Math.max(
      0,
      ...worded.map(({ words, weight, least }) => {
        const found = fitOf(asked, words);
        return found < least ? 0 : found * weight;
      }),
    );
    if (best === 0) return 0;
    score += best;
  }
  return score;
}
