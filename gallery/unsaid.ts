import type { TileliftBridge } from '../preload/contract.ts';

/** Finds text outside the catalogue, by the pseudo-locale, which puts each message in brackets. */

const spokenTexts = [
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'title',
  'placeholder',
  'alt',
];
/**
 * Language-independent text: figures, codes, file names and extensions, addresses, placeholders of patterns,
 * option names of the service.
 */
const sameEverywhere = [
  /^[^\p{L}]*$/u,
  /^Tilelift$/,
  /^[A-Z\d]+([_:.-][A-Z\d]+)*$/,
  /^\S*[./\\@]\S+$/,
  /^\{[a-z]+([A-Z][a-z]+)*\}$/,
  /^[a-z]+([A-Z][a-z]+)+$/,
  // Programs with code snippets.
  /^(CesiumJS|Unreal|Engine|Unity)$/,
];
/** Localized times and dates. */
const writtenPatterns = [
  /^\d\d:\d\d [AP]M$/,
  /^\d{1,2} \p{Lu}\p{Ll}{2,3}( \d{4})?( \d\d:\d\d)?$/u,
  /^\p{Lu}\p{Ll}{2,3} \d{1,2}(, \d{4})?(,? \d\d:\d\d [AP]M)?$/u,
];

/** Texts that are data: values that cross the bridge or are typed, and the languages’ own names. */
export class CrossedData {
  readonly #words = new Set<string>();

  /** Wraps the bridge to record its data. */
  listen(bridge: TileliftBridge): TileliftBridge {
    return {
      ...bridge,
      call: async (name, input) => {
        const answer = await bridge.call(name, input);
        this.keep(answer);
        this.keep(input);
        return answer;
      },
      on: (name, listener) =>
        bridge.on(name, (value) => {
          this.keep(value);
          listener(value);
        }),
    };
  }

  /**
   * Records all words of `value`. Sentences don't count as data, except texts by others: a description, or a
   * message of the service.
   */
  keep(value: unknown, field = ''): void {
    if (typeof value === 'string') {
      const isSentence = /\p{L} .*\p{L}\.$/u.test(value) && !['message', 'description'].includes(field);
      if (!isSentence) for (const line of value.split('\n')) this.#words.add(withPlainSpaces(line));
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) this.keep(part, name);
    }
  }

  has(words: string): boolean {
    return [...this.#words].some((text) => text === words || isPartOf(words, text));
  }
}

/** A segment of a path or an address, or lines of a longer text. */
function isPartOf(words: string, text: string): boolean {
  const index = text.indexOf(words);
  if (index < 0) return false;
  const neighbours = `${text[index - 1] ?? ''}${text[index + words.length] ?? ''}`;
  return words.length > 3 && !/[\p{L}\d]/u.test(neighbours);
}

export function unsaidTexts(data: CrossedData): readonly string[] {
  const problems = new Set<string>();
  const check = (words: string, place: string) => {
    for (const piece of pieces(words)) {
      if (!isWritten(piece) && !data.has(piece)) problems.add(`${place}: ${piece}`);
    }
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let depth = 0;
  while (walker.nextNode()) {
    const text = walker.currentNode.nodeValue ?? '';
    const element = walker.currentNode.parentElement;
    if (
      !element?.checkVisibility({ visibilityProperty: true }) ||
      // Commands are the same in every language.
      element.closest('style, script, code, pre') ||
      // The locale names countries, and towns have one name.
      element.closest('[data-testid=map-country], [data-testid=map-town]') ||
      isDocument(element)
    )
      continue;
    const { outside: outsideText, openCount } = outsideOf(text, depth);
    depth = openCount;
    check(outsideText, element.tagName.toLowerCase());
  }
  if (depth !== 0) problems.add(`a message is cut: ${depth} brackets stay open`);
  for (const element of document.querySelectorAll('*')) {
    if (!element.checkVisibility({ visibilityProperty: true }) || isDocument(element)) continue;
    for (const name of spokenTexts) {
      const { outside: outsideText, openCount } = outsideOf(element.getAttribute(name) ?? '', 0);
      check(outsideText, name);
      if (openCount !== 0) problems.add(`${name}: a message is cut: ${element.getAttribute(name)}`);
    }
  }
  return [...problems];
}

/** Help pages have their own language. */
const isDocument = (element: Element) => element.closest('body [lang]') !== null;

/** True if the locale formats it, it is JSON, or each word is language-independent. */
function isWritten(piece: string): boolean {
  const words = piece.split(/[\s,…]+/);
  return (
    writtenPatterns.some((form) => form.test(piece)) ||
    isJson(piece) ||
    words.every(
      (word) => sameEverywhere.some((pattern) => pattern.test(word)) || joiningWords().includes(word),
    )
  );
}

function isJson(piece: string): boolean {
  try {
    return typeof JSON.parse(piece) === 'object';
  } catch {
    return false;
  }
}

/** `and` from the locale's list format, see `strings/format/list.ts`. */
function joiningWords(): readonly string[] {
  const list = new Intl.ListFormat(document.documentElement.lang, { type: 'conjunction' });
  return list.formatToParts(['1', '2', '3']).map(({ value }) => value.replaceAll(/[\s,]/g, ''));
}

/** Text outside brackets, one piece per line, and the number of open brackets after it. */
function outsideOf(text: string, depth: number): { readonly outside: string; readonly openCount: number } {
  let openBrackets = depth;
  let outsideText = '';
  for (const sign of text) {
    if (sign === '⟦') openBrackets += 1;
    if (openBrackets === 0) outsideText += sign;
    else if (!outsideText.endsWith('\n')) outsideText += '\n';
    if (sign === '⟧') openBrackets -= 1;
  }
  return { outside: outsideText, openCount: openBrackets };
}

const pieces = (words: string) =>
  words
    .split(/\n|\s· /)
    .map(withPlainSpaces)
    .filter((piece) => piece !== '');

const withPlainSpaces = (words: string) => words.replaceAll(/\s+/g, ' ').trim();

/** Elements whose text is cut without an ellipsis. */
export function cutOff(): readonly string[] {
  return [...document.querySelectorAll<HTMLElement>('body *')].filter(isCutOff).map((element) => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    return `${element.innerText.slice(0, 60)}: ${scrollWidth}×${scrollHeight} in ${clientWidth}×${clientHeight}`;
  });
}

function isCutOff(element: HTMLElement): boolean {
  const hasWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
  // Text in drawings has no box of its own.
  if (!hasWords || element instanceof SVGElement) return false;
  if (!element.checkVisibility({ visibilityProperty: true })) return false;
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
  const style = getComputedStyle(element);
  // One-pixel elements are for screen readers, inline ones have no size of their own, and scrolling ones can
  // be scrolled.
  if (
    clientWidth <= 1 ||
    style.display === 'inline' ||
    style.overflowX === 'auto' ||
    style.overflowY === 'auto'
  )
    return false;
  const hasEllipsis = style.textOverflow === 'ellipsis';
  // Clamped lines end with an ellipsis, but a long word is cut without one.
  const isWide = scrollWidth > clientWidth + 1;
  const isHigh = style.overflowY !== 'visible' && scrollHeight > clientHeight + 1;
  return !hasEllipsis && (isWide || (isHigh && style.webkitLineClamp === 'none'));
}
