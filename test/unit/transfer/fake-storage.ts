import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { readPart } from '../../../main/files/read-source.ts';
import type {
  BegunUpload,
  PartOrder,
  RequestOptions,
  SentPart,
  Storage,
  StoredPart,
} from '../../../main/storage/storage.ts';
import { StorageError, type StorageFault } from '../../../main/storage/storage-error.ts';

type Call =
  | Exclude<keyof Storage, 'name' | 'skewMs' | 'close' | 'renewConnections' | 'sendPart' | 'hashPart'>
  | 'putObject'
  | 'uploadPart';

/** In-memory storage. `meet` may throw before or after the work of a call, like servers and networks. */
export class FakeStorage implements Storage {
  readonly name = 'fake storage';
  readonly objects = new Map<string, Buffer>();
  readonly etags = new Map<string, string>();
  readonly uploads = new Map<string, Map<number, StoredPart & { bytes: Buffer }>>();
  readonly calls: string[] = [];
  /** Called before and after each call's work; its error becomes the response. */
  meet: (call: Call, moment: 'before' | 'after', detail: string) => void = () => {};
  /** Returns ETags that only look like MD5s, like those of encrypted objects. */
  encrypts = false;
  /** Compares and confirms CRC32s. */
  compares = true;
  #lastId = 0;

  roundTripMs(): number | null {
    return null;
  }

  skew = 0;
  skewMs(): number {
    return this.skew;
  }

  async sendPart(order: PartOrder, options: RequestOptions = {}): Promise<SentPart> {
    const { key, uploadId, number, offset, length, mayCarryCrc32, adoptable } = order;
    const { bytes } = await readPart(order, offset, length, Buffer.alloc(length), noSums);
    const isMd5 = !this.encrypts;
    const etag = isMd5 ? md5(bytes) : md5(Buffer.concat([bytes, Buffer.from('key')]));
    const storedPart = {
      ...{ number, size: length, etag },
      ...(this.compares && mayCarryCrc32 ? { crc32: crc32(bytes) } : {}),
    };
    if (adoptable?.md5 === etag) {
      const { crc32: ownCrc32, ...knownPart } = storedPart;
      return {
        ...knownPart,
        isMd5,
        ...(ownCrc32 !== undefined && ownCrc32 === adoptable.crc32 ? { crc32: ownCrc32 } : {}),
      };
    }
    options.onSent?.(length);
    if (uploadId === null) await this.#call('putObject', key, () => this.#store(key, bytes));
    else {
      await this.#call('uploadPart', String(number), () =>
        this.#upload(uploadId).set(number, { ...storedPart, bytes }),
      );
    }
    return { ...storedPart, isMd5 };
  }

  async hashPart(order: PartOrder) {
    const { offset, length } = order;
    return md5((await readPart(order, offset, length, Buffer.alloc(length), noSums)).bytes);
  }

  async createMultipartUpload(key: string): Promise<BegunUpload> {
    return this.#call('createMultipartUpload', key, () => {
      const id = `upload-${++this.#lastId}`;
      this.uploads.set(id, new Map());
      return { uploadId: id, checksum: 'whole' };
    });
  }

  async listParts(_key: string, uploadId: string) {
    return this.#call('listParts', uploadId, () =>
      [...this.#upload(uploadId).values()].map(({ bytes: _, ...part }) => part),
    );
  }

  async completeMultipartUpload(key: string, { uploadId }: BegunUpload, parts: readonly StoredPart[]) {
    return this.#call('completeMultipartUpload', key, () => {
      const storedParts = this.#upload(uploadId);
      const chosenParts = parts.map((part) => {
        const result = storedParts.get(part.number);
        if (result?.etag !== part.etag) throw fault({ status: 400, code: 'InvalidPart' });
        return result;
      });
      this.uploads.delete(uploadId);
      this.#store(key, Buffer.concat(chosenParts.map((part) => part.bytes)));
      const etag = `${md5(Buffer.from(chosenParts.map((part) => part.etag).join(''), 'hex'))}-${chosenParts.length}`;
      this.etags.set(key, etag);
      return { etag, isUnexpected: false };
    });
  }

  async abortMultipartUpload(_key: string, uploadId: string) {
    return this.#call('abortMultipartUpload', uploadId, () => void this.uploads.delete(uploadId));
  }

  async headObject(key: string) {
    return this.#call('headObject', key, () => {
      const object = this.objects.get(key);
      if (!object) throw fault({ status: 404, fromStorage: true });
      return { size: object.length, etag: this.etags.get(key) ?? null, isComparable: true };
    });
  }

  renewConnections(): void {}

  close(): void {}

  count(call: Call): number {
    return this.calls.filter((madeCall) => madeCall === call).length;
  }

  #store(key: string, bytes: Buffer) {
    this.objects.set(key, bytes);
    this.etags.set(key, md5(bytes));
  }

  #upload(id: string) {
    const upload = this.uploads.get(id);
    if (!upload) throw fault({ status: 404, code: 'NoSuchUpload' });
    return upload;
  }

  async #call<T>(call: Call, detail: string, work: () => T): Promise<T> {
    this.calls.push(call);
    await Promise.resolve();
    this.meet(call, 'before', detail);
    const answer = work();
    this.meet(call, 'after', detail);
    return answer;
  }
}

const noSums = { md5: false, crc32: false };

/** A fault with an S3 code comes from storage itself. */
export const fault = (storageFault: StorageFault) =>
  new StorageError(
    storageFault.status !== undefined && storageFault.code
      ? { fromStorage: true, ...storageFault }
      : storageFault,
  );
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');
