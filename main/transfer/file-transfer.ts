import { TileliftError } from '../errors.ts';
import { changedError, SourceReplaced } from '../files/read-source.ts';
import { etagsAgree, isMd5, multipartEtag } from '../storage/etag.ts';
import type { AdoptablePart, BegunUpload, SentPart, Storage, StoredPart } from '../storage/storage.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { PartSlot } from './part-pool.ts';
import { type PartRange, partRange } from './plan.ts';
import { type RetryOptions, UploadLost, withRetry } from './request-retry.ts';
import { SourceCheck } from './source-check.ts';
import type { ComparedBy, TransferFile, TransferRecord } from './transfer-model.ts';
import type { PartProgress, ProgressCount } from './transfer-progress.ts';

/** The dependencies of a file's upload. */
export interface FileTransferOptions extends RetryOptions {
  readonly storage: Storage;
  readonly record: TransferRecord;
  readonly signal: AbortSignal;
  readonly progress: ProgressCount;
  /**
   * Storage confirmed part bytes, `ms` after they were ordered and `wireMs` after the first of them left; a
   * busy machine delays the start.
   */
  readonly onArrived: (bytes: number, ms: number, wireMs: number) => void;
  readonly onMoved: (bytes: number, ms: number) => void;
}

interface SendablePart extends PartRange {
  readonly isStreamed: boolean;
}

/**
 * Uploads one file. Parts may be sent in any order and in parallel; the last confirmed one completes the
 * file. After a loss of the upload (`isLost`) nothing more is recorded.
 */
export class FileTransfer {
  readonly file: TransferFile;
  readonly #options: FileTransferOptions;
  readonly #confirmedParts: Map<number, StoredPart>;
  readonly #adoptable = new Map<number, AdoptablePart>();
  readonly #source: SourceCheck;
  #upload: BegunUpload | null;
  /** The upload may have been completed although we got no response. */
  #perhapsCompleted: boolean;
  /** Storage's ETags are MD5s, so they give the file's checksum. */
  #etagsAreMd5s = false;
  #beginning: Promise<void> | null = null;
  #completing: Promise<void> | null = null;
  isLost = false;

  constructor(file: TransferFile, options: FileTransferOptions) {
    this.file = file;
    this.#options = options;
    this.#confirmedParts = new Map(file.parts.map((part) => [part.number, part]));
    const { uploadId, uploadChecksum: checksum } = file;
    this.#upload = uploadId === null ? null : { uploadId, checksum };
    this.#perhapsCompleted = file.completeSent;
    this.#source = new SourceCheck(file, options);
  }

