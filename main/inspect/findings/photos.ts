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
      const cameraPhotos = this.#cameras.get(camera) ?? { count: 0, keys: [] };
      if (this.#cameras.size < maxCameras) this.#cameras.set(camera, cameraPhotos);
      cameraPhotos.count += 1;
      if (cameraPhotos.keys.length < maxKeys) cameraPhotos.keys.push(key);
    }
    if (day !== undefined) {
      this.#dated += 1;
      this.#firstDay = Math.min(this.#firstDay, day);
      this.#lastDay = Math.max(this.#lastDay, day);
    }
  }

  find(): readonly WholeFinding[] {
    const findings: WholeFinding[] = [];
    if (this.#isOneSpot && this.#placed >= leastPhotos)
      findings.push({ id: 'photos-in-one-spot', count: this.#placed, keys: [] });
    const cameras = [...this.#cameras].sort(([, a], [, b]) => b.count - a.count);
    const otherCameras = cameras.slice(1).map(([, camera]) => camera);
    const count = otherCameras.reduce((sum, cameraPhotos) => sum + cameraPhotos.count, 0);
    if (otherCameras.length > 0 && count + (cameras[0]?.[1].count ?? 0) >= leastPhotos) {
      const names = cameras.slice(0, namedCameras).map(([name]) => name);
      const values = { cameras: { names, more: cameras.length - names.length } };
      const keys = otherCameras.flatMap(({ keys }) => keys).slice(0, maxKeys);
      findings.push({ id: 'several-cameras', values, count, keys });
    }
    const days = this.#lastDay - this.#firstDay;
    if (this.#dated >= leastPhotos && days > farApart)
      findings.push({ id: 'photos-days-apart', values: { days }, count: this.#dated, keys: [] });
    return findings;
  }
}
