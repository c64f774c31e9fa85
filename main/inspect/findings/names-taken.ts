import type { Look } from '../headers/look-inside.ts';
import { NamesFound } from './find-in-names.ts';
import { Listing, needsListing } from './references.ts';

/** What the names of all files of a source tell. */
export interface NamesTaken {
  readonly names: NamesFound;
  /** In which what files name is looked up; null where nothing was seen that needs it. */
  readonly listing: Listing | null;
  /** `nameBeside` of all files that have one; null where nothing was seen that needs them. */
  readonly besides: ReadonlySet<string> | null;
}

/** Takes the names of files. `seen`: all that will be told of these files. */
export function takeNames(
  files: Iterable<{ readonly key: string; readonly size: number }>,
  seen: readonly Look[],
): NamesTaken {
  const names = new NamesFound();
  const listing = seen.some(needsListing) ? new Listing() : null;
  const besides = seen.some(({ head }) => head?.kind === 'tiff') ? new Set<string>() : null;
  for (const file of files) {
    names.add(file);
    listing?.add(file.key);
    const beside = besides && nameBeside(file.key);
    if (beside !== null) besides?.add(beside);
  }
  return { names, listing, besides };
}

/** Files beside a raster that tell where it lies. */
const besideRasters = /(?:\.(?:tfw|tifw|tiffw|wld|tab|rpb|aux\.xml)|_rpc\.txt)$/;

/** Of a file that may tell something of the raster beside it, its key in lower case; null for others. */
export function nameBeside(key: string): string | null {
  const name = key.toLowerCase();
  return besideRasters.test(name) ? name : null;
}
