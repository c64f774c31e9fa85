/**
 * CommonMark as a tree that the page draws. Nothing of it ever becomes markup by itself: HTML stays the text
 * that it is, links and images are their text and their address. The time it takes grows as the text does,
 * whatever stands in it.
 */

import MarkdownIt, { type Token } from 'markdown-it';

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'emphasis'; readonly children: readonly Inline[] }
  /** Of a page or a picture. Not to be followed from here: its address is shown. */
  | { readonly kind: 'link'; readonly address: string; readonly children: readonly Inline[] };

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list';
      /** Its first number; null for one with bullets. */
      readonly start: number | null;
      readonly items: readonly (readonly Block[])[];
    }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'rule' };

/** Of blocks in blocks, and of marks in marks. Deeper blocks are left out; of marks the text stays. */
const maxNesting = 24;
const parser = new MarkdownIt('commonmark', { html: false, maxNesting });

export function parseMarkdown(text: string): readonly Block[] {
  return nested(parser.parse(text, {})).map(blockOf);
}

/** A token with those between it and the one that closes it. */
interface Branch {
  readonly token: Token;
  readonly inner: readonly Branch[];
}

function nested(tokens: readonly Token[]): readonly Branch[] {
  const root: Branch[] = [];
  const open: Branch[][] = [root];
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop();
      continue;
    }
    const around = open.at(-1) ?? root;
    if (token.nesting > 0 && open.length > maxNesting) {
      // Too deep: what is in it stands in its place.
      open.push(around);
      continue;
    }
    const inner: Branch[] = [];
    around.push({ token, inner });
    if (token.nesting > 0) open.push(inner);
  }
  return root;
}

function blockOf({ token, inner }: Branch): Block {
  switch (token.type) {
    case 'heading_open':
      return { kind: 'heading', level: Number(token.tag.slice(1)), children: inlinesIn(inner) };
    case 'fence':
    case 'code_block':
      return { kind: 'code', text: token.content.replace(/\n$/, '') };
    case 'hr':
      return { kind: 'rule' };
    case 'blockquote_open':
      return { kind: 'quote', blocks: inner.map(blockOf) };
    case 'bullet_list_open':
    case 'ordered_list_open':
      return {
        kind: 'list',
        start: token.type === 'bullet_list_open' ? null : Number(token.attrGet('start') ?? 1),
        items: inner.map((item) => item.inner.map(blockOf)),
      };
    default:
      return { kind: 'paragraph', children: inlinesIn(inner) };
  }
}

/** What stands in a heading or a paragraph: one token that has all the others. */
const inlinesIn = (inner: readonly Branch[]): readonly Inline[] =>
  inner.flatMap(({ token }) => inlinesOf(nested(token.children ?? [])));

function inlinesOf(branches: readonly Branch[]): readonly Inline[] {
  const pieces: Inline[] = [];
  for (const piece of branches.map(inlineOf)) {
    const last = pieces.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text')
      pieces[pieces.length - 1] = { kind: 'text', text: last.text + piece.text };
    else if (piece.kind !== 'text' || piece.text !== '') pieces.push(piece);
  }
  return pieces;
}

function inlineOf({ token, inner }: Branch): Inline {
  switch (token.type) {
    case 'code_inline':
      return { kind: 'code', text: token.content };
    case 'softbreak':
      return { kind: 'text', text: '\n' };
    case 'hardbreak':
      return { kind: 'break' };
    case 'strong_open':
      return { kind: 'strong', children: inlinesOf(inner) };
    case 'em_open':
      return { kind: 'emphasis', children: inlinesOf(inner) };
    case 'link_open':
      return { kind: 'link', address: String(token.attrGet('href') ?? ''), children: inlinesOf(inner) };
    case 'image':
      return {
        kind: 'link',
        address: String(token.attrGet('src') ?? ''),
        children: inlinesOf(nested(token.children ?? [])),
      };
    default:
      return { kind: 'text', text: token.content };
  }
}
