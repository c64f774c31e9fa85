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

export interface FileTransferOptions extends RetryOptions {
  readonly storage: Storage;
  readonly record: TransferRecord;
  readonly signal: AbortSignal;
  readonly progress: ProgressCount;
  /**
   * Storage confirmed so many bytes of one part, that long after they were ordered, and after the first of
   * them had left: a busy machine takes its time until then.
   */
  readonly onArrived: (bytes: number, ms: number, wireMs: number) => void;
  /** So many bytes of one part left, that long after its first ones. */
  readonly onMoved: (bytes: number, ms: number) => void;
}

/** A part, and whether it is read while it is sent in place of being taken into memory. */
interface SendablePart extends PartRange {
  readonly streamed: boolean;
}

/**
 * One file on its way to storage. Its parts may be sent in any order and side by side; whichever finds all of
 * them confirmed completes the file. Once storage has lost the upload this object is over (`lost`), and what
 * its parts still bring is not recorded.
 */
export class FileTransfer {
  readonly file: TransferFile;
  readonly #options: FileTransferOptions;
  readonly #confirmed: Map<number, StoredPart>;
  readonly #adoptable = new Map<number, AdoptablePart>();
  readonly #source: SourceCheck;
  #upload: BegunUpload | null;
  /** The upload may have been completed without our hearing of it. */
  #perhapsCompleted: boolean;
  /** Storage has shown with a part of this file that its ETags are MD5s: they are the file’s checksum. */
  #etagsTell = false;
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

  /** What a successor of this object can continue from. */
  get state(): TransferFile {
    const parts = [...this.#confirmed.values()];
    const { identity: _, ...file } = this.file;
    const { uploadId = null, checksum: uploadChecksum = null } = this.#upload ?? {};
    return { ...file, ...this.#source.known, uploadId, uploadChecksum, parts, completeSent: false };
  }

  /**
   * Sends one part unless storage has it, and tells its slot. Throws `UploadLost` or `TileliftError`.
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
      this.#etagsTell = isMd5;
      progress.acknowledge(part.length, 1, onWire);
    } finally {
      onWire.end();
    }
  }

  async #sendUntilConfirmed(part: SendablePart, onWire: PartProgress, slot: PartSlot): Promise<SentPart> {
    for (;;) {
      const { age } = this.#source;
      try {
        const sent = await this.#sendAsKnown(part, onWire, slot);
        // It was read before another file was taken over.
        if (age !== this.#source.age) await this.#source.compare([sent]);
        return sent;
      } catch (thrown) {
        if (!(thrown instanceof SourceReplaced)) throw thrown;
        onWire.end();
        this.#sendAgain(await this.#source.takeOver(thrown.found, age, () => this.#inOrder()));
      }
    }
  }

  #sendAsKnown(part: SendablePart, onWire: PartProgress, slot: PartSlot): Promise<SentPart> {
    const { storage, signal, onArrived, onMoved } = this.#options;
    const { path, size, mtimeMs, key, content } = this.file;
    const adoptable = this.#adoptable.get(part.number) ?? null;
    const source = {
      path,
      size,
      mtimeMs,
      ...this.#source.wanted,
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
        const now = performance.now();
        onArrived(part.length, now - began, now - (firstAt ?? now));
        return sent;
      } catch (thrown) {
        onWire.end();
        failures += 1;
        throw thrown;
      }
    };
    return this.#request(attempt, slot);
  }

  /**
   * Parts of which nobody can tell whether the source still holds them: the upload continues from what is
   * left.
   */
  #sendAgain(parts: readonly StoredPart[]): void {
    if (parts.length === 0) return;
    this.#drop(parts.filter(({ number }) => this.#confirmed.has(number)));
    throw new UploadLost('invalid-parts', changed(this.file.path));
  }

  async #begin(): Promise<void> {
    const { storage, record } = this.#options;
    const { id, key } = this.file;
    if (this.#upload !== null) {
      this.#options.life.proved();
      return this.#reconcile(this.#upload.uploadId);
    }
    const upload = await this.#request((signal) => storage.createMultipartUpload(key, { signal }));
    record.uploadBegun(id, upload);
    this.#upload = upload;
  }

