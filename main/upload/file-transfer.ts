import { TileliftError } from '../errors.ts';
import { etagsAgree, isMd5, multipartEtag } from './etag.ts';
import { type PartRange, partRange } from './plan.ts';
import { UploadLost, withRetry } from './request-retry.ts';
import { type SendOptions, sendPart } from './send-part.ts';
import { SourceReader } from './source-reader.ts';
import type { Storage, StoredPart } from './storage.ts';
import type { TransferFile, TransferRecord } from './transfer-model.ts';

export interface FileTransferOptions extends SendOptions {
  readonly storage: Storage;
  readonly record: TransferRecord;
}

/**
 * One file on its way to storage. Its parts may be sent in any order and side by side; whichever finds all of them confirmed completes
 * the file. Once storage has lost the upload this object is over (`lost`), and what its parts still bring is not recorded.
 */
export class FileTransfer {
  readonly file: TransferFile;
  readonly #options: FileTransferOptions;
  readonly #reader: SourceReader;
  readonly #confirmed: Map<number, StoredPart>;
  readonly #adoptable = new Map<number, string>();
  #uploadId: string | null;
  #beginning: Promise<void> | null = null;
  #completing: Promise<void> | null = null;
  lost = false;

  constructor(file: TransferFile, options: FileTransferOptions) {
    this.file = file;
    this.#options = options;
    this.#reader = new SourceReader(file);
    this.#confirmed = new Map(file.parts.map((part) => [part.number, part]));
    this.#uploadId = file.uploadId;
  }

  /** What a successor of this object can go on from. */
  get state(): TransferFile {
    return { ...this.file, uploadId: this.#uploadId, parts: [...this.#confirmed.values()] };
  }

  /** Sends one part unless storage has it. Throws `UploadLost` or `TileliftError`. */
  async send(number: number, buffer: Buffer): Promise<void> {
    const { size, plan } = this.file;
    if (plan.partCount === 1) return this.#sendWhole(buffer);
    this.#beginning ??= this.#begin();
    await this.#beginning;
    if (!this.#completing && !this.#confirmed.has(number)) {
      await this.#sendPart(partRange(size, plan.partSize, number), buffer);
    }
    if (this.#confirmed.size !== plan.partCount || this.lost) return;
    this.#completing ??= this.#complete();
    await this.#completing;
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  async #sendWhole(buffer: Buffer): Promise<void> {
    const { storage, record, progress } = this.#options;
    const { id, key, path, size } = this.file;
    const { by } = await sendPart(
      {
        reader: this.#reader,
        range: { number: 1, offset: 0, length: size },
        adoptable: null,
        path,
        request: (body, options) => storage.putObject(key, body, options),
      },
      buffer,
      this.#options,
    );
    try {
      await this.#reader.check();
      await this.close();
      await record.fileConfirmed(id);
      progress.acknowledge(size, 1, by);
    } finally {
      by?.end();
    }
  }

  async #sendPart(range: PartRange, buffer: Buffer): Promise<void> {
    const { storage, record, progress } = this.#options;
    const { id, key, path } = this.file;
    const uploadId = this.#begunId();
    const { etag, by } = await sendPart(
      {
        reader: this.#reader,
        range,
        adoptable: this.#adoptable.get(range.number) ?? null,
        path,
        request: (body, options) => storage.uploadPart(key, uploadId, range.number, body, options),
      },
      buffer,
      this.#options,
    );
    try {
      if (this.lost) return;
      const part = { number: range.number, size: range.length, etag };
      await record.partConfirmed(id, part);
      if (this.lost) return;
      this.#confirmed.set(part.number, part);
      progress.acknowledge(part.size, 1, by);
    } finally {
      by?.end();
    }
  }

  async #begin(): Promise<void> {
    const { storage, record } = this.#options;
    const { id, key } = this.file;
    if (this.#uploadId !== null) return this.#reconcile(this.#uploadId);
    const uploadId = await this.#request((signal) => storage.createMultipartUpload(key, { signal }));
    record.uploadBegun(id, uploadId);
    this.#uploadId = uploadId;
  }

  /** Lets record and storage agree, by size and ETag; where storage does not let itself be asked, the record is trusted. */
  async #reconcile(uploadId: string): Promise<void> {
    const { storage } = this.#options;
    const { key, size, plan } = this.file;
    try {
      const listed = await this.#request((signal) => storage.listParts(key, uploadId, { signal }));
      const theirs = new Map(listed.map((part) => [part.number, part]));
      this.#drop([...this.#confirmed.values()].filter((ours) => !samePart(ours, theirs.get(ours.number))));
      for (const part of listed) {
        const expected = partRange(size, plan.partSize, part.number).length;
        if (!this.#confirmed.has(part.number) && part.size === expected && isMd5(part.etag)) {
          this.#adoptable.set(part.number, part.etag.toLowerCase());
        }
      }
    } catch (thrown) {
      if (thrown instanceof TileliftError && thrown.code === 'storage-denied') return;
      if (!(thrown instanceof UploadLost) || !(await this.#isThere())) throw thrown;
      // Completed earlier, only the answer never arrived.
      await this.#reader.check();
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
    const { storage } = this.#options;
    const { key, path } = this.file;
    await this.#reader.check();
    const uploadId = this.#begunId();
    const parts = this.#inOrder();
    try {
      const answer = await this.#request((signal) =>
        storage.completeMultipartUpload(key, uploadId, parts, { signal }),
      );
      if (answer.comparable && !etagsAgree(ourEtag(parts), answer.etag)) {
        throw new TileliftError('storage-mismatch', { subject: path });
      }
    } catch (thrown) {
      const perhapsDone = thrown instanceof UploadLost && thrown.kind === 'gone';
      if (!perhapsDone || !(await this.#isThere())) throw thrown;
    }
    await this.#settle();
  }

  async #settle(): Promise<void> {
    await this.#options.record.fileConfirmed(this.file.id);
    await this.close();
  }

  /**
   * Whether the object is there although its upload is gone: with our size and ETag, or, where reading is denied, when every part
   * had been confirmed.
   */
  async #isThere(): Promise<boolean> {
    const { key, size, plan } = this.file;
    if (this.#confirmed.size !== plan.partCount) return false;
    try {
      const found = await this.#request((signal) => this.#options.storage.headObject(key, { signal }));
      return found.size === size && (!found.comparable || etagsAgree(ourEtag(this.#inOrder()), found.etag));
    } catch (thrown) {
      if (thrown instanceof UploadLost) return false;
      if (thrown instanceof TileliftError && thrown.code === 'storage-denied') return true;
      throw thrown;
    }
  }

  #request<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.#options;
    return withRetry(() => request(signal), this.file.path, signal, this.#options);
  }

  #begunId(): string {
    if (this.#uploadId === null) throw new Error('the upload has not begun');
    return this.#uploadId;
  }

  #inOrder(): StoredPart[] {
    return [...this.#confirmed.values()].sort((a, b) => a.number - b.number);
  }
}

function samePart(ours: StoredPart, theirs: StoredPart | undefined): boolean {
  return theirs !== undefined && ours.size === theirs.size && etagsAgree(ours.etag, theirs.etag);
}

function ourEtag(parts: readonly StoredPart[]): string | null {
  return multipartEtag(parts.map((part) => part.etag));
}

export function sumSizes(parts: readonly { readonly size: number }[]): number {
  return parts.reduce((sum, part) => sum + part.size, 0);
}
