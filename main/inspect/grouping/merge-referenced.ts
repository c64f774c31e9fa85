import { add } from '../../files/places.ts';
import { type KeyedFiles, keyAt, type Loose, type Nature } from './natures.ts';
import { Surroundings } from './surroundings.ts';

/** Natures that a model may own by reference; never data of other kinds. */
const canBeNamed: ReadonlySet<Nature> = new Set<Nature>([
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
export function withNamed(
  files: KeyedFiles,
  looseSets: readonly Loose[],
  referencingKeys: ReadonlyMap<string, string>,
): readonly Loose[] {
  if (referencingKeys.size === 0) return looseSets;
  const naming = new Set(referencingKeys.values());
  const setOf = new Map<string, Loose>();
  const models = new Surroundings();
  for (const set of looseSets) {
    if (set.nature === '3D_MODEL') models.add(set);
    for (const place of set.files) {
      const key = keyAt(files, place);
      if (naming.has(key)) setOf.set(key, set);
    }
  }
  const ownerOf = (set: Loose): Loose | null => {
    for (let [currentSet, steps] = [set, 0]; steps < maxSteps; steps++) {
      const referencingSet = setOf.get(referencingKeys.get(currentSet.primary) ?? '');
      if (referencingSet?.nature === '3D_MODEL') return referencingSet;
      if (!referencingSet) return currentSet === set ? null : models.ownerFor(currentSet);
      currentSet = referencingSet;
    }
    return null;
  };
  const remainingSets: Loose[] = [];
  const owned: (readonly [Loose, Loose])[] = [];
  for (const set of looseSets) {
    const owner = canBeNamed.has(set.nature) ? ownerOf(set) : null;
    if (owner) owned.push([owner, set]);
    else remainingSets.push(set);
  }
  for (const [owner, set] of owned) add(owner.files, set.files);
  return remainingSets;
}
