import type { ThumbnailRequest } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

/** More than a window shows, some 15 MB at most. */
const maxKept = 300;

/** Loads thumbnails, and keeps the last ones of jobs and assets for rows that scroll back into view. */
export class Thumbnails {
  /** Grows when pictures change. */
  version = $state(0);
  readonly #api: Pick<Api, 'call' | 'on'>;
  readonly #pictures = new Map<string, string>();

  constructor(api: Pick<Api, 'call' | 'on'>) {
    this.#api = api;
  }

  start(): () => void {
    return this.#api.on('thumbnails.changed', () => {
      this.#pictures.clear();
      this.version += 1;
    });
  }

  /** Returns a data URL; null if there is none. Never throws. */
  async of(request: ThumbnailRequest): Promise<string | null> {
    const key = 'pieces' in request ? null : JSON.stringify(request);
    const keptPicture = key === null ? undefined : this.#pictures.get(key);
    const picture = keptPicture ?? (await this.#api.call('thumbnails.of', request).catch(() => null));
    if (key === null || picture === null) return picture;
    this.#pictures.delete(key);
    this.#pictures.set(key, picture);
    const [oldest] = this.#pictures.keys();
    if (this.#pictures.size > maxKept && oldest !== undefined) this.#pictures.delete(oldest);
    return picture;
  }
}
