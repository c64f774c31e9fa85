import type { ListPage } from './answers.ts';
import type { Asset } from './model.ts';
import { atOrigin } from './service-address.ts';

/** More than any account has; a list that continues beyond them is a loop with ever new addresses. */
export const maxPages = 500;

/**
 * A list page by page, as far as it goes (contract 4.5 shows one page and no paging). It is followed at its
 * own origin only, and no page is read twice. `onStop` is told why a next page that was offered is not read.
 *
 * @throws whatever reading a page throws: half a list is none, since what is missing may be what is looked
 *   for
 */
export async function readAllPages(
  first: string,
  readPage: (url: string) => Promise<ListPage>,
  onStop: (why: 'elsewhere' | 'loop' | 'too-many') => void,
): Promise<readonly Asset[]> {
  const assets = new Map<number, Asset>();
  const seen = new Set<string>();
  for (let url = first; ; ) {
    seen.add(url);
    const page = await readPage(url);
    // Between two pages an asset may have moved from one to the other.
    for (const asset of page.assets) assets.set(asset.id, asset);
    if (page.next === null) break;
    const next = atOrigin(page.next, url);
    const why = next === null ? 'elsewhere' : seen.has(next) ? 'loop' : seen.size >= maxPages && 'too-many';
    if (why || next === null) {
      onStop(why || 'elsewhere');
      break;
    }
    url = next;
  }
  return [...assets.values()];
}

/** The target of `rel=next` in a `Link` header (RFC 8288); null without one. */
export function nextInLink(header: string | undefined): string | null {
  for (const [, target, parameters] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters ?? '');
    const relations = (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/);
    if (target && relations.includes('next')) return target;
  }
  return null;
}