  get state(): TransferFile {
    const parts = [...this.#confirmedParts.values()];
    const { identity: _, ...file } = this.file;
    const { uploadId = null, checksum: uploadChecksum = null } = this.#upload ?? {};
    return { ...file, ...this.#source.currentIdentity, uploadId, uploadChecksum, parts, completeSent: false };
  }

  /**
   * @throws UploadLost
   * @throws TileliftError
   */
  async send(part: SendablePart, slot: PartSlot): Promise<void> {
    const { partCount } = this.file.plan;
    if (partCount > 1) {
      this.#beginning ??= this.#beginUpload();
      await this.#beginning;
    }
    if (!this.#completing && !this.#confirmedParts.has(part.number)) await this.#sendPart(part, slot);
    slot.noteAnswer();
    if (partCount === 1 || this.#confirmedParts.size !== partCount || this.isLost) return;
    this.#completing ??= this.#complete();
    await this.#completing;
  }

  async #sendPart(part: SendablePart, slot: PartSlot): Promise<void> {
    const { record, progress } = this.#options;
    const { id, plan } = this.file;
    const onWire = progress.part(part.length);
    try {
      const { isMd5, ...storedPart } = await this.#sendUntilConfirmed(part, onWire, slot);
      slot.noteAnswer();
      if (this.isLost) return;
      if (plan.partCount === 1)
        await record.fileConfirmed(id, isMd5 ? storedPart.etag : null, comparedBy([storedPart]));
      else await record.partConfirmed(id, storedPart);
      if (this.isLost) return;
      this.#confirmedParts.set(part.number, storedPart);
      this.#etagsAreMd5s = isMd5;
      progress.acknowledge(part.length, 1, onWire);
    } finally {
      onWire.end();
    }
  }

  async #sendUntilConfirmed(part: SendablePart, onWire: PartProgress, slot: PartSlot): Promise<SentPart> {
    for (;;) {
      const { age } = this.#source;
      try {
        const sentPart = await this.#sendOnce(part, onWire, slot);
        // The part was read before the file's identity changed.
        if (age !== this.#source.age) await this.#source.compare([sentPart]);
        return sentPart;
      } catch (error) {
        if (!(error instanceof SourceReplaced)) throw error;
        onWire.end();
        this.#resend(await this.#source.takeOver(error.identity, age, () => this.#sortedParts()));
      }
    }
  }

  #sendOnce(part: SendablePart, onWire: PartProgress, slot: PartSlot): Promise<SentPart> {
    const { storage, signal, onArrived, onMoved } = this.#options;
    const { path, size, mtimeMs, key, content } = this.file;
    const adoptable = this.#adoptable.get(part.number) ?? null;
    const source = {
      path,
      size,
      mtimeMs,
      ...this.#source.readIdentity,
      ...(content === undefined ? {} : { content }),
    };
    const { uploadId = null, checksum = null } = this.#upload ?? {};
    const mayCarryCrc32 = uploadId === null || checksum !== null;
    const order = { ...source, ...part, key, uploadId, mayCarryCrc32, adoptable };
    let failures = 0;
    const attempt = async (): Promise<SentPart> => {
      signal.throwIfAborted();
      onWire.beginFlight(failures > 0);
      const startedAt = performance.now();
      let firstAt: number | null = null;
      const onSent = (bytes: number) => {
        onWire.noteSent(bytes);
        firstAt ??= performance.now();
        onMoved(bytes, performance.now() - firstAt);
      };
      try {
        const sentPart = await storage.sendPart(order, { signal, onSent });
        if (sentPart.etag === adoptable?.md5) {
          onWire.noteSpared();
          return sentPart;
        }
        const endMs = performance.now();
        onArrived(part.length, endMs - startedAt, endMs - (firstAt ?? endMs));
        return sentPart;
      } catch (error) {
        onWire.end();
        failures += 1;
        throw error;
      }
    };
    return this.#request(attempt, slot);
  }

  /** Sends parts again that can't be compared with the source. */
  #resend(parts: readonly StoredPart[]): void {
    if (parts.length === 0) return;
    this.#dropParts(parts.filter(({ number }) => this.#confirmedParts.has(number)));
    throw new UploadLost('invalid-parts', changedError(this.file.path));
  }

  async #beginUpload(): Promise<void> {
    const { storage, record } = this.#options;
    const { id, key } = this.file;
    if (this.#upload !== null) {
      this.#options.life.markProven();
      return this.#reconcile(this.#upload.uploadId);
    }
    const upload = await this.#request((signal) => storage.createMultipartUpload(key, { signal }));
    record.uploadBegun(id, upload);
    this.#upload = upload;
  }

  /**
   * Reconciles the record with storage by size, ETag and CRC32. Trusts the record if storage denies listing.
   */
  async #reconcile(uploadId: string): Promise<void> {
    const { storage } = this.#options;
    const { key, size, plan } = this.file;
    try {
      const listedParts = await this.#request((signal) => storage.listParts(key, uploadId, { signal }));
      const storageParts = new Map(listedParts.map((part) => [part.number, part]));
      this.#dropParts(
        [...this.#confirmedParts.values()].filter(
          (ourPart) => !samePart(ourPart, storageParts.get(ourPart.number)),
        ),
      );
      for (const part of listedParts) {
        const expectedLength = partRange(size, plan.partSize, part.number).length;
        if (this.#confirmedParts.has(part.number) || part.size !== expectedLength || !isMd5(part.etag))
          continue;
        const { number, etag, crc32 } = part;
        this.#adoptable.set(number, { md5: etag.toLowerCase(), ...(crc32 === undefined ? {} : { crc32 }) });
      }
    } catch (error) {
      if (isDenied(error)) return;
      if (!(error instanceof UploadLost) || !(await this.#objectExists())) throw error;
      // The upload was completed earlier, but the response got lost.
      this.#resend(await this.#source.checkWhole(this.#sortedParts()));
      this.#completing = this.#settleUpload();
      await this.#completing;
    }
  }

  #dropParts(parts: readonly StoredPart[]): void {
    if (parts.length === 0) return;
    const { record, progress } = this.#options;
    for (const part of parts) this.#confirmedParts.delete(part.number);
    record.partsDropped(
      this.file.id,
      parts.map((part) => part.number),
    );
    record.noteResent(this.file.path, 'parts-missing');
    progress.acknowledge(-sumSizes(parts), -parts.length);
  }

