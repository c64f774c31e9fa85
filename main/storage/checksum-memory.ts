import type { ChecksumPlace, StorageFacts } from './storage-facts.ts';

const dayMs = 24 * 60 * 60_000;
const places: readonly ChecksumPlace[] = ['part', 'object'];

interface StoreFacts {
  readonly compared: readonly ChecksumPlace[];
  readonly composites: StorageFacts['composites'];
  readonly at: number;
}

/**
 * Which stores compare the CRC32s that they are given, and whose multipart ETags follow AWS's formula: for a
 * day it need not be found out anew with each upload. What they make nothing of is found out each time: it
 * costs one more checksum.
 */
export class ChecksumMemory {
  readonly #stores = new Map<string, StoreFacts>();

  /** @param now wall clock, ms since the epoch */
  recall(store: string, facts: StorageFacts, now: number): void {
    const { compared, composites, at } = this.#stores.get(store) ?? forgotten;
    if (Math.abs(now - at) > dayMs) return;
    // Without it, nobody would know what an ETag is that no MD5 was compared with.
    if (compared.length > 0) facts.sawEtag(true);
    for (const place of compared) facts.sawChecksum(place, 'compared');
    if (composites !== 'unknown') facts.sawComposite(composites);
  }

  /** What an upload has found out. */
  note(store: string, facts: StorageFacts, now: number): void {
    const compared = places.filter((place) => facts.checksums(place) === 'compared');
    // What it has stopped to compare in one place it may have stopped to compare in the other.
    const isKept = facts.etags === 'md5' && places.every((place) => facts.checksums(place) !== 'ignored');
    const { composites } = facts;
    if (!isKept && composites === 'unknown') this.#stores.delete(store);
    else this.#stores.set(store, { compared: isKept ? compared : [], composites, at: now });
  }
}

const forgotten: StoreFacts = { compared: [], composites: 'unknown', at: Number.NEGATIVE_INFINITY };
