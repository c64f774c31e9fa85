/** The built-in help: pages of `docs/help` in each available language. */

import { british } from '../../../../strings/languages.ts';
import { type Block, type Inline, parseMarkdown } from '../../../components/markdown/markdown.ts';
import { type PageName, pageNames } from '../../../state/guide.svelte.ts';

export interface HelpPage {
  readonly name: PageName;
  readonly language: string;
  readonly title: string;
  /** Markdown with its title in the first line. */
  readonly text: string;
}

const files = import.meta.glob<string>('../../../../docs/help/*/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** All pages in a language, or in English. */
export function helpPages(language: string): readonly HelpPage[] {
  const textOf = (pageLanguage: string, name: PageName) =>
    files[`../../../../docs/help/${pageLanguage}/${name}.md`];
  const helpLanguage = pageNames.every((name) => textOf(language, name)) ? language : british.language;
  return pageNames.map((name) => {
    const text = textOf(helpLanguage, name) ?? '';
    return { name, language: helpLanguage, title: titleOf(text), text };
  });
}

const titleOf = (text: string) => /^# (.*)$/m.exec(text)?.[1] ?? '';

/** The page that a link leads to; null for other addresses. */
export function pageLinkedBy(address: string): PageName | null {
  return pageNames.find((name) => address === `${name}.md`) ?? null;
}

export function linksOf({ text }: HelpPage): readonly string[] {
  const inInlines = (inlines: readonly Inline[]): readonly string[] =>
    inlines.flatMap((piece) => {
      if (!('children' in piece)) return [];
      return [...(piece.kind === 'link' ? [piece.address] : []), ...inInlines(piece.children)];
    });
  const inBlocks = (blocks: readonly Block[]): readonly string[] =>
    blocks.flatMap((block) => {
      if ('children' in block) return inInlines(block.children);
      if ('blocks' in block) return inBlocks(block.blocks);
      return 'items' in block ? block.items.flatMap(inBlocks) : [];
    });
  return inBlocks(parseMarkdown(text));
}
