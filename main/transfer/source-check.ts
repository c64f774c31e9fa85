import { type FileIdentity, isSameFile, maybeSameFile } from '../files/file-identity.ts';
import { changed, checkSource, type KnownSource, SourceReplaced } from '../files/read-source.ts';
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

/**
 * Each time all that was confirmed is read again: after so many times it is left to the end of the file,
 * where nothing is missed either.
 */
const maxTakings = 3;
/** A file that changes with every look never comes to an end. */
const maxLooks = 3;
const hashedAtOnce = 4;

/** Whether a file of many parts is still the one of which the first ones were sent. */
export class SourceCheck {
  readonly #file: TransferFile;
  readonly #options: SourceCheckOptions;
  #identity: FileIdentity | undefined;
  #takings = 0;
  #taking: Promise<readonly StoredPart[]> | null = null;

  constructor(file: TransferFile, options: SourceCheckOptions) {
    this.#file = file;
    this.#options = options;
    this.#identity = file.identity;
  }

  /** What a part has to be read from. */
  get wanted(): Pick<TransferFile, 'identity'> {
    return this.#takings < maxTakings ? this.known : {};
  }

  /** What the file was found to be last. */
  get known(): Pick<TransferFile, 'identity'> {
    return this.#identity ? { identity: this.#identity } : {};
  }

  /** Grows whenever another identity is taken over. What was read before then has to be compared. */
  get age(): number {
    return this.#takings;
  }

  /**
   * A file with the same size and time is there: it is taken over when it holds what was confirmed. Gives the
   * parts whose ETags can't tell (no MD5): they are to be sent again. Throws `source-changed` where it holds
   * something else.
   *
   * @param age when the part that met it was ordered
   */
  async takeOver(
    found: FileIdentity,
    age: number,
    confirmed: () => readonly StoredPart[],
  ): Promise<readonly StoredPart[]> {
    if (age !== this.#takings) return [];
    this.#taking ??= this.#verify(found, confirmed()).finally(() => {
      this.#taking = null;
    });
    return this.#taking;
  }

  /**
   * Throws `source-changed` unless the file has these parts as known now; without an MD5 ETag, it can't tell.
   */
  compare(parts: readonly StoredPart[]): Promise<void> {
    return this.#identity ? this.#hash(parts, this.#identity) : Promise.resolve();
  }

  /** The same for the whole file, once all of it is confirmed. */
  async checkWhole(parts: readonly StoredPart[]): Promise<readonly StoredPart[]> {
    const { path, size, mtimeMs } = this.#file;
    const unsure = this.#takings >= maxTakings;
    for (let looks = 1; looks <= maxLooks; looks++) {
      const found = await checkSource({ path, size, mtimeMs }, defaultReadStallMs, this.#options.signal);
      if (!this.#identity) return [];
      if (isSameFile(this.#identity, found) && (!unsure || looks > 1)) return [];
      const untold = await this.#verify(found, parts);
      if (untold.length > 0) return untold;
    }
    throw changed(path);
  }

  async #verify(met: FileIdentity, parts: readonly StoredPart[]): Promise<readonly StoredPart[]> {
    const before = this.#identity;
    let found = met;
    for (let looks = 1; ; looks++) {
      try {
        const maybeSame = !before || maybeSameFile(before, found);
        // Nothing can be compared, and another file is there: by a link, or in another folder’s place, that
        // could be any.
        if (parts.length === 0 && !maybeSame) throw changed(this.#file.path);
        await this.#hash(parts, found);
        this.#take(found);
        return maybeSame ? [] : parts.filter(({ etag }) => !isMd5(etag));
      } catch (thrown) {
        if (!(thrown instanceof SourceReplaced)) throw thrown;
        if (looks >= maxLooks) throw changed(this.#file.path, thrown);
        found = thrown.found;
      }
    }
  }

  async #hash(parts: readonly StoredPart[], identity: FileIdentity): Promise<void> {
    const { path } = this.#file;
    const comparable = parts.filter(({ etag }) => isMd5(etag));
    for (let at = 0; at < comparable.length; at += hashedAtOnce) {
      const some = comparable.slice(at, at + hashedAtOnce);
      const hashes = await Promise.all(some.map(({ number }) => this.#hashPart(number, identity)));
      if (some.some(({ etag }, index) => etag.toLowerCase() !== hashes[index])) throw changed(path);
    }
  }

  #hashPart(number: number, identity: FileIdentity): Promise<string> {
    const { storage, signal } = this.#options;
    const { path, size, mtimeMs, key, plan } = this.#file;
    const source: KnownSource = { path, size, mtimeMs, identity };
    const part = partRange(size, plan.partSize, number);
    // Never sent: it is of an upload only so that it is read as a part.
    const order = { ...source, ...part, key, uploadId: '', mayCarryCrc32: false, adoptable: null };
    return withRetry(() => storage.hashPart(order, { signal }), path, signal, this.#options);
  }

  #take(found: FileIdentity): void {
    // Nothing was changed, and yet its number is another: this file system gives numbers that don't last.
    const lasting = this.#identity?.ctimeMs === found.ctimeMs ? { ...found, fileId: null } : found;
    this.#identity = lasting;
    this.#takings += 1;
    this.#options.record.identityTaken(this.#file.id, lasting);
  }
}
