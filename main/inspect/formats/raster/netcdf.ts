import { type FileBytes, PastEndError, readUint } from '../base/file-bytes.ts';
import type { Verdict } from '../base/format.ts';
import { hdf5End } from '../base/lengths.ts';

const bytesOfType = [0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8];
const maxEntries = 2_000;

/** NetCDF ("NetCDF Classic Format Specification"), also with 64-bit offsets or data; version 4 is HDF5. */
export async function netcdfEnd(file: FileBytes): Promise<Verdict> {
  const signature = (await file.readStart(4)).toString('latin1');
  if (!signature.startsWith('CDF')) return 'CDF'.startsWith(signature) ? 'tooShort' : hdf5End(file);
  if (signature.length < 4) return 'tooShort';
  const version = signature.charCodeAt(3);
  if (version !== 1 && version !== 2 && version !== 5) return null;
  return new HeaderReader(file, version).checkLength();
}

interface Variable {
  readonly dataOffset: number;
  /** Per record if `isRecord`. */
  readonly length: number;
  readonly isRecord: boolean;
}

class HeaderReader {
  readonly #file: FileBytes;
  /** Bytes. */
  readonly #count: 4 | 8;
  readonly #offset: 4 | 8;
  #position = 4;

  constructor(file: FileBytes, version: 1 | 2 | 5) {
    this.#file = file;
    this.#count = version === 5 ? 8 : 4;
    this.#offset = version === 1 ? 4 : 8;
  }

  async checkLength(): Promise<Verdict> {
    const records = await this.#readNumber(this.#count);
    const dimensions: number[] = [];
    await this.#readList(async () => {
      await this.#skipName();
      dimensions.push(await this.#readNumber(this.#count));
    });
    await this.#skipAttributes();
    const variables: Variable[] = [];
    await this.#readList(async () => variables.push(await this.#readVariable(dimensions)));
    const recordVariables = variables.filter(({ isRecord }) => isRecord);
    // A single record variable is stored without padding.
    const recordLengths =
      recordVariables.length > 1
        ? recordVariables.map(({ length }) => padding(length))
        : [recordVariables[0]?.length ?? 0];
    const recordLength = recordLengths.reduce((sum, length) => sum + length, 0);
    // The maximum marks a stream with an unknown count.
    const count = records >= 2 ** (this.#count * 8) - 1 ? 0 : records;
    for (const { dataOffset, length, isRecord } of variables) {
      if (!isRecord) this.#file.requireRange(dataOffset, length);
      else if (count > 0) this.#file.requireRange(dataOffset, (count - 1) * recordLength + length);
    }
    return null;
  }

  async #readVariable(dimensions: readonly number[]): Promise<Variable> {
    await this.#skipName();
    const sizes: number[] = [];
    const count = await this.#readNumber(this.#count);
    if (count > maxEntries) throw new PastEndError();
    for (let index = 0; index < count; index++)
      sizes.push(dimensions[await this.#readNumber(this.#count)] ?? 0);
    await this.#skipAttributes();
    const type = await this.#readNumber(4);
    await this.#readNumber(this.#count);
    const dataOffset = await this.#readNumber(this.#offset);
    const isRecord = sizes[0] === 0;
    const cells = (isRecord ? sizes.slice(1) : sizes).reduce((product, size) => product * size, 1);
    return { dataOffset, length: cells * (bytesOfType[type] ?? 0), isRecord };
  }

  async #skipAttributes(): Promise<void> {
    await this.#readList(async () => {
      await this.#skipName();
      const type = await this.#readNumber(4);
      const values = await this.#readNumber(this.#count);
      this.#skip(values * (bytesOfType[type] ?? 0));
    });
  }

  /** A tag, a count, and the entries. */
  async #readList(entry: () => Promise<unknown>): Promise<void> {
    await this.#readNumber(4);
    const count = await this.#readNumber(this.#count);
    for (let index = 0; index < Math.min(count, maxEntries); index++) await entry();
  }

  async #skipName(): Promise<void> {
    this.#skip(await this.#readNumber(this.#count));
  }

  async #readNumber(size: 4 | 8): Promise<number> {
    const bytes = await this.#file.read(this.#position, size);
    this.#position += size;
    return readUint(bytes, 0, size, false);
  }

  #skip(length: number): void {
    const paddedLength = padding(length);
    this.#file.requireRange(this.#position, paddedLength);
    this.#position += paddedLength;
  }
}

const padding = (length: number): number => Math.ceil(length / 4) * 4;
