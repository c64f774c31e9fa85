import { type FileBytes, PastEnd, uint } from '../base/file-bytes.ts';
import type { Verdict } from '../base/format.ts';
import { hdf5End } from '../base/lengths.ts';

const bytesOfType = [0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8];
const most = 2_000;

/** NetCDF ("NetCDF Classic Format Specification"), also with 64-bit offsets or data; version 4 is HDF5. */
export async function netcdfEnd(file: FileBytes): Promise<Verdict> {
  const head = (await file.first(4)).toString('latin1');
  if (!head.startsWith('CDF')) return 'CDF'.startsWith(head) ? 'tooShort' : hdf5End(file);
  if (head.length < 4) return 'tooShort';
  const version = head.charCodeAt(3);
  if (version !== 1 && version !== 2 && version !== 5) return null;
  return new Reader(file, version).judge();
}

interface Variable {
  readonly begin: number;
  /** Per record if `isRecord`. */
  readonly length: number;
  readonly isRecord: boolean;
}

class Reader {
  readonly #file: FileBytes;
  /** Bytes. */
  readonly #count: 4 | 8;
  readonly #offset: 4 | 8;
  #at = 4;

  constructor(file: FileBytes, version: 1 | 2 | 5) {
    this.#file = file;
    this.#count = version === 5 ? 8 : 4;
    this.#offset = version === 1 ? 4 : 8;
  }

  async judge(): Promise<Verdict> {
    const records = await this.#number(this.#count);
    const dimensions: number[] = [];
    await this.#list(async () => {
      await this.#name();
      dimensions.push(await this.#number(this.#count));
    });
    await this.#attributes();
    const variables: Variable[] = [];
    await this.#list(async () => variables.push(await this.#variable(dimensions)));
    const ofRecords = variables.filter(({ isRecord }) => isRecord);
    // A single record variable is stored without padding.
    const padded =
      ofRecords.length > 1 ? ofRecords.map(({ length }) => padding(length)) : [ofRecords[0]?.length ?? 0];
    const record = padded.reduce((sum, length) => sum + length, 0);
    // The maximum marks a stream with an unknown count.
    const count = records >= 2 ** (this.#count * 8) - 1 ? 0 : records;
    for (const { begin, length, isRecord } of variables) {
      if (!isRecord) this.#file.need(begin, length);
      else if (count > 0) this.#file.need(begin, (count - 1) * record + length);
    }
    return null;
  }

  async #variable(dimensions: readonly number[]): Promise<Variable> {
    await this.#name();
    const sizes: number[] = [];
    const count = await this.#number(this.#count);
    if (count > most) throw new PastEnd();
    for (let index = 0; index < count; index++) sizes.push(dimensions[await this.#number(this.#count)] ?? 0);
    await this.#attributes();
    const type = await this.#number(4);
    await this.#number(this.#count);
    const begin = await this.#number(this.#offset);
    const isRecord = sizes[0] === 0;
    const cells = (isRecord ? sizes.slice(1) : sizes).reduce((product, size) => product * size, 1);
    return { begin, length: cells * (bytesOfType[type] ?? 0), isRecord };
  }

  async #attributes(): Promise<void> {
    await this.#list(async () => {
      await this.#name();
      const type = await this.#number(4);
      const values = await this.#number(this.#count);
      this.#skip(values * (bytesOfType[type] ?? 0));
    });
  }

  /** A tag, a count, and the entries. */
  async #list(entry: () => Promise<unknown>): Promise<void> {
    await this.#number(4);
    const count = await this.#number(this.#count);
    for (let index = 0; index < Math.min(count, most); index++) await entry();
  }

  async #name(): Promise<void> {
    this.#skip(await this.#number(this.#count));
  }

  async #number(size: 4 | 8): Promise<number> {
    const bytes = await this.#file.take(this.#at, size);
    this.#at += size;
    return uint(bytes, 0, size, false);
  }

  #skip(length: number): void {
    const whole = padding(length);
    this.#file.need(this.#at, whole);
    this.#at += whole;
  }
}

const padding = (length: number): number => Math.ceil(length / 4) * 4;
