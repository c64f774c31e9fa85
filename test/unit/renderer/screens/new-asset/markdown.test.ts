import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Block,
  type Inline,
  parseMarkdown,
} from '../../../../../renderer/screens/new-asset/markdown/markdown.ts';
import { growthOf, inProportion } from '../../../../security/support/growth.ts';

const text = (words: string): Inline => ({ kind: 'text', text: words });

/** All text of a tree, as it would be read. */
function said(pieces: readonly (Block | Inline)[]): string {
  return pieces
    .map((piece) => {
      if ('text' in piece) return piece.text;
      if ('items' in piece) return piece.items.map(said).join('');
      return said(piece.children);
    })
    .join('');
}

describe('Markdown', () => {
  it('knows headings, paragraphs, lists, quotes and code', () => {
    const blocks = parseMarkdown('# State\nof 2026\nand on\n- a\n- b\n\n2. c\n> so\n```\n<x>\n```');
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, children: [text('State')] },
      { kind: 'paragraph', children: [text('of 2026\nand on')] },
      { kind: 'list', ordered: false, items: [[text('a')], [text('b')]] },
      { kind: 'list', ordered: true, items: [[text('c')]] },
      { kind: 'quote', children: [text('so')] },
      { kind: 'code', text: '<x>' },
    ]);
  });

  it('knows emphasis, code and links within a line', () => {
    expect(parseMarkdown('a **b *c*** `d*` _e_ [f](https://g.example) snake_case_name')).toEqual([
      {
        kind: 'paragraph',
        children: [
          text('a '),
          { kind: 'strong', children: [text('b '), { kind: 'emphasis', children: [text('c')] }] },
          text(' '),
          { kind: 'code', text: 'd*' },
          text(' '),
          { kind: 'emphasis', children: [text('e')] },
          text(' '),
          { kind: 'link', address: 'https://g.example', children: [text('f')] },
          text(' snake_case_name'),
        ],
      },
    ]);
  });

  it('leaves what it does not understand as it stands, HTML above all', () => {
    for (const written of [
      '<img src=x onerror=alert(1)>',
      '<script>alert(1)</script>',
      '2 * 3 * 4',
      '**open',
      '[a]',
      '\u0000',
    ]) {
      expect(parseMarkdown(written)).toEqual([{ kind: 'paragraph', children: [text(written)] }]);
    }
    expect(parseMarkdown('\\*plain\\*')).toEqual([{ kind: 'paragraph', children: [text('*plain*')] }]);
  });

  it('never fails, and says nothing that was not written', () => {
    const written = fc.string({
      unit: fc.constantFrom(...'ab *_`[]()#>-\\\n1.<&'.split('')),
      maxLength: 200,
    });
    fc.assert(
      fc.property(written, (given) => {
        const letters = (words: string) => words.replaceAll(/[^ab<&]/g, '');
        // Addresses of links and words after a code fence are not part of the text.
        if (!given.includes('](') && !given.includes('```'))
          expect(letters(said(parseMarkdown(given)))).toBe(letters(given));
        else parseMarkdown(given);
      }),
      { numRuns: 500 },
    );
  });

  it('takes as much longer over a text of marks as there is more of it', () => {
    for (const piece of [
      '**a *b _c `d [e ',
      '*',
      '**',
      '[',
      '[a](',
      '_a',
      '`',
      '\\',
      '```\n',
      '# ',
      '- \n',
      '**a **',
    ]) {
      const text = (length: number) => piece.repeat(Math.ceil(length / piece.length));
      expect(growthOf(text, parseMarkdown), piece).toBeLessThan(inProportion);
    }
  });
});
