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
 * @param named keys with the referencing file's key
 */
export function withNamed(
  files: KeyedFiles,
  found: readonly Loose[],
  named: ReadonlyMap<string, string>,
): readonly Loose[] {
  if (named.size === 0) return found;
  const naming = new Set(named.values());
  const setOf = new Map<string, Loose>();
  const models = new Surroundings();
  for (const set of found) {
    if (set.nature === '3D_MODEL') models.add(set);
    for (const place of set.files) {
      const key = keyAt(files, place);
      if (naming.has(key)) setOf.set(key, set);
    }
  }
  const ownerOf = (set: Loose): Loose | null => {
    for (let [at, steps] = [set, 0]; steps < maxSteps; steps++) {
      const by = setOf.get(named.get(at.primary) ?? '');
      if (by?.nature === '3D_MODEL') return by;
      if (!by) return at === set ? null : models.ownerFor(at);
      at = by;
    }
    return null;
  };
  const others: Loose[] = [];
  const owned: (readonly [Loose, Loose])[] = [];
  for (const set of found) {
    const owner = canBeNamed.has(set.nature) ? ownerOf(set) : null;
    if (owner) owned.push([owner, set]);
    else others.push(set);
  }
  for (const [owner, set] of owned) add(owner.files, set.files);
  return others;
}
