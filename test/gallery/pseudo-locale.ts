import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import type { Branch, Catalogue } from '../../strings/languages.ts';

/**
 * English with accents, a third longer, each message in brackets: what stands outside them is no message. Its
 * tag, as others have it too.
 */
export const pseudoTag = 'en-XA';

const plain = 'aceghiklnorstuyzACEGIKLNORSTUYZ';
const accented = 'àçéĝĥîķļñöŕšţûýžÀÇÉĜÎĶĻÑÖŔŠŢÛÝŽ';

/**
 * Catalogue of the pseudo-locale: arguments, plurals, choices and bold marks are those of the English one.
 */
export function pseudoCatalogue(english: Catalogue): Catalogue {
  return {
    ...branch(english),
    language: { ...branch(english.language), name: '⟦Þšéûðö⟧', locale: pseudoTag },
  };
}

function branch(part: Branch): Branch {
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      typeof value === 'string' ? pseudo(value) : branch(value),
    ]),
  );
}

/** As `strings/say.ts` reads them: what has no arguments is not ICU. */
export function pseudo(message: string): string {
  const words = message.includes('{')
    ? printAST(parse(message, { ignoreTag: true }).map(lengthened))
    : longer(message);
  return `⟦${words}⟧`;
}

function lengthened(element: MessageFormatElement): MessageFormatElement {
  if (element.type === TYPE.literal) return { ...element, value: longer(element.value) };
  if (element.type !== TYPE.plural && element.type !== TYPE.select) return element;
  const options = Object.entries(element.options).map(([name, option]) => [
    name,
    { ...option, value: option.value.map(lengthened) },
  ]);
  return { ...element, options: Object.fromEntries(options) };
}

/** Vowels twice: about a third more, and lines break where they did. */
function longer(words: string): string {
  return words
    .replaceAll(/[aeiou]/gi, '$&$&')
    .replaceAll(/[a-z]/gi, (letter) => accented[plain.indexOf(letter)] ?? letter);
}
