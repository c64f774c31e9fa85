import type { TileliftBridge } from '../preload/contract.ts';

/**
 * What stands in the page without being a message of the catalogue: to be looked for in the pseudo-locale,
 * which puts each message in brackets.
 */

/** Attributes that a person reads or hears. */
const spoken = [
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'title',
  'placeholder',
  'alt',
];
/**
 * Words that are the same in every language: figures, codes, file names and extensions, addresses,
 * placeholders of patterns, names of the service's options.
 */
const sameEverywhere = [
  /^[^\p{L}]*$/u,
  /^Tilelift$/,
  /^[A-Z\d]+([_:.-][A-Z\d]+)*$/,
  /^\S*[./\\@]\S+$/,
  /^\{[a-z]+([A-Z][a-z]+)*\}$/,
  /^[a-z]+([A-Z][a-z]+)+$/,
  // Programs that code is copied for.
  /^(CesiumJS|Unreal|Engine|Unity)$/,
];
/** Times and dates as the locale writes them. */
const written = [
  /^\d\d:\d\d [AP]M$/,
  /^\d{1,2} \p{Lu}\p{Ll}{2,3}( \d{4})?( \d\d:\d\d)?$/u,
  /^\p{Lu}\p{Ll}{2,3} \d{1,2}(, \d{4})?(,? \d\d:\d\d [AP]M)?$/u,
];

/**
 * Words that are data: what crosses the bridge, what a person types, and the languages’ own names. The page’s
 * own words are none of them.
 */
export class CrossedData {
  readonly #words = new Set<string>();

  /** The same bridge, with an ear on it. */
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
   * Keeps every word of `value`. A sentence is not data, but what others have written: a description, or what
   * the service says.
   */
  keep(value: unknown, field = ''): void {
    if (typeof value === 'string') {
      const isSentence = /\p{L} .*\p{L}\.$/u.test(value) && !['message', 'description'].includes(field);
      if (!isSentence) for (const line of value.split('\n')) this.#words.add(plain(line));
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) this.keep(part, name);
    }
  }

  has(words: string): boolean {
    return [...this.#words].some((kept) => kept === words || isPartOf(words, kept));
  }
}

/** A name within a path or an address, or lines of a longer text. */
function isPartOf(words: string, kept: string): boolean {
  const at = kept.indexOf(words);
  if (at < 0) return false;
  const around = `${kept[at - 1] ?? ''}${kept[at + words.length] ?? ''}`;
  return words.length > 3 && !/[\p{L}\d]/u.test(around);
}

/** Text and accessible names outside all brackets that are not data. */
export function unsaid(data: CrossedData): readonly string[] {
  const found = new Set<string>();
  const check = (words: string, where: string) => {
    for (const piece of pieces(words)) {
      if (!isWritten(piece) && !data.has(piece)) found.add(`${where}: ${piece}`);
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
      // The locale names countries.
      element.closest('[data-testid=map-country]') ||
      isDocument(element)
    )
      continue;
    const { outside, left } = outsideOf(text, depth);
    depth = left;
    check(outside, element.tagName.toLowerCase());
  }
  if (depth !== 0) found.add(`a message is cut: ${depth} brackets stay open`);
  for (const element of document.querySelectorAll('*')) {
    if (!element.checkVisibility({ visibilityProperty: true }) || isDocument(element)) continue;
    for (const name of spoken) {
      const { outside, left } = outsideOf(element.getAttribute(name) ?? '', 0);
      check(outside, name);
      if (left !== 0) found.add(`${name}: a message is cut: ${element.getAttribute(name)}`);
    }
  }
  return [...found];
}

/** Pages of the help, in a language of their own. */
const isDocument = (element: Element) => element.closest('body [lang]') !== null;

/** No language says it: the locale writes it, it is JSON, or each of its words is the same everywhere. */
function isWritten(piece: string): boolean {
  const words = piece.split(/[\s,…]+/);
  return (
    written.some((form) => form.test(piece)) ||
    isJson(piece) ||
    words.every((word) => sameEverywhere.some((same) => same.test(word)) || joiningWords().includes(word))
  );
}

function isJson(piece: string): boolean {
  try {
    return typeof JSON.parse(piece) === 'object';
  } catch {
    return false;
  }
}

/** `and`, which the locale puts into a list: of `strings/format/list.ts`. */
function joiningWords(): readonly string[] {
  const list = new Intl.ListFormat(document.documentElement.lang, { type: 'conjunction' });
  return list.formatToParts(['1', '2', '3']).map(({ value }) => value.replaceAll(/[\s,]/g, ''));
}

/** What stands outside the brackets, a line for each piece, and how many brackets are open behind it. */
function outsideOf(text: string, depth: number): { readonly outside: string; readonly left: number } {
  let left = depth;
  let outside = '';
  for (const sign of text) {
    if (sign === '⟦') left += 1;
    if (left === 0) outside += sign;
    else if (!outside.endsWith('\n')) outside += '\n';
    if (sign === '⟧') left -= 1;
  }
  return { outside, left };
}

const pieces = (words: string) =>
  words
    .split(/\n| · /)
    .map(plain)
    .filter((piece) => piece !== '');

const plain = (words: string) => words.replaceAll(/\s+/g, ' ').trim();

/** Elements whose own words are wider or higher than there is room for, where no dots say so. */
export function cutOff(): readonly string[] {
  return [...document.querySelectorAll<HTMLElement>('body *')].filter(isCutOff).map((element) => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    return `${element.innerText.slice(0, 60)}: ${scrollWidth}×${scrollHeight} in ${clientWidth}×${clientHeight}`;
  });
}

function isCutOff(element: HTMLElement): boolean {
  const hasWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
  if (!hasWords || !element.checkVisibility({ visibilityProperty: true })) return false;
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
  const style = getComputedStyle(element);
  // Those of a pixel are read out, inline ones have no room of their own, and what scrolls can be reached.
  if (
    clientWidth <= 1 ||
    style.display === 'inline' ||
    style.overflowX === 'auto' ||
    style.overflowY === 'auto'
  )
    return false;
  const dots = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
  const isWide = scrollWidth > clientWidth + 1;
  const isHigh = style.overflowY !== 'visible' && scrollHeight > clientHeight + 1;
  return !dots && (isWide || isHigh);
}
