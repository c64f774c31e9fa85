import { type FileIdentity, isSameFile, maybeSameFile } from '../files/file-identity.ts';
import { changedError, checkSource, type KnownSource, SourceReplaced } from '../files/read-source.ts';
import { defaultReadStallMs } from '../files/stalled-read.ts';
import { isMd5 } from '../storage/etag.ts';
import type { Storage, StoredPart } from '../storage/storage.ts';
import { partRange } from './plan.ts';
import { type RetryOptions, withRetry } from './request-retry.ts';
import type { TransferFile, TransferRecord } from './transfer-model.ts';

interface SourceCheckOptions extends RetryOptions {
  readonly storage: Pick<Storage, 'hashPart'>;
  readonly record: Pick<TransferRecord, 'identityTaken'>;
  readonly signal: AbortSignal;
}

/** Each takeover rereads all confirmed bytes: after this many, only the end of the file is checked. */
const maxTakeovers = 3;
const maxChecks = 3;
const hashedAtOnce = 4;

/** Checks that a multipart file is still the one whose first parts were sent. */
export class SourceCheck {
  readonly #file: TransferFile;
  readonly #options: SourceCheckOptions;
  #identity: FileIdentity | undefined;
  #takeovers = 0;
  #takeover: Promise<readonly StoredPart[]> | null = null;

  constructor(file: TransferFile, options: SourceCheckOptions) {
    this.#file = file;
    this.#options = options;
    this.#identity = file.identity;
  }

  get readIdentity(): Pick<TransferFile, 'identity'> {
    return this.#takeovers < maxTakeovers ? this.currentIdentity : {};
  }

  get currentIdentity(): Pick<TransferFile, 'identity'> {
    return this.#identity ? { identity: this.#identity } : {};
  }

  /** Parts read before the last takeover must be compared. */
  get age(): number {
    return this.#takeovers;
  }

  /**
   * Adopts a replaced file of equal size and time that holds the confirmed bytes. Returns the parts without
   * MD5 ETags, which must be sent again. Throws `source-changed`.
   *
   * @param age when the affected part was ordered
   */
  async takeOver(
    identity: FileIdentity,
    age: number,
    confirmedParts: () => readonly StoredPart[],
  ): Promise<readonly StoredPart[]> {
    if (age !== this.#takeovers) return [];
    this.#takeover ??= this.#verify(identity, confirmedParts()).finally(() => {
      this.#takeover = null;
    });
    return this.#takeover;
  }

  /** Throws `source-changed` unless the file still holds these parts. Skips parts without MD5 ETags. */
  compare(parts: readonly StoredPart[]): Promise<void> {
    return this.#identity ? this.#hash(parts, this.#identity) : Promise.resolve();
  }

  async checkWhole(parts: readonly StoredPart[]): Promise<readonly StoredPart[]> {
    const { path, size, mtimeMs } = this.#file;
    const isUnsure = this.#takeovers >= maxTakeovers;
    for (let attempts = 1; attempts <= maxChecks; attempts++) {
      const identity = await checkSource({ path, size, mtimeMs }, defaultReadStallMs, this.#options.signal);
      if (!this.#identity) return [];
      if (isSameFile(this.#identity, identity) && (!isUnsure || attempts > 1)) return [];
      const unverifiable = await this.#verify(identity, parts);
      if (unverifiable.length > 0) return unverifiable;
    }
    throw changedError(path);
  }

  async #verify(replacement: FileIdentity, parts: readonly StoredPart[]): Promise<readonly StoredPart[]> {
    const previous = this.#identity;
    let identity = replacement;
    for (let checks = 1; ; checks++) {
      try {
        const maybeSame = !previous || maybeSameFile(previous, identity);
        // Without parts to compare, a file behind a link or in a replaced folder could be any file.
        if (parts.length === 0 && !maybeSame) throw changedError(this.#file.path);
        await this.#hash(parts, identity);
        this.#setIdentity(identity);
        return maybeSame ? [] : parts.filter(({ etag }) => !isMd5(etag));
      } catch (error) {
        if (!(error instanceof SourceReplaced)) throw error;
        if (checks >= maxChecks) throw changedError(this.#file.path, error);
        identity = error.identity;
      }
    }
  }

  async #hash(parts: readonly StoredPart[], identity: FileIdentity): Promise<void> {
    const { path } = this.#file;
    const comparableParts = parts.filter(({ etag }) => isMd5(etag));
    for (let start = 0; start < comparableParts.length; start += hashedAtOnce) {
      const batch = comparableParts.slice(start, start + hashedAtOnce);
      const hashes = await Promise.all(batch.map(({ number }) => this.#hashPart(number, identity)));
      if (batch.some(({ etag }, index) => etag.toLowerCase() !== hashes[index])) throw changedError(path);
    }
  }

  #hashPart(number: number, identity: FileIdentity): Promise<string> {
    const { storage, signal } = this.#options;
    const { path, size, mtimeMs, key, plan } = this.#file;
    const source: KnownSource = { path, size, mtimeMs, identity };
    const part = partRange(size, plan.partSize, number);
    // Only read as a part, never sent.
    const order = { ...source, ...part, key, uploadId: '', mayCarryCrc32: false, adoptable: null };
    return withRetry(() => storage.hashPart(order, { signal }), path, signal, this.#options);
  }

  #setIdentity(identity: FileIdentity): void {
    // This file system's ids aren't stable.
    const adopted = this.#identity?.ctimeMs === identity.ctimeMs ? { ...identity, fileId: null } : identity;
    this.#identity = adopted;
    this.#takeovers += 1;
    this.#options.record.identityTaken(this.#file.id, adopted);
  }
}
