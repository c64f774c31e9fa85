/**
 * A small, safe part of Markdown as a tree: headings, paragraphs, lists, quotes, code; emphasis, code and links within. Whatever is not understood stays the
 * text that it is, HTML above all, and nothing here ever becomes markup by itself: the page draws the tree.
 */

import { type Inline, parseInline } from './markdown-inline.ts';

export type { Inline } from './markdown-inline.ts';

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'paragraph' | 'quote'; readonly children: readonly Inline[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'code'; readonly text: string };

const heading = /^ {0,3}(#{1,6})[ \t](.*)$/;
const bullet = /^ {0,3}[-*+][ \t](.*)$/;
const numbered = /^ {0,3}\d{1,9}[.)][ \t](.*)$/;
const quote = /^ {0,3}>[ \t]?(.*)$/;
const fence = /^ {0,3}(`{3,}|~{3,})/;

export function parseMarkdown(text: string): readonly Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  const line = () => lines[at] ?? '';
  /** Takes lines while they fit, as what the pattern captures. */
  const takeAll = (pattern: RegExp) => {
    const taken: string[] = [];
    for (let found = pattern.exec(line()); at < lines.length && found; found = pattern.exec(line())) {
      taken.push((found[1] ?? '').trimStart());
      at += 1;
    }
    return taken;
  };
  while (at < lines.length) {
    const title = heading.exec(line());
    const opened = fence.exec(line())?.[1];
    if (line().trim() === '') at += 1;
    else if (title) {
      blocks.push({
        kind: 'heading',
        level: (title[1] ?? '').length,
        children: parseInline(titleOf(title[2] ?? '')),
      });
      at += 1;
    } else if (opened) {
      let end = at + 1;
      while (end < lines.length && !lines[end]?.trim().startsWith(opened)) end += 1;
      blocks.push({ kind: 'code', text: lines.slice(at + 1, end).join('\n') });
      at = end + 1;
    } else if (bullet.test(line())) {
      blocks.push({ kind: 'list', ordered: false, items: takeAll(bullet).map((item) => parseInline(item)) });
    } else if (numbered.test(line())) {
      blocks.push({ kind: 'list', ordered: true, items: takeAll(numbered).map((item) => parseInline(item)) });
    } else if (quote.test(line())) {
      blocks.push({ kind: 'quote', children: parseInline(takeAll(quote).join('\n')) });
    } else blocks.push({ kind: 'paragraph', children: parseInline(takeParagraph()) });
  }
  return blocks;

  function takeParagraph(): string {
    const taken: string[] = [];
    const others = [heading, bullet, numbered, quote, fence];
    while (
      at < lines.length &&
      line().trim() !== '' &&
      (taken.length === 0 || !others.some((one) => one.test(line())))
    ) {
      taken.push(line().trim());
      at += 1;
    }
    return taken.join('\n');
  }
}

/** A row of `#` may close a title. */
const titleOf = (text: string): string =>
  text
    .trim()
    .replace(/(?<!#)#+$/, '')
    .trimEnd();
