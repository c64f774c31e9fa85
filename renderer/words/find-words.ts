/** Text search: words in any order, without accents, by prefix. */

const simplify = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

export const wordsIn = (text: string): readonly string[] => simplify(text).match(/[\p{L}\d]+/gu) ?? [];

/** Function words, which look like the stems of `theme`, `sicher`, `Seite` and `Weile`. */
const functionWords: ReadonlySet<string> = new Set(['them', 'sich', 'seit', 'weil']);

/** Cuts English and German endings, so that `proxies` matches `proxy`, and `Zertifikate` `Zertifikat`. */
function stemOf(word: string): string {
  const stem = word.replace(/(?:ies|ing|ungen|ung|ed|ern|en|er|es|[esny])$/, '');
  return stem.length < 4 ? word : stem;
}

/** How well a query's word matches a text: whole 4, stem or prefix 3, substring 2, letters in order 1. */
function fitOf(queryWord: string, words: readonly string[]): number {
  let bestScore = 0;
  const stem = stemOf(queryWord);
  for (const word of words) {
    if (word === queryWord) return 4;
    const hasStem = stemOf(word) === stem && !functionWords.has(word);
    if (word.startsWith(queryWord) || hasStem) bestScore = Math.max(bestScore, 3);
    else if (queryWord.length > 1 && word.includes(queryWord)) bestScore = Math.max(bestScore, 2);
    else if (queryWord.length > 2 && hasInOrder(word, queryWord)) bestScore = Math.max(bestScore, 1);
  }
  return bestScore;
}

function hasInOrder(word: string, letters: string): boolean {
  let position = 0;
  for (const letter of letters) {
    position = word.indexOf(letter, position) + 1;
    if (position === 0) return false;
  }
  return true;
}

export interface WeightedText {
  readonly text: string;
  readonly weight: number;
  /** Least match, default 1: in long texts letters in order are everywhere. */
  readonly least?: 1 | 2 | 3;
}

/** Scores texts for a query. 0 if any of its words is missing, or for an empty query. */
export function scoreOf(question: readonly string[], texts: readonly WeightedText[]): number {
  const wordedTexts = texts.map(({ text, weight, least: minLetters = 1 }) => ({
    words: wordsIn(text),
    weight,
    least: minLetters,
  }));
  let score = 0;
  for (const queryWord of question) {
    const bestScore = Math.max(
      0,
      ...wordedTexts.map(({ words, weight, least: minLetters }) => {
        const fit = fitOf(queryWord, words);
        return fit < minLetters ? 0 : fit * weight;
      }),
    );
    if (bestScore === 0) return 0;
    score += bestScore;
  }
  return score;
}
