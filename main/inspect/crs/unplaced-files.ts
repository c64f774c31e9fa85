import {
  type AssignedPlaces,
  type Footprint,
  maxFootprints,
  packFootprints,
} from '../../../shared/source.ts';
import { type NamedSystem, systemOfWkt } from '../formats/systems/coordinate-system.ts';
import type { LocatedFile } from './footprints.ts';
import { loadSystems } from './systems.ts';

/** Returns the file as if a sidecar stated its system. */
export function withSystem<File extends LocatedFile>(file: File, sidecarSystem: NamedSystem): File {
  const head = file.head && ({ ...file.head, system: null } as LocatedFile['head']);
  return { ...file, head, sidecarSystemName: sidecarSystem.system, sidecarSystem };
}

/** Remembers headers of files without a position, up to `maxFootprints`, to place them by another system. */
export class UnplacedFiles {
  readonly #files = new Map<string, LocatedFile>();

  add(file: LocatedFile): void {
    const { head, key } = file;
    if (head && 'corners' in head && this.#files.size < maxFootprints) this.#files.set(key, file);
  }

  /**
   * Places files as if they had this system.
   *
   * @param system EPSG code or WKT
   */
  async placeAs(system: number | string, keys: readonly string[]): Promise<AssignedPlaces> {
    // Load the projection code when it is needed.
    const { outlines } = await import('./footprints.ts');
    const outline = outlines(await loadSystems());
    const sidecarSystem =
      typeof system === 'string' ? systemOfWkt(system) : { system: `EPSG:${system}`, vertical: null };
    const footprints: Footprint[] = [];
    let unplaced = 0;
    for (const key of keys) {
      const file = this.#files.get(key);
      if (!file) continue;
      const ring = outline(withSystem(file, sidecarSystem));
      if (ring) footprints.push({ key, ring });
      else unplaced++;
    }
    return { footprints: packFootprints(footprints), unplaced };
  }
}
