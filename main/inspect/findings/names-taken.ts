import type { Look } from '../headers/look-inside.ts';
import { NamesFound } from './find-in-names.ts';
import { Listing, needsListing } from './references.ts';

/** Findings and lookups from the names of all files. */
export interface NamesTaken {
  readonly names: NamesFound;
  /** Null if no inspected file needs it. */
  readonly listing: Listing | null;
  /** Results of `nameBeside`; null if no inspected file needs them. */
  readonly besides: ReadonlySet<string> | null;
}

/** Collects file names. `seen`: all inspected files. */
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

const besideRasters = /(?:\.(?:tfw|tifw|tiffw|wld|tab|rpb|aux\.xml)|_rpc\.txt)$/;

/** Returns the lower-case key of a sidecar file that may place a raster, or null. */
export function nameBeside(key: string): string | null {
  const name = key.toLowerCase();
  return besideRasters.test(name) ? name : null;
}
