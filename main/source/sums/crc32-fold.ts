import { crc32 as zlibCrc32 } from 'node:zlib';
import { crc32FoldCode } from './crc32-fold-code.ts';

/** As `crc32-fold.wat` has it: parameters there. */
type Fold = (from: number, words: number, before: number, work: number, to: number) => void;

interface Folding {
  readonly fold: Fold;
  /** What is left of the bytes. */
  readonly rest: Buffer;
}

const wordBytes = 16;
const restBytes = 4_800;
/** Fewer words are as quick without. */
const fewestWords = 1_024;
/** In each memory: where it works, where it leaves the rest, and from where on there are buffers. */
const [work, rest, firstBuffer] = [0, 16_384, 65_536];
const pageBytes = 65_536;
/** Smaller buffers share a memory of about this size, bytes. */
const sharedBytes = 1_048_576;

/**
 * Node's own CRC-32 makes no use of what x64 processors have for it: 4 GB/s, ours 11. Electron's does
 * (13), and so does Node's on ARM.
 */
const isWorthIt = process.arch === 'x64' && process.versions.electron === undefined;

const foldings = new WeakMap<ArrayBufferLike, Folding>();
let module: WebAssembly.Module | null = null;

/**
 * Buffers in whose bytes `crc32` is quick. Each is as any other, but that its memory can't be given away to
 * another thread.
 *
 * @param size of each, bytes
 * @param isQuick false: as Node makes them
 * @returns one or several
 */
export function makeBuffers(size: number, isQuick = isWorthIt): readonly [Buffer, ...Buffer[]] {
  const shared = Math.max(1, Math.floor(sharedBytes / size));
  const memory = isQuick ? makeMemory(firstBuffer + shared * size) : null;
  if (memory === null) return [Buffer.allocUnsafeSlow(size)];
  const one = (at: number) => Buffer.from(memory.buffer, firstBuffer + at * size, size);
  return [one(0), ...Array.from({ length: shared - 1 }, (_, at) => one(at + 1))];
}

/** CRC-32 as zlib has it, of bytes that come after others of which it is `before`. */
export function crc32(bytes: Buffer, before = 0): number {
  const words = Math.floor(bytes.length / wordBytes / 2) * 2;
  const folding = words < fewestWords ? undefined : foldings.get(bytes.buffer);
  if (!folding) return zlibCrc32(bytes, before);
  folding.fold(bytes.byteOffset, words, before, work, rest);
  // What CRC-32 begins with is in the rest already.
  const folded = zlibCrc32(folding.rest, 0xffffffff);
  return zlibCrc32(bytes.subarray(words * wordBytes), folded);
}

/** Null where there can be none: no address space, no WebAssembly, a processor that is too old for it. */
function makeMemory(bytes: number): WebAssembly.Memory | null {
  const pages = Math.ceil(bytes / pageBytes);
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    module ??= new WebAssembly.Module(Buffer.from(crc32FoldCode, 'base64'));
    const { exports } = new WebAssembly.Instance(module, { fold: { memory } });
    foldings.set(memory.buffer, {
      fold: exports.fold as Fold,
      rest: Buffer.from(memory.buffer, rest, restBytes),
    });
    return memory;
  } catch {
    return null;
  }
}
