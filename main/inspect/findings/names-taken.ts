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

/** Collects file names. `looks`: all inspected files. */
export function takeNames(
  files: Iterable<{ readonly key: string; readonly size: number }>,
  looks: readonly Look[],
): NamesTaken {
  const names = new NamesFound();
  const listing = looks.some(needsListing) ? new Listing() : null;
  const besides = looks.some(({ head }) => head?.kind === 'tiff') ? new Set<string>() : null;
  for (const file of files) {
    names.add(file);
    listing?.add(file.key);
    const besideName = besides && nameBeside(file.key);
    if (besideName !== null) besides?.add(besideName);
  }
  return { names, listing, besides };
}

const besideRasters = /(?:\.(?:tfw|tifw|tiffw|wld|tab|rpb|aux\.xml)|_rpc\.txt)$/;

/** Returns the lower-case key of a sidecar file that may place a raster, or null. */
export function nameBeside(key: string): string | null {
  const name = key.toLowerCase();
  return besideRasters.test(name) ? name : null;
}
