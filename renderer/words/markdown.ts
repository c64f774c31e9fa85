/**
 * A small, safe part of Markdown as a tree: headings, paragraphs, lists, quotes, code; emphasis, code and links within. Whatever is not understood stays the
 * text that it is, HTML above all, and nothing here ever becomes markup by itself: the page draws the tree.
 */

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly children: readonly Inline[] }
  /** Not to be followed from here: its address is shown. */
  | { readonly kind: 'link'; readonly address: string; readonly children: readonly Inline[] };

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'paragraph' | 'quote'; readonly children: readonly Inline[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'code'; readonly text: string };

const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/;
const bullet = /^ {0,3}[-*+][ \t]+(.*)$/;
const numbered = /^ {0,3}\d{1,9}[.)][ \t]+(.*)$/;
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
      taken.push(found[1] ?? '');
      at += 1;
    }
    return taken;
  };
  while (at < lines.length) {
    const title = heading.exec(line());
    const opened = fence.exec(line())?.[1];
    if (line().trim() === '') at += 1;
    else if (title) {
      blocks.push({ kind: 'heading', level: (title[1] ?? '').length, children: parseInline(title[2] ?? '') });
      at += 1;
    } else if (opened) {
      const end = lines.findIndex((one, index) => index > at && one.trim().startsWith(opened));
      blocks.push({ kind: 'code', text: lines.slice(at + 1, end === -1 ? undefined : end).join('\n') });
      at = end === -1 ? lines.length : end + 1;
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

/** Nothing nests deeper than this; what would stays text. */
const deepest = 6;
/** No span is longer than 500 characters: unclosed ones in a long text would take their time. */
const marks =
  /\\([\\`*_{}[\]()#+\-.!>])|`([^`\n]{1,500})`|\*\*(?=\S)([^\n]{0,500}?\S)\*\*(?!\*)|\*(?=[^\s*])([^*\n]{0,500}?[^\s*])\*|(?<!\w)_(?=[^\s_])([^_\n]{0,500}?[^\s_])_(?!\w)|\[([^[\]\n]{1,500})\]\(([^()\s]{1,500})\)/;

function parseInline(text: string, depth = 0): readonly Inline[] {
  const pieces: Inline[] = [];
  let plain = '';
  const endPlain = () => {
    if (plain !== '') pieces.push({ kind: 'text', text: plain });
    plain = '';
  };
  let rest = text;
  while (rest !== '') {
    const found = depth < deepest ? marks.exec(rest) : null;
    if (!found) break;
    const [whole, escaped, code, strong, star, underscore, label, address] = found;
    plain += rest.slice(0, found.index);
    rest = rest.slice(found.index + whole.length);
    const emphasis = star ?? underscore;
    if (escaped !== undefined) {
      plain += escaped;
      continue;
    }
    endPlain();
    if (code !== undefined) pieces.push({ kind: 'code', text: code });
    else if (strong !== undefined) pieces.push({ kind: 'strong', children: parseInline(strong, depth + 1) });
    else if (emphasis !== undefined)
      pieces.push({ kind: 'emphasis', children: parseInline(emphasis, depth + 1) });
    else pieces.push({ kind: 'link', address: address ?? '', children: parseInline(label ?? '', depth + 1) });
  }
  plain += rest;
  endPlain();
  return pieces;
}
