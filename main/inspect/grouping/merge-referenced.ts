import { add } from '../../files/places.ts';
import { type FileClass, type FileSet, type KeyedFiles, keyAt } from './file-classes.ts';
import { Surroundings } from './surroundings.ts';

/** Natures that a model may own by reference; never data of other kinds. */
const referenceableNatures: ReadonlySet<FileClass> = new Set<FileClass>([
  ...(['RASTER_IMAGERY', 'RASTER_TERRAIN', 'picture', 'note', 'unknown'] as const),
]);
/** Enough from a texture through its library to the model. */
const maxSteps = 4;

/**
 * Assigns referenced files to models, so that TIFF textures aren't imagery. Other libraries belong to the
 * nearest model.
 *
 * @param referencingKeys keys with the referencing file's key
 */
export function mergeReferenced(
  files: KeyedFiles,
  looseSets: readonly FileSet[],
  referencingKeys: ReadonlyMap<string, string>,
): readonly FileSet[] {
  if (referencingKeys.size === 0) return looseSets;
  const referencingFiles = new Set(referencingKeys.values());
  const setOf = new Map<string, FileSet>();
  const models = new Surroundings();
  for (const set of looseSets) {
    if (set.fileClass === '3D_MODEL') models.add(set);
    for (const place of set.files) {
      const key = keyAt(files, place);
      if (referencingFiles.has(key)) setOf.set(key, set);
    }
  }
  const ownerOf = (set: FileSet): FileSet | null => {
    for (let [currentSet, steps] = [set, 0]; steps < maxSteps; steps++) {
      const referencingSet = setOf.get(referencingKeys.get(currentSet.primary) ?? '');
      if (referencingSet?.fileClass === '3D_MODEL') return referencingSet;
      if (!referencingSet) return currentSet === set ? null : models.ownerFor(currentSet);
      currentSet = referencingSet;
    }
    return null;
  };
  const remainingSets: FileSet[] = [];
  const owned: (readonly [FileSet, FileSet])[] = [];
  for (const set of looseSets) {
    const owner = referenceableNatures.has(set.fileClass) ? ownerOf(set) : null;
    if (owner) owned.push([owner, set]);
    else remainingSets.push(set);
  }
  for (const [owner, set] of owned) add(owner.files, set.files);
  return remainingSets;
}