  /**
   * Lets record and storage agree, by size, ETag and CRC32; where storage denies listing, the record is
   * trusted.
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
    } catch (thrown) {
      if (isDenied(thrown)) return;
      if (!(thrown instanceof UploadLost) || !(await this.#isThere())) throw thrown;
      // Completed earlier, only the answer never arrived.
      this.#sendAgain(await this.#source.checkWhole(this.#inOrder()));
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
    this.#sendAgain(await this.#source.checkWhole(this.#inOrder()));
    const upload = this.#begun();
    const parts = this.#inOrder();
    record.completeSent(id);
    try {
      const answer = await this.#request(async (signal) => {
        try {
          return await storage.completeMultipartUpload(key, upload, parts, { signal });
        } catch (thrown) {
          if (!isRefusal(thrown)) this.#perhapsCompleted = true;
          throw thrown;
        }
      });
      if (answer.isUnexpected) await this.#checkSize();
    } catch (thrown) {
      const perhapsDone = thrown instanceof UploadLost && thrown.kind === 'gone';
      if (!perhapsDone || !(await this.#isThere())) throw thrown;
    }
    await this.#settle();
  }

  /** Throws `storage-mismatch` where storage says that the object has another size. */
  async #checkSize(): Promise<void> {
    const { path, size } = this.file;
    try {
      if ((await this.#head()).size === size) return;
    } catch (thrown) {
      // Every part was compared: an object that can't be looked at is none that differs.
      if (thrown instanceof UploadLost || isDenied(thrown)) return;
      throw thrown;
    }
    throw new TileliftError('storage-mismatch', { subject: path });
  }

  #head(): ReturnType<Storage['headObject']> {
    const { key, size } = this.file;
    const ours = ourEtag(this.#inOrder());
    return this.#request((signal) => this.#options.storage.headObject(key, { signal, ours, size }));
  }

  async #settle(): Promise<void> {
    const parts = this.#inOrder();
    const etag = this.#etagsTell ? ourEtag(parts) : null;
    await this.#options.record.fileConfirmed(this.file.id, etag, comparedBy(parts));
  }

  /**
   * Whether the object is there although its upload is gone: with our size and ETag, or, where that can't be
   * told, when every part had been confirmed and the request to complete had been sent without an answer that
   * was heard. Otherwise someone else has aborted it.
   */
  async #isThere(): Promise<boolean> {
    const { size, plan } = this.file;
    if (this.#confirmed.size !== plan.partCount) return false;
    try {
      const ours = ourEtag(this.#inOrder());
      const found = await this.#head();
      if (found.size !== size) return false;
      const same = ours !== null && found.etag?.toLowerCase() === ours;
      return same || (this.#perhapsCompleted && (!found.comparable || etagsAgree(ours, found.etag)));
    } catch (thrown) {
      if (thrown instanceof UploadLost) return false;
      if (isDenied(thrown)) return this.#perhapsCompleted;
      throw thrown;
    }
  }

  #request<T>(request: (signal: AbortSignal) => Promise<T>, slot?: PartSlot): Promise<T> {
    const { signal } = this.#options;
    return withRetry(() => request(signal), this.file.path, signal, this.#options, slot);
  }

  #begun(): BegunUpload {
    if (this.#upload === null) throw new Error('the upload has not begun');
    return this.#upload;
  }

  #inOrder(): StoredPart[] {
    return [...this.#confirmed.values()].sort((a, b) => a.number - b.number);
  }
}

function isDenied(thrown: unknown): boolean {
  return thrown instanceof TileliftError && thrown.code === 'storage-denied';
}

/** Storage itself has said that it did not do it. An error of its own it may have met after the work. */
function isRefusal(thrown: unknown): boolean {
  return thrown instanceof StorageError && thrown.fault.heard === true && (thrown.fault.status ?? 500) < 500;
}

function samePart(ours: StoredPart, theirs: StoredPart | undefined): boolean {
  if (theirs === undefined || ours.size !== theirs.size) return false;
  const known = ours.crc32 !== undefined && theirs.crc32 !== undefined;
  return etagsAgree(ours.etag, theirs.etag) && (!known || ours.crc32 === theirs.crc32);
}

/** Null where storage has compared some parts by one and some by the other: neither holds for every byte. */
function comparedBy(parts: readonly StoredPart[]): ComparedBy | null {
  const count = parts.filter(({ crc32 }) => crc32 !== undefined).length;
  if (count === parts.length) return 'crc32';
  return count === 0 ? 'md5' : null;
}

function ourEtag(parts: readonly StoredPart[]): string | null {
  return multipartEtag(parts.map((part) => part.etag));
}

export function sumSizes(parts: readonly { readonly size: number }[]): number {
  return parts.reduce((sum, part) => sum + part.size, 0);
}
