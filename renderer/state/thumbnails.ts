import type { ThumbnailRequest } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

/** More than a window shows, some 15 MB at most. */
const maxKept = 300;

/** Loads thumbnails, and keeps the last ones of jobs and assets for rows that scroll back into view. */
export class Thumbnails {
  readonly #api: Pick<Api, 'call'>;
  readonly #kept = new Map<string, string>();

  constructor(api: Pick<Api, 'call'>) {
    this.#api = api;
  }

  /** Returns a data URL; null if there is none. Never throws. */
  async of(request: ThumbnailRequest): Promise<string | null> {
    const key = 'pieces' in request ? null : JSON.stringify(request);
    const keptPicture = key === null ? undefined : this.#kept.get(key);
    const picture = keptPicture ?? (await this.#api.call('thumbnails.of', request).catch(() => null));
    if (key === null || picture === null) return picture;
    this.#kept.delete(key);
    this.#kept.set(key, picture);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
    return picture;
  }
}
