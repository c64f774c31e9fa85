import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import type { Branch, Catalogue } from '../../strings/languages.ts';

/**
 * Tag of the pseudo-locale, as other programs have it too: English with accents, each message in brackets, as
 * long as in the longest language. Text outside brackets is in no catalogue.
 */
export const pseudoTag = 'en-XA';

const plain = 'aceghiklnorstuyzACEGIKLNORSTUYZ';
const accented = 'àçéĝĥîķļñöŕšţûýžÀÇÉĜÎĶĻÑÖŔŠŢÛÝŽ';

/**
 * Catalogue of the pseudo-locale. A translation that is longer, or has a longer word, replaces the English in
 * the brackets: a layout with room for the pseudo-locale has room for every language.
 */
export function pseudoCatalogue(english: Catalogue, translations: readonly Catalogue[]): Catalogue {
  return {
    ...branch(english, translations),
    language: { ...branch(english.language, []), name: '⟦Þšéûðö⟧', locale: pseudoTag },
  };
}

function branch(english: Branch, translations: readonly Branch[]): Branch {
  return Object.fromEntries(
    Object.entries(english).map(([name, value]) => {
      const translated = translations.map((translation) => translation[name]);
      if (typeof value !== 'string') return [name, branch(value, translated.filter(isBranch))];
      const longerTranslation = translated.filter(isText).find((text) => isLonger(text, pseudo(value)));
      return [name, longerTranslation === undefined ? pseudo(value) : `⟦${longerTranslation}⟧`];
    }),
  );
}

const isText = (value: string | Branch | undefined) => typeof value === 'string';
const isBranch = (value: string | Branch | undefined) => typeof value === 'object';

/** Whether a message is longer than another in all, or by its longest word. */
export function isLonger(message: string, other: string): boolean {
  return message.length > other.length || longestWord(message) > longestWord(other);
}

function longestWord(message: string): number {
  return Math.max(...message.split(/[\s{}]+/).map((word) => word.length));
}

/** As `strings/say.ts` reads them: what has no arguments is not ICU. */
export function pseudo(message: string): string {
  const words = message.includes('{')
    ? printAST(parse(message, { ignoreTag: true }).map(withAccents))
    : addAccents(message);
  return `⟦${words}⟧`;
}

function withAccents(element: MessageFormatElement): MessageFormatElement {
  if (element.type === TYPE.literal) return { ...element, value: addAccents(element.value) };
  if (element.type !== TYPE.plural && element.type !== TYPE.select) return element;
  const options = Object.entries(element.options).map(([name, option]) => [
    name,
    { ...option, value: option.value.map(withAccents) },
  ]);
  return { ...element, options: Object.fromEntries(options) };
}

function addAccents(words: string): string {
  return words.replaceAll(/[a-z]/gi, (letter) => accented[plain.indexOf(letter)] ?? letter);
}
