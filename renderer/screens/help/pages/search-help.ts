import { scoreOf, type WeightedText, wordsIn } from '../../../words/find-words.ts';
import type { HelpPage } from './pages.ts';

interface FoundPage {
  readonly page: HelpPage;
  readonly line: string;
}

/** Pages with all words of the query, the best first; none for an empty query. */
export function searchHelp(pages: readonly HelpPage[], question: string): readonly FoundPage[] {
  const words = wordsIn(question);
  if (words.length === 0) return [];
  return pages
    .map((page) => ({ page, score: scoreOf(words, textsOf(page)), line: lineFor(page, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
}

function textsOf({ title, text }: HelpPage): readonly WeightedText[] {
  const headings = text.match(/^##+ .*$/gm) ?? [];
  return [
    { text: title, weight: 4 },
    { text: headings.join(' '), weight: 2 },
    { text, weight: 1, least: 2 },
  ];
}

/** The line with most of the words, without Markdown marks. */
function lineFor({ text }: HelpPage, words: readonly string[]): string {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^(?:#|```)/.test(line))
    .map((line) => line.replaceAll(/\]\([^)]*\)|[*`[\]]|^(?:-|\d+\.) /g, ''));
  const count = (line: string) =>
    words.filter((word) => scoreOf([word], [{ text: line, weight: 1, least: 2 }]) > 0).length;
  return lines.toSorted((a, b) => count(b) - count(a))[0] ?? '';
}
