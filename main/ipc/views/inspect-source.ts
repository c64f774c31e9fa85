import type { SourceView } from '../../../preload/contract.ts';
import type { Look } from '../../source/heads/look-inside.ts';
import type { Scan, SourceFile } from '../../source/model.ts';
import { partsOf, type SourcePart } from '../../source/source-parts.ts';
import { readZipNames } from '../../source/zip-names.ts';
import { type Knowledge, sourceView } from './source-view.ts';

export interface InspectOutside extends Knowledge {
  readonly scan: (paths: readonly string[]) => Promise<Scan>;
  readonly lookInside: (sources: readonly (readonly SourceFile[])[]) => Promise<ReadonlyMap<string, Look>>;
}

/** More than these are one asset, or a mistake. */
const mostParts = 50;

/**
 * Everything that the New asset sheet says of what was dropped.
 *
 * @throws TileliftError as `scanSource`
 */
export async function inspectSource(paths: readonly string[], outside: InspectOutside): Promise<SourceView> {
  const scan = await outside.scan(paths);
  const parts = paths.length > 1 ? await partsOf(paths, scan) : [];
  const several =
    parts.length > 1 && parts.length <= mostParts ? await Promise.all(parts.map(withArchive)) : [];
  const looks = await outside.lookInside(
    several.length > 0 ? several.map(({ files }) => files) : [scan.files],
  );
  return sourceView({ paths, scan, parts: several, looks }, outside);
}

/** Of an archive the names inside tell what it is. */
async function withArchive(part: SourcePart): Promise<SourcePart> {
  const [only, ...others] = part.files;
  if (!only?.key.toLowerCase().endsWith('.zip') || others.length > 0) return part;
  const archivedNames = await readZipNames(only.path);
  return archivedNames.length > 0 ? { ...part, archivedNames } : part;
}
