import type { WholeFinding } from '../../../shared/findings.ts';
import type { JpegHead } from '../formats/raster/jpeg.ts';

/** Fewer photos are a coincidence. */
const leastPhotos = 3;
const maxCameras = 50;
const namedCameras = 5;
const maxKeys = 1_000;
/** Days; one flight may pause for bad weather. */
const farApart = 30;

/** Finds oddities in the place, date and camera of all photos. */
export class Photos {
  #spot: string | null = null;
  #isOneSpot = true;
  #placed = 0;
  readonly #cameras = new Map<string, { count: number; readonly keys: string[] }>();
  #dated = 0;
  #firstDay = Number.POSITIVE_INFINITY;
  #lastDay = Number.NEGATIVE_INFINITY;

  add(key: string, { position, camera, day }: JpegHead): void {
    if (position !== undefined) {
      const spot = position.join();
      this.#spot ??= spot;
      this.#isOneSpot &&= this.#spot === spot;
      this.#placed += 1;
    }
    if (camera !== undefined) {
      const known = this.#cameras.get(camera) ?? { count: 0, keys: [] };
      if (this.#cameras.size < maxCameras) this.#cameras.set(camera, known);
      known.count += 1;
      if (known.keys.length < maxKeys) known.keys.push(key);
    }
    if (day !== undefined) {
      this.#dated += 1;
      this.#firstDay = Math.min(this.#firstDay, day);
      this.#lastDay = Math.max(this.#lastDay, day);
    }
  }

  find(): readonly WholeFinding[] {
    const found: WholeFinding[] = [];
    if (this.#isOneSpot && this.#placed >= leastPhotos)
      found.push({ id: 'photos-in-one-spot', count: this.#placed, keys: [] });
    const cameras = [...this.#cameras].sort(([, a], [, b]) => b.count - a.count);
    const others = cameras.slice(1).map(([, camera]) => camera);
    const count = others.reduce((sum, one) => sum + one.count, 0);
    if (others.length > 0 && count + (cameras[0]?.[1].count ?? 0) >= leastPhotos) {
      const names = cameras.slice(0, namedCameras).map(([name]) => name);
      const values = { cameras: { names, more: cameras.length - names.length } };
      const keys = others.flatMap(({ keys }) => keys).slice(0, maxKeys);
      found.push({ id: 'several-cameras', values, count, keys });
    }
    const days = this.#lastDay - this.#firstDay;
    if (this.#dated >= leastPhotos && days > farApart)
      found.push({ id: 'photos-days-apart', values: { days }, count: this.#dated, keys: [] });
    return found;
  }
}
