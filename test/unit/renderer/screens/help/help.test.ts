import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { helpPages, linksOf, pageLinkedBy } from '../../../../../renderer/screens/help/pages/pages.ts';
import { searchHelp } from '../../../../../renderer/screens/help/pages/search-help.ts';
import { pageNames } from '../../../../../renderer/state/guide.svelte.ts';

const folder = join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'help');
const languages = readdirSync(folder);

describe('the help', () => {
  it('the help exists in English and German', () => expect(languages.toSorted()).toEqual(['de', 'en']));

  it.each(languages)('the help has exactly the expected pages in %s', (language) => {
    const files = readdirSync(join(folder, language)).toSorted();
    expect(files).toEqual(pageNames.map((name) => `${name}.md`).toSorted());
  });

  it.each(languages)('the help has one title for each page in %s', (language) => {
    for (const { text, title, language: pageLanguage } of helpPages(language)) {
      expect(pageLanguage).toBe(language);
      expect(title).not.toBe('');
      expect(text.startsWith(`# ${title}\n`)).toBe(true);
      expect(text.match(/^# /gm)).toHaveLength(1);
    }
  });

  it.each(languages)('links only to existing pages in %s', (language) => {
    const links = helpPages(language).flatMap((page) => linksOf(page));
    expect(links.length).toBeGreaterThan(15);
    expect(links.filter((address) => pageLinkedBy(address) === null)).toEqual([]);
  });

  it.each(languages)('links the same pages in %s as in English, in order', (language) => {
    expect(helpPages(language).map(linksOf)).toEqual(helpPages('en').map(linksOf));
  });

  it('the help falls back to English', () => expect(helpPages('fr')).toEqual(helpPages('en')));
});

describe('searchHelp()', () => {
  const foundPages = (question: string, language = 'en') =>
    searchHelp(helpPages(language), question).map(({ page }) => page.name);

  it('searchHelp() ranks matches in the title first, in any order', () => {
    expect(foundPages('reference coordinate')[0]).toBe('coordinate-systems');
    expect(foundPages('proxies')[0]).toBe('network');
  });

  it('searchHelp() finds text in pages and shows it', () => {
    const [firstPage] = searchHelp(helpPages('en'), 'exit code');
    expect(firstPage?.page.name).toBe('check-data');
    expect(firstPage?.line).toContain('exit code');
  });

  it('searchHelp() requires every word', () => {
    expect(foundPages('proxy zzz')).toEqual([]);
    expect(foundPages('')).toEqual([]);
  });

  it('searchHelp() matches German words without umlauts and inside compounds', () => {
    expect(foundPages('uberwachte', 'de')[0]).toBe('watched-folders');
    expect(foundPages('referenzsystem', 'de')[0]).toBe('coordinate-systems');
  });
});
