import { type KnownSourceType, kindOf } from '../../../shared/kinds.ts';
import { PickedFiles } from '../../files/file-table.ts';
import type { SourceFiles } from '../../files/model.ts';
import { groupPlaces } from '../../files/places.ts';
import { extensionOf } from '../headers/choose.ts';
import { areOfOneCamera, hasSamples, isDerived, isElevation } from '../headers/describe-headers.ts';
import type { Look } from '../headers/look-inside.ts';
import type { ContentFacts } from './file-classes.ts';
import { folderOf, nearest } from './folders.ts';

/** Extensions inspected separately, so that each kind of data gets a share. */
const buckets = ['gml citygml', 'las laz', 'asc', 'tif tiff img', 'jpg jpeg png', 'xml', 'zip'];
const bucketOf = new Map(
  buckets.flatMap((endings, bucket) => endings.split(' ').map((extension) => [extension, bucket] as const)),
);

/** Groups the files to inspect; one group if that is enough. */
export function lookGroups(files: SourceFiles): readonly SourceFiles[] {
  const groups = groupPlaces(files, ({ key }) => bucketOf.get(extensionOf(key)));
  groups.delete(undefined);
  return groups.size > 1
    ? [...groups.values()].map((bucketPlaces) => new PickedFiles(files, bucketPlaces))
    : [files];
}

const rasters = new Set(['tif', 'tiff', 'img']);
const models = new Set(kindOf('3D_MODEL').extensions);

/**
 * Derives kinds from headers and archive names. Rasters of a folder share a kind by majority, or by overall
 * majority if none were inspected.
 *
 * @param archives kinds of inspected archives, by key
 * @param referencingKeys as `readReferences`; textures don't count as rasters
 */
export function contentFactsOf(
  looks: ReadonlyMap<string, Look>,
  archives: ReadonlyMap<string, KnownSourceType | null>,
  referencingKeys: ReadonlyMap<string, string>,
): ContentFacts {
  const heights = new Map<string, number>();
  let everywhere = 0;
  const captures = new Set<string>();
  for (const { key, head } of looks.values()) {
    if (head?.kind === 'capture') captures.add(folderOf(key));
    if (!hasSamples(head) || referencingKeys.has(key)) continue;
    const vote = isElevation(head) && !isDerived(key) ? 1 : -1;
    heights.set(folderOf(key), (heights.get(folderOf(key)) ?? 0) + vote);
    everywhere += vote;
  }
  const kindOf = (key: string) => {
    const extension = extensionOf(key);
    if (rasters.has(extension))
      return (heights.get(folderOf(key)) ?? everywhere) > 0 ? 'RASTER_TERRAIN' : undefined;
    const isOfCapture = () => nearest(folderOf(key), (folder) => captures.has(folder) || undefined) === true;
    if (captures.size > 0 && models.has(extension) && isOfCapture()) return '3D_CAPTURE';
    const head = looks.get(key)?.head;
    if (head?.kind === 'gml') return head.isCityGml ? 'CITYGML' : extension === 'xml' ? undefined : null;
    return archives.get(key);
  };
  const isPlacedPhoto = (key: string) => {
    const head = looks.get(key)?.head;
    return head?.kind === 'jpeg' ? head.hasPosition : undefined;
  };
  return {
    kindOf,
    isPlacedPhoto,
    areOfOneCamera: (keys) => areOfOneCamera(keys.flatMap((key) => looks.get(key) ?? [])),
    referencingKeys: referencingKeys,
  };
}

/** An archive whose names may reveal its kind. */
export const isArchive = (key: string): boolean => /[^/]\.zip$/i.test(key);
