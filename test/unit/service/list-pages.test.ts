import { describe, expect, it } from 'vitest';
import type { ListPage } from '../../../main/service/answers.ts';
import { maxPages, nextInLink, readAllPages } from '../../../main/service/list-pages.ts';
import type { Asset } from '../../../main/service/model.ts';

const firstUrl = 'https://api.example.com/v1/assets';
const asset = (id: number): Asset => {
  const texts = { type: 'IMAGERY', name: 'A', description: '', attribution: '', dateAdded: '', status: 'X' };
  return { id, ...texts, bytes: 0, percentComplete: 0 };
};

/** Serves pages by address, each with one asset whose id is its index. */
async function readFrom(nextUrl: (url: string, index: number) => string | null) {
  const read: string[] = [];
  const stops: string[] = [];
  const readPage = async (url: string): Promise<ListPage> => {
    read.push(url);
    return { assets: [asset(read.length)], droppedCount: 0, next: nextUrl(url, read.length) };
  };
  const assets = await readAllPages(firstUrl, readPage, (why) => stops.push(why));
  return { ids: assets.map(({ id }) => id), read, stops };
}

describe('readAllPages()', () => {
  it('G17: reads to the end by absolute and relative addresses', async () => {
    const { ids, read, stops } = await readFrom(
      (_, index) => [null, '?page=2', `${firstUrl}?page=3`][index] ?? null,
    );
    expect(ids).toEqual([1, 2, 3]);
    expect(read).toEqual([firstUrl, `${firstUrl}?page=2`, `${firstUrl}?page=3`]);
    expect(stops).toEqual([]);
  });

  it.each([
    ['elsewhere', 'https://evil.example/v1/assets'],
    ['elsewhere', 'http://api.example.com/v1/assets?page=2'],
    ['loop', firstUrl],
    ['loop', '#top'],
  ])('readAllPages() follows no link %s: %s', async (why, nextUrl) => {
    const { ids, read, stops } = await readFrom(() => nextUrl);
    expect([ids, read, stops]).toEqual([[1], [firstUrl], [why]]);
  });

  it('readAllPages() ends even if every page names another', async () => {
    const { read, stops } = await readFrom((_, index) => `?page=${index}`);
    expect(read).toHaveLength(maxPages);
    expect(stops).toEqual(['too-many']);
  });

  it('readAllPages() fails when a page can’t be read', async () => {
    const brokenPages = readAllPages(
      firstUrl,
      async (url) => {
        if (url !== firstUrl) throw new Error('broken');
        return { assets: [asset(1)], droppedCount: 0, next: '?page=2' };
      },
      () => {},
    );
    await expect(brokenPages).rejects.toThrow('broken');
  });

  it('readAllPages() lists an asset once that moved to the next page', async () => {
    const pages: ListPage[] = [
      { assets: [asset(1), asset(2)], droppedCount: 0, next: '?page=2' },
      { assets: [asset(2), asset(3)], droppedCount: 0, next: null },
    ];
    const assets = await readAllPages(
      firstUrl,
      async (url) => (url === firstUrl ? pages[0] : pages[1]) as ListPage,
      () => {},
    );
    expect(assets.map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});

it.each([
  ['<https://a/x?page=2>; rel="next"', 'https://a/x?page=2'],
  ['</x?a=1,2>; rel="prev", </x?page=3>; title="n"; rel=next', '/x?page=3'],
  ['</x>; rel="last next"', '/x'],
  ['</x>; rel="prev"', null],
  ['nonsense', null],
  [undefined, null],
])('nextInLink() reads %s as %s', (header, target) => expect(nextInLink(header)).toBe(target));
