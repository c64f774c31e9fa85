import type { StoredObject } from '../model.ts';
import { type Blobs, readBlobs, sha256Of } from './blobs.ts';
import type { Compared, Received } from './receive.ts';

/** A stored object. */
export interface ObjectEntry {
  readonly key: string;
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  readonly contentType: string;
  /** As S3 writes it; undefined if none was compared. */
  readonly crc32?: { readonly text: string; readonly type: 'COMPOSITE' | 'FULL_OBJECT' } | undefined;
  /** ms since the epoch. */
  readonly lastModified: number;
  readonly blobs: readonly Received[];
}

/** Objects of the only bucket. */
export class Objects {
  readonly #entries = new Map<string, ObjectEntry>();
  readonly #sha256 = new WeakMap<ObjectEntry, string>();
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async put(entry: ObjectEntry): Promise<void> {
    const oldEntry = this.#entries.get(entry.key);
    this.#entries.set(entry.key, entry);
    if (oldEntry) await this.#blobs.remove(oldEntry.blobs);
  }

  get(key: string): ObjectEntry | undefined {
    return this.#entries.get(key);
  }

  async remove(prefix: string): Promise<void> {
    for (const entry of this.#entriesBelow(prefix)) {
      this.#entries.delete(entry.key);
      await this.#blobs.remove(entry.blobs);
    }
  }

  measure(prefix: string): { count: number; bytes: number } {
    const entriesBelow = this.#entriesBelow(prefix);
    return { count: entriesBelow.length, bytes: entriesBelow.reduce((sum, { size }) => sum + size, 0) };
  }

  /** For the control interface: sorted by key, with the SHA-256 of the bytes on disk. */
  async list(prefix: string): Promise<readonly StoredObject[]> {
    const listedObjects: StoredObject[] = [];
    for (const entry of this.#entriesBelow(prefix)) {
      const { key, size, etag } = entry;
      listedObjects.push({ key, size, etag, sha256: await this.#hash(entry) });
    }
    return listedObjects;
  }

  compared(prefix: string): { key: string; parts: Compared[] }[] {
    return this.#entriesBelow(prefix).map(({ key, blobs }) => ({
      key,
      parts: blobs.map(({ compared: comparedSums }) => comparedSums),
    }));
  }

  read(key: string): AsyncIterable<Uint8Array> {
    const entry = this.#entries.get(key);
    if (!entry) throw new Error(`There is no object ${key}.`);
    return readBlobs(entry.blobs);
  }

  #entriesBelow(prefix: string): ObjectEntry[] {
    return [...this.#entries.values()]
      .filter(({ key }) => key.startsWith(prefix))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Read from disk once. Without stored bytes: the hash on arrival, or '' for multipart objects. */
  async #hash(entry: ObjectEntry): Promise<string> {
    const sha256 = this.#sha256.get(entry);
    if (sha256 !== undefined) return sha256;
    const arrivedSum = entry.blobs.length === 1 ? entry.blobs[0]?.sha256 : undefined;
    const hash = this.#blobs.keepsBytes ? await sha256Of(entry.blobs) : (arrivedSum ?? '');
    this.#sha256.set(entry, hash);
    return hash;
  }
}
