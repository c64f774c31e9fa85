import type { ChecksumPlace, StorageFacts } from './storage-facts.ts';

const dayMs = 24 * 60 * 60_000;
const places: readonly ChecksumPlace[] = ['part', 'object'];

/**
 * Which stores compare the CRC32s that they are given: for a day it need not be found out anew with each
 * upload. What they make nothing of is found out each time: it costs one more checksum.
 */
export class ChecksumMemory {
  readonly #compared = new Map<string, { readonly places: readonly ChecksumPlace[]; readonly at: number }>();

  /** @param now wall clock, ms since the epoch */
  recall(store: string, facts: StorageFacts, now: number): void {
    const known = this.#compared.get(store);
    if (!known || Math.abs(now - known.at) > dayMs) return;
    // Without it, nobody would know what an ETag is that no MD5 was compared with.
    facts.sawEtag(true);
    for (const place of known.places) facts.sawChecksum(place, 'compared');
  }

  /** What an upload has found out. */
  note(store: string, facts: StorageFacts, now: number): void {
    const compared = places.filter((place) => facts.checksums(place) === 'compared');
    // What it has stopped to compare in one place it may have stopped to compare in the other.
    if (places.some((place) => facts.checksums(place) === 'ignored')) this.#compared.delete(store);
    else if (facts.etags === 'md5' && compared.length > 0)
      this.#compared.set(store, { places: compared, at: now });
  }
}
