import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Block,
  type Inline,
  parseMarkdown,
} from '../../../../../renderer/components/markdown/markdown.ts';
import { growthOf, inProportion } from '../../../../security/support/growth.ts';

const text = (words: string): Inline => ({ kind: 'text', text: words });

const paragraph = (...children: readonly Inline[]): Block => ({ kind: 'paragraph', children });

/** All text of a tree, in reading order. */
function textOf(pieces: readonly (Block | Inline)[]): string {
  return pieces
    .map((piece) => {
      if ('text' in piece) return piece.text;
      if ('items' in piece) return piece.items.map(textOf).join('');
      if ('blocks' in piece) return textOf(piece.blocks);
      return 'children' in piece ? textOf(piece.children) : '';
    })
    .join('');
}

/** The depth of a tree. */
function depthOf(pieces: readonly (Block | Inline)[]): number {
  const innerDepths = pieces.map((piece) => {
    if ('items' in piece) return Math.max(0, ...piece.items.map(depthOf));
    if ('blocks' in piece) return depthOf(piece.blocks);
    return 'children' in piece ? depthOf(piece.children) : 0;
  });
  return 1 + Math.max(0, ...innerDepths);
}

it('parseMarkdown() parses headings, paragraphs, lists, quotes, code and rules', () => {
  const blocks = parseMarkdown(
    '# State\nof 2026\nand on\n- a\n  - b\n\n2. c\n> so\n>\n> on\n```\n<x>\n```\n***\nEnd\n===',
  );
  expect(blocks).toEqual([
    { kind: 'heading', level: 1, children: [text('State')] },
    paragraph(text('of 2026\nand on')),
    {
      kind: 'list',
      start: null,
      items: [[paragraph(text('a')), { kind: 'list', start: null, items: [[paragraph(text('b'))]] }]],
    },
    { kind: 'list', start: 2, items: [[paragraph(text('c'))]] },
    { kind: 'quote', blocks: [paragraph(text('so')), paragraph(text('on'))] },
    { kind: 'code', text: '<x>' },
    { kind: 'rule' },
    { kind: 'heading', level: 1, children: [text('End')] },
  ]);
});

it('parseMarkdown() parses emphasis, code, links and line breaks', () => {
  expect(parseMarkdown('a **b *c*** `d*` _e_ [f](https://g.example) snake_case_name  \n&amp;')).toEqual([
    paragraph(
      text('a '),
      { kind: 'strong', children: [text('b '), { kind: 'emphasis', children: [text('c')] }] },
      text(' '),
      { kind: 'code', text: 'd*' },
      text(' '),
      { kind: 'emphasis', children: [text('e')] },
      text(' '),
      { kind: 'link', address: 'https://g.example', children: [text('f')] },
      text(' snake_case_name'),
      { kind: 'break' },
      text('&'),
    ),
  ]);
});

it('parseMarkdown() keeps unsupported syntax as text, above all HTML', () => {
  for (const writtenText of [
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    'a <b onclick=alert(1)>',
    '2 * 3 * 4',
    '**open',
    '[a]',
  ]) {
    expect(parseMarkdown(writtenText)).toEqual([paragraph(text(writtenText))]);
  }
  expect(parseMarkdown('\\*plain\\*')).toEqual([paragraph(text('*plain*'))]);
});

it('parseMarkdown() shows an image as its text and address', () => {
  expect(parseMarkdown('![a](https://b.example/c.png)')).toEqual([
    paragraph({ kind: 'link', address: 'https://b.example/c.png', children: [text('a')] }),
  ]);
});

it('parseMarkdown() creates no link that would run code', () => {
  expect(parseMarkdown('[a](javascript:alert(1))')).toEqual([paragraph(text('[a](javascript:alert(1))'))]);
});

it('parseMarkdown() limits nesting', () => {
  for (const deepText of [
    `${'> '.repeat(5_000)}a`,
    `${'- '.repeat(5_000)}a`,
    `${'['.repeat(5_000)}a${'](b)'.repeat(5_000)}`,
    `${'*a _b '.repeat(500)}${'_ *'.repeat(500)}`,
  ])
    expect(depthOf(parseMarkdown(deepText))).toBeLessThan(40);
});

it('parseMarkdown() never throws and adds no text', () => {
  const writtenText = fc.string({
    unit: fc.constantFrom(...'ab *_`[]()#>-\\\n1.<&'.split('')),
    maxLength: 200,
  });
  fc.assert(
    fc.property(writtenText, (source) => {
      const letters = (words: string) => words.replaceAll(/[^ab<&]/g, '');
      // Link addresses and words after a code fence are not text.
      if (!source.includes('](') && !source.includes('```'))
        expect(letters(textOf(parseMarkdown(source)))).toBe(letters(source));
      else parseMarkdown(source);
    }),
    { numRuns: 500 },
  );
});

it('parseMarkdown() takes time proportional to the length of nested marks', () => {
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
    '> ',
    '![',
    '<a ',
  ]) {
    const text = (length: number) => piece.repeat(Math.ceil(length / piece.length));
    expect(growthOf(text, parseMarkdown), piece).toBeLessThan(inProportion);
  }
});