  async #complete(): Promise<void> {
    const { storage, record } = this.#options;
    const { id, key } = this.file;
    this.#resend(await this.#source.checkWhole(this.#sortedParts()));
    const upload = this.#requiredUpload();
    const parts = this.#sortedParts();
    record.completeSent(id);
    try {
      const answer = await this.#request(async (signal) => {
        try {
          return await storage.completeMultipartUpload(key, upload, parts, { signal });
        } catch (error) {
          if (!isRefusal(error)) this.#perhapsCompleted = true;
          throw error;
        }
      });
      if (answer.isUnexpected) await this.#checkSize();
    } catch (error) {
      const perhapsDone = error instanceof UploadLost && error.kind === 'gone';
      if (!perhapsDone || !(await this.#objectExists())) throw error;
    }
    await this.#settleUpload();
  }

  async #checkSize(): Promise<void> {
    const { path, size } = this.file;
    try {
      if ((await this.#head()).size === size) return;
    } catch (error) {
      // Every part was compared already, so a failed lookup proves no difference.
      if (error instanceof UploadLost || isDenied(error)) return;
      throw error;
    }
    throw new TileliftError('storage-mismatch', { subject: path });
  }

  #head(): ReturnType<Storage['headObject']> {
    const { key, size } = this.file;
    const expectedEtag = ourEtag(this.#sortedParts());
    return this.#request((signal) => this.#options.storage.headObject(key, { signal, expectedEtag, size }));
  }

  async #settleUpload(): Promise<void> {
    const parts = this.#sortedParts();
    const etag = this.#etagsAreMd5s ? ourEtag(parts) : null;
    await this.#options.record.fileConfirmed(this.file.id, etag, comparedBy(parts));
  }

  /**
   * Whether the object exists although its upload is gone: it matches, or ETags aren't comparable but all
   * parts were confirmed and the completion got no response.
   */
  async #objectExists(): Promise<boolean> {
    const { size, plan } = this.file;
    if (this.#confirmedParts.size !== plan.partCount) return false;
    try {
      const expectedEtag = ourEtag(this.#sortedParts());
      const object = await this.#head();
      if (object.size !== size) return false;
      const hasSameEtag = expectedEtag !== null && object.etag?.toLowerCase() === expectedEtag;
      return (
        hasSameEtag ||
        (this.#perhapsCompleted && (!object.isComparable || etagsAgree(expectedEtag, object.etag)))
      );
    } catch (error) {
      if (error instanceof UploadLost) return false;
      if (isDenied(error)) return this.#perhapsCompleted;
      throw error;
    }
  }

  #request<T>(request: (signal: AbortSignal) => Promise<T>, slot?: PartSlot): Promise<T> {
    const { signal } = this.#options;
    return withRetry(() => request(signal), this.file.path, signal, this.#options, slot);
  }

  #requiredUpload(): BegunUpload {
    if (this.#upload === null) throw new Error('the upload has not begun');
    return this.#upload;
  }

  #sortedParts(): StoredPart[] {
    return [...this.#confirmedParts.values()].sort((a, b) => a.number - b.number);
  }
}

function isDenied(error: unknown): boolean {
  return error instanceof TileliftError && error.code === 'storage-denied';
}

/** Storage itself refused. A 5xx of its own may have come after the work was done. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof StorageError && error.fault.fromStorage === true && (error.fault.status ?? 500) < 500
  );
}

function samePart(ourPart: StoredPart, theirPart: StoredPart | undefined): boolean {
  if (theirPart === undefined || ourPart.size !== theirPart.size) return false;
  const haveCrc32s = ourPart.crc32 !== undefined && theirPart.crc32 !== undefined;
  return etagsAgree(ourPart.etag, theirPart.etag) && (!haveCrc32s || ourPart.crc32 === theirPart.crc32);
}

function comparedBy(parts: readonly StoredPart[]): ComparedBy | null {
  const count = parts.filter(({ crc32 }) => crc32 !== undefined).length;
  if (count === parts.length) return 'crc32';
  return count === 0 ? 'md5' : null;
}

function ourEtag(parts: readonly StoredPart[]): string | null {
  return multipartEtag(parts.map((part) => part.etag));
}

/** The parts' bytes together. */
export function sumSizes(parts: readonly { readonly size: number }[]): number {
  return parts.reduce((sum, part) => sum + part.size, 0);
}
