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
  const sign = text.charAt(at);
  if (sign === '\\') return escaped(text, at);
  if (sign === '`') return code(text, at);
  if (sign === '[') return link(text, at, depth);
  return text.startsWith('**', at) ? strong(text, at, depth) : emphasis(text, at, depth);
}

function escaped(text: string, at: number): Span | null {
  const sign = text.charAt(at + 1);
  return sign !== '' && '\\`*_{}[]()#+-.!>'.includes(sign)
    ? { length: 2, piece: { kind: 'text', text: sign } }
    : null;
}

function code(text: string, at: number): Span | null {
  const inner = upTo(text, at + 1, '`');
  return inner === null ? null : { length: inner.length + 2, piece: { kind: 'code', text: inner } };
}

function strong(text: string, at: number, depth: number): Span | null {
  if (/\s/.test(text.charAt(at + 2))) return null;
  const window = text.slice(at, at + longest + 4);
  for (let end = window.indexOf('**', 3); end !== -1; end = window.indexOf('**', end + 1)) {
    // Of a row of stars only the last two close.
    while (window.charAt(end + 2) === '*') end += 1;
    if (/\s/.test(window.charAt(end - 1)) || text.charAt(at + end + 2) === '*') continue;
    const inner = window.slice(2, end);
    if (inner.includes('\n')) return null;
    return { length: end + 2, piece: { kind: 'strong', children: parseInline(inner, depth) } };
  }
  return null;
}

/** `*so*`, and `_so_` where it is no part of a word. */
function emphasis(text: string, at: number, depth: number): Span | null {
  const sign = text.charAt(at);
  const inner = upTo(text, at + 1, sign);
  if (inner === null || /\s/.test(inner.charAt(0)) || /\s/.test(inner.charAt(inner.length - 1))) return null;
  const length = inner.length + 2;
  const isInWord = /\w/.test(text.charAt(at - 1)) || /\w/.test(text.charAt(at + length));
  return sign === '_' && isInWord
    ? null
    : { length, piece: { kind: 'emphasis', children: parseInline(inner, depth) } };
}

function link(text: string, at: number, depth: number): Span | null {
  const label = upTo(text, at + 1, ']');
  if (label === null || label.includes('[')) return null;
  const from = at + label.length + 2;
  const address = text.charAt(from) === '(' ? upTo(text, from + 1, ')') : null;
  if (address === null || /[(\s]/.test(address)) return null;
  return {
    length: label.length + address.length + 4,
    piece: { kind: 'link', address, children: parseInline(label, depth) },
  };
}

/** What stands from there up to the sign, in one line; null for nothing, and for too much. */
function upTo(text: string, from: number, sign: string): string | null {
  const window = text.slice(from, from + longest + 1);
  const end = window.indexOf(sign);
  const inner = window.slice(0, Math.max(0, end));
  return inner === '' || inner.includes('\n') ? null : inner;
}
