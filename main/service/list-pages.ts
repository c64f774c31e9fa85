import type { ListPage } from './answers.ts';
import type { Asset } from './model.ts';
import { atOrigin } from './service-address.ts';

/** Detects endless lists. */
export const maxPages = 500;

/**
 * Contract 4.5 has no paging. Follows addresses of the same origin once each; `onStop` gets the reason for
 * stopping.
 * @throws any error of reading, since an asset may be on a missing page
 */
export async function readAllPages(
  firstUrl: string,
  readPage: (url: string) => Promise<ListPage>,
  onStop: (why: 'elsewhere' | 'loop' | 'too-many') => void,
): Promise<readonly Asset[]> {
  const assets = new Map<number, Asset>();
  const visitedUrls = new Set<string>();
  for (let url = firstUrl; ; ) {
    visitedUrls.add(url);
    const page = await readPage(url);
    // It may move to another page between requests.
    for (const asset of page.assets) assets.set(asset.id, asset);
    if (page.next === null) break;
    const nextUrl = atOrigin(page.next, url);
    const why =
      nextUrl === null
        ? 'elsewhere'
        : visitedUrls.has(nextUrl)
          ? 'loop'
          : visitedUrls.size >= maxPages && 'too-many';
    if (why || nextUrl === null) {
      onStop(why || 'elsewhere');
      break;
    }
    url = nextUrl;
  }
  return [...assets.values()];
}

/** RFC 8288; null without one. */
export function nextInLink(header: string | undefined): string | null {
  for (const [, target, parameters] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters ?? '');
    const relations = (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/);
    if (target && relations.includes('next')) return target;
  }
  return null;
}
