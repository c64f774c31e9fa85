/**
 * Parses CommonMark into a tree, in linear time. Nothing becomes markup by itself: HTML stays text, links and
 * images become text with addresses.
 */

import MarkdownIt, { type Token } from 'markdown-it';

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'emphasis'; readonly children: readonly Inline[] }
  /** A link or an image; its address is shown, not followed. */
  | { readonly kind: 'link'; readonly address: string; readonly children: readonly Inline[] };

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list';
      /** The first number; null for bullets. */
      readonly start: number | null;
      readonly items: readonly (readonly Block[])[];
    }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'rule' };

/** Most nested blocks or marks. Deeper blocks are dropped; deeper marks keep their text. */
const maxNesting = 24;
const parser = new MarkdownIt('commonmark', { html: false, maxNesting });

export function parseMarkdown(text: string): readonly Block[] {
  return nestTokens(parser.parse(text, {})).map(blockOf);
}

/** A token with its children up to the closing token. */
interface TokenBranch {
  readonly token: Token;
  readonly children: readonly TokenBranch[];
}

function nestTokens(tokens: readonly Token[]): readonly TokenBranch[] {
  const root: TokenBranch[] = [];
  const stack: TokenBranch[][] = [root];
  for (const token of tokens) {
    if (token.nesting < 0) {
      stack.pop();
      continue;
    }
    const parent = stack.at(-1) ?? root;
    if (token.nesting > 0 && stack.length > maxNesting) {
      // Too deep: attach the children to the parent.
      stack.push(parent);
      continue;
    }
    const children: TokenBranch[] = [];
    parent.push({ token, children });
    if (token.nesting > 0) stack.push(children);
  }
  return root;
}

function blockOf({ token, children }: TokenBranch): Block {
  switch (token.type) {
    case 'heading_open':
      return { kind: 'heading', level: Number(token.tag.slice(1)), children: inlinesIn(children) };
    case 'fence':
    case 'code_block':
      return { kind: 'code', text: token.content.replace(/\n$/, '') };
    case 'hr':
      return { kind: 'rule' };
    case 'blockquote_open':
      return { kind: 'quote', blocks: children.map(blockOf) };
    case 'bullet_list_open':
    case 'ordered_list_open':
      return {
        kind: 'list',
        start: token.type === 'bullet_list_open' ? null : Number(token.attrGet('start') ?? 1),
        items: children.map((item) => item.children.map(blockOf)),
      };
    default:
      return { kind: 'paragraph', children: inlinesIn(children) };
  }
}

/** Inline content of a heading or paragraph: one token has all children. */
const inlinesIn = (children: readonly TokenBranch[]): readonly Inline[] =>
  children.flatMap(({ token }) => inlinesOf(nestTokens(token.children ?? [])));

function inlinesOf(branches: readonly TokenBranch[]): readonly Inline[] {
  const pieces: Inline[] = [];
  for (const piece of branches.map(inlineOf)) {
    const lastPiece = pieces.at(-1);
    if (piece.kind === 'text' && lastPiece?.kind === 'text')
      pieces[pieces.length - 1] = { kind: 'text', text: lastPiece.text + piece.text };
    else if (piece.kind !== 'text' || piece.text !== '') pieces.push(piece);
  }
  return pieces;
}

function inlineOf({ token, children }: TokenBranch): Inline {
  switch (token.type) {
    case 'code_inline':
      return { kind: 'code', text: token.content };
    case 'softbreak':
      return { kind: 'text', text: '\n' };
    case 'hardbreak':
      return { kind: 'break' };
    case 'strong_open':
      return { kind: 'strong', children: inlinesOf(children) };
    case 'em_open':
      return { kind: 'emphasis', children: inlinesOf(children) };
    case 'link_open':
      return { kind: 'link', address: String(token.attrGet('href') ?? ''), children: inlinesOf(children) };
    case 'image':
      return {
        kind: 'link',
        address: String(token.attrGet('src') ?? ''),
        children: inlinesOf(nestTokens(token.children ?? [])),
      };
    default:
      return { kind: 'text', text: token.content };
  }
}
