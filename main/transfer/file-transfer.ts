import { TileliftError } from '../errors.ts';
import { changed, SourceReplaced } from '../files/read-source.ts';
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
  readonly streamed: boolean;
}

/**
 * Uploads one file. Parts may be sent in any order and in parallel; the last confirmed one completes the
 * file. After a loss of the upload (`lost`) nothing more is recorded.
 */
export class FileTransfer {
  readonly file: TransferFile;
  readonly #options: FileTransferOptions;
  readonly #confirmed: Map<number, StoredPart>;
  readonly #adoptable = new Map<number, AdoptablePart>();
  readonly #source: SourceCheck;
  #upload: BegunUpload | null;
  /** The upload may have been completed although we got no response. */
  #perhapsCompleted: boolean;
  /** Storage's ETags are MD5s, so they give the file's checksum. */
  #etagsAreMd5s = false;
  #beginning: Promise<void> | null = null;
  #completing: Promise<void> | null = null;
  lost = false;

  constructor(file: TransferFile, options: FileTransferOptions) {
    this.file = file;
    this.#options = options;
    this.#confirmed = new Map(file.parts.map((part) => [part.number, part]));
    const { uploadId, uploadChecksum: checksum } = file;
    this.#upload = uploadId === null ? null : { uploadId, checksum };
    this.#perhapsCompleted = file.completeSent;
    this.#source = new SourceCheck(file, options);
  }

  get state(): TransferFile {
    const parts = [...this.#confirmed.values()];
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
      this.#beginning ??= this.#begin();
      await this.#beginning;
    }
    if (!this.#completing && !this.#confirmed.has(part.number)) await this.#sendPart(part, slot);
    slot.answered();
    if (partCount === 1 || this.#confirmed.size !== partCount || this.lost) return;
    this.#completing ??= this.#complete();
    await this.#completing;
  }

  async #sendPart(part: SendablePart, slot: PartSlot): Promise<void> {
    const { record, progress } = this.#options;
    const { id, plan } = this.file;
    const onWire = progress.part(part.length);
    try {
      const { isMd5, ...stored } = await this.#sendUntilConfirmed(part, onWire, slot);
      slot.answered();
      if (this.lost) return;
      if (plan.partCount === 1)
        await record.fileConfirmed(id, isMd5 ? stored.etag : null, comparedBy([stored]));
      else await record.partConfirmed(id, stored);
      if (this.lost) return;
      this.#confirmed.set(part.number, stored);
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
        const sent = await this.#sendOnce(part, onWire, slot);
        // The part was read before the file's identity changed.
        if (age !== this.#source.age) await this.#source.compare([sent]);
        return sent;
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
      onWire.begin(failures > 0);
      const began = performance.now();
      let firstAt: number | null = null;
      const onSent = (bytes: number) => {
        onWire.sent(bytes);
        firstAt ??= performance.now();
        onMoved(bytes, performance.now() - firstAt);
      };
      try {
        const sent = await storage.sendPart(order, { signal, onSent });
        if (sent.etag === adoptable?.md5) {
          onWire.spared();
          return sent;
        }
        const endMs = performance.now();
        onArrived(part.length, endMs - began, endMs - (firstAt ?? endMs));
        return sent;
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
    this.#drop(parts.filter(({ number }) => this.#confirmed.has(number)));
    throw new UploadLost('invalid-parts', changed(this.file.path));
  }

  async #begin(): Promise<void> {
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
      const listed = await this.#request((signal) => storage.listParts(key, uploadId, { signal }));
      const theirs = new Map(listed.map((part) => [part.number, part]));
      this.#drop([...this.#confirmed.values()].filter((ours) => !samePart(ours, theirs.get(ours.number))));
      for (const part of listed) {
        const expected = partRange(size, plan.partSize, part.number).length;
        if (this.#confirmed.has(part.number) || part.size !== expected || !isMd5(part.etag)) continue;
        const { number, etag, crc32 } = part;
        this.#adoptable.set(number, { md5: etag.toLowerCase(), ...(crc32 === undefined ? {} : { crc32 }) });
      }
    } catch (error) {
      if (isDenied(error)) return;
      if (!(error instanceof UploadLost) || !(await this.#objectExists())) throw error;
      // The upload was completed earlier, but the response got lost.
      this.#resend(await this.#source.checkWhole(this.#sortedParts()));
      this.#completing = this.#settle();
      await this.#completing;
    }
  }

  #drop(parts: readonly StoredPart[]): void {
    if (parts.length === 0) return;
    const { record, progress } = this.#options;
    for (const part of parts) this.#confirmed.delete(part.number);
    record.partsDropped(
      this.file.id,
      parts.map((part) => part.number),
    );
    record.resent(this.file.path, 'parts-missing');
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
    await this.#settle();
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
    const ours = ourEtag(this.#sortedParts());
    return this.#request((signal) => this.#options.storage.headObject(key, { signal, ours, size }));
  }

  async #settle(): Promise<void> {
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
    if (this.#confirmed.size !== plan.partCount) return false;
    try {
      const ours = ourEtag(this.#sortedParts());
      const object = await this.#head();
      if (object.size !== size) return false;
      const hasSameEtag = ours !== null && object.etag?.toLowerCase() === ours;
      return hasSameEtag || (this.#perhapsCompleted && (!object.comparable || etagsAgree(ours, object.etag)));
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
    return [...this.#confirmed.values()].sort((a, b) => a.number - b.number);
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

function samePart(ours: StoredPart, theirs: StoredPart | undefined): boolean {
  if (theirs === undefined || ours.size !== theirs.size) return false;
  const haveCrc32s = ours.crc32 !== undefined && theirs.crc32 !== undefined;
  return etagsAgree(ours.etag, theirs.etag) && (!haveCrc32s || ours.crc32 === theirs.crc32);
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
