/** Marks within a line of Markdown. Looked for by hand: one expression for all of them would take more time than in proportion to a text of open marks. */

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly children: readonly Inline[] }
  /** Not to be followed from here: its address is shown. */
  | { readonly kind: 'link'; readonly address: string; readonly children: readonly Inline[] };

/** Nothing nests deeper than this; what would stays text. */
const deepest = 6;
/** Characters of one span: for a longer one nothing is looked through. */
const longest = 500;
const mark = /[\\`*_[]/g;

/** What a mark opens at its place, and how long it is with its marks. */
interface Span {
  readonly length: number;
  /** A text takes part in the text around it. */
  readonly piece: Inline;
}

/** The text with its emphasis, code and links. What is not understood stays text. */
export function parseInline(text: string, depth = 0): readonly Inline[] {
  const pieces: Inline[] = [];
  let plain = '';
  let at = 0;
  while (depth < deepest) {
    mark.lastIndex = at;
    const found = mark.exec(text)?.index;
    if (found === undefined) break;
    plain += text.slice(at, found);
    const span = spanAt(text, found, depth + 1);
    at = found + (span?.length ?? 1);
    if (!span) plain += text.charAt(found);
    else if (span.piece.kind === 'text') plain += span.piece.text;
    else {
      if (plain !== '') pieces.push({ kind: 'text', text: plain });
      plain = '';
      pieces.push(span.piece);
    }
  }
  plain += text.slice(at);
  if (plain !== '') pieces.push({ kind: 'text', text: plain });
  return pieces;
}

function spanAt(text: string, at: number, depth: number): Span | null {
  // Room for a label, an address and the marks around them; spans stay in their line.
  const [window = ''] = text.slice(at, at + 2 * longest + 4).split('\n', 1);
  const before = text.charAt(at - 1);
  if (window.startsWith('\\')) return escaped(window);
  if (window.startsWith('`')) return code(window);
  if (window.startsWith('**')) return strong(window, depth);
  if (window.startsWith('[')) return link(window, depth);
  return emphasis(window, before, depth);
}

function escaped(window: string): Span | null {
  const sign = window.charAt(1);
  return sign !== '' && '\\`*_{}[]()#+-.!>'.includes(sign)
    ? { length: 2, piece: { kind: 'text', text: sign } }
    : null;
}

function code(window: string): Span | null {
  const text = between(window, 1, window.indexOf('`', 1));
  return text === null ? null : { length: text.length + 2, piece: { kind: 'code', text } };
}

function strong(window: string, depth: number): Span | null {
  for (let end = window.indexOf('**', 3); end !== -1; end = window.indexOf('**', end + 1)) {
    const text = between(window, 2, end);
    if (text === null) return null;
    if (/^\s|\s$/.test(text) || window.charAt(end + 2) === '*') continue;
    return {
      length: text.length + 4,
      piece: { kind: 'strong', children: parseInline(text, depth) },
    };
  }
  return null;
}

/** `*so*`, and `_so_` where it is no part of a word. */
function emphasis(window: string, before: string, depth: number): Span | null {
  const sign = window.charAt(0);
  const text = between(window, 1, window.indexOf(sign, 1));
  if (text === null || /^\s|\s$/.test(text)) return null;
  const isInWord = sign === '_' && (/\w/.test(before) || /\w/.test(window.charAt(text.length + 2)));
  return isInWord
    ? null
    : { length: text.length + 2, piece: { kind: 'emphasis', children: parseInline(text, depth) } };
}

function link(window: string, depth: number): Span | null {
  const label = between(window, 1, window.indexOf('](', 1));
  if (label === null || /[[\]]/.test(label)) return null;
  const from = label.length + 3;
  const address = between(window, from, window.indexOf(')', from));
  if (address === null || /[(\s]/.test(address)) return null;
  return {
    length: from + address.length + 1,
    piece: { kind: 'link', address, children: parseInline(label, depth) },
  };
}

/** What stands between two places; null for nothing, and for too much. */
function between(window: string, from: number, to: number): string | null {
  return to > from && to - from <= longest ? window.slice(from, to) : null;
}
