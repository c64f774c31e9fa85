import { readFileSync } from 'node:fs';
import type { UnpackLaz } from '../formats/base/format.ts';
import { lazPerfFile } from './laz-perf-file.ts';

interface LazPerf {
  readonly HEAPU8: Uint8Array;
  readonly ChunkDecoder: new () => {
    open(format: number, length: number, chunk: number): void;
    getPoint(into: number): void;
    delete(): void;
  };
  _malloc(bytes: number): number;
  _free(place: number): void;
}

type CreateLazPerf = (options: {
  readonly instantiateWasm: (
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance) => void,
  ) => object;
  readonly print: () => void;
  readonly printErr: () => void;
}) => Promise<LazPerf>;

/** WebAssembly memory never shrinks, so a larger module is replaced. Bytes. */
const maxMemory = 24 * 1024 * 1024;

let compiled: Promise<readonly [CreateLazPerf, WebAssembly.Module]> | null = null;
let opened: Promise<LazPerf> | null = null;

/**
 * Unpacks with laz-perf (https://github.com/hobuinc/laz-perf). Malformed input only affects the module’s own
 * memory; after a failure the next call starts a new module.
 */
export const unpackLaz: UnpackLaz = async (chunk, { format, length, count }) => {
  opened ??= open();
  let laz: LazPerf | null = null;
  try {
    laz = await opened;
    return unpackWith(laz, chunk, { format, length, count });
  } catch {
    laz = null;
    return null;
  } finally {
    if (laz === null || laz.HEAPU8.length > maxMemory) opened = null;
  }
};

function unpackWith(
  laz: LazPerf,
  chunk: Buffer,
  { format, length, count }: Parameters<UnpackLaz>[1],
): Buffer {
  const points = Buffer.alloc(count * length);
  const [from, to] = [laz._malloc(chunk.length), laz._malloc(length)];
  laz.HEAPU8.set(chunk, from);
  const decoder = new laz.ChunkDecoder();
  decoder.open(format, length, from);
  for (let point = 0; point < count; point++) {
    decoder.getPoint(to);
    points.set(laz.HEAPU8.subarray(to, to + length), point * length);
  }
  decoder.delete();
  laz._free(from);
  laz._free(to);
  return points;
}

async function open(): Promise<LazPerf> {
  compiled ??= load();
  const [create, module] = await compiled;
  const names = ['uncaughtException', 'unhandledRejection'] as const;
  const before = new Set(names.flatMap((name) => process.listeners(name as 'uncaughtException')));
  const opening = create({
    instantiateWasm: (imports, receive) => {
      receive(new WebAssembly.Instance(module, imports));
      return {};
    },
    print: () => {},
    printErr: () => {},
  });
  // Each module instance adds global error handlers.
  for (const name of names)
    for (const listener of process.listeners(name as 'uncaughtException'))
      if (!before.has(listener)) process.off(name, listener);
  return opening;
}

async function load(): Promise<readonly [CreateLazPerf, WebAssembly.Module]> {
  // CommonJS without types for this part.
  const loaded: { readonly default: CreateLazPerf } = await import('laz-perf/lib/node/laz-perf.js' as string);
  return [loaded.default, new WebAssembly.Module(readFileSync(lazPerfFile))];
}
