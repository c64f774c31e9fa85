import type { ChecksumPlace, StorageFacts } from './storage-facts.ts';

const dayMs = 24 * 60 * 60_000;
const places: readonly ChecksumPlace[] = ['part', 'object'];

interface StoreFacts {
  readonly compared: readonly ChecksumPlace[];
  readonly composites: StorageFacts['composites'];
  readonly recordedAt: number;
}

/** Remembers for a day which stores compare CRC32s and whose multipart ETags follow AWS's formula. */
export class ChecksumMemory {
  readonly #stores = new Map<string, StoreFacts>();

  /** @param nowMs wall clock, ms since the epoch */
  recall(store: string, facts: StorageFacts, nowMs: number): void {
    const { compared, composites, recordedAt: time } = this.#stores.get(store) ?? emptyFacts;
    if (Math.abs(nowMs - time) > dayMs) return;
    // Without an MD5 comparison the ETags' kind would stay unknown.
    if (compared.length > 0) facts.recordEtag(true);
    for (const place of compared) facts.recordChecksum(place, 'compared');
    if (composites !== 'unknown') facts.recordComposite(composites);
  }

  note(store: string, facts: StorageFacts, nowMs: number): void {
    const comparedPlaces = places.filter((place) => facts.checksums(place) === 'compared');
    // A store that stopped comparing in one place may have stopped in the other.
    const isKept = facts.etags === 'md5' && places.every((place) => facts.checksums(place) !== 'ignored');
    const { composites } = facts;
    if (!isKept && composites === 'unknown') this.#stores.delete(store);
    else this.#stores.set(store, { compared: isKept ? comparedPlaces : [], composites, recordedAt: nowMs });
  }
}

const emptyFacts: StoreFacts = { compared: [], composites: 'unknown', recordedAt: Number.NEGATIVE_INFINITY };
