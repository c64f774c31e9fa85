import { readFileSync } from 'node:fs';
import type { UnpackLaz } from '../formats/base/format.ts';
import { lazPerfFile } from './laz-perf-file.ts';

interface LazPerf {
  readonly HEAPU8: Uint8Array;
  readonly ChunkDecoder: new () => {
    open(format: number, length: number, chunk: number): void;
    getPoint(pointAddress: number): void;
    delete(): void;
  };
  _malloc(bytes: number): number;
  _free(address: number): void;
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

let moduleCode: Promise<readonly [CreateLazPerf, WebAssembly.Module]> | null = null;
let loadedModule: Promise<LazPerf> | null = null;

/**
 * Unpacks with laz-perf (https://github.com/hobuinc/laz-perf). Malformed input only affects the module’s own
 * memory; after a failure the next call starts a new module.
 */
export const unpackLaz: UnpackLaz = async (chunk, { format, length, count }) => {
  loadedModule ??= createModule();
  let lazPerf: LazPerf | null = null;
  try {
    lazPerf = await loadedModule;
    return unpackWith(lazPerf, chunk, { format, length, count });
  } catch {
    lazPerf = null;
    return null;
  } finally {
    if (lazPerf === null || lazPerf.HEAPU8.length > maxMemory) loadedModule = null;
  }
};

function unpackWith(
  lazPerf: LazPerf,
  chunk: Buffer,
  { format, length, count }: Parameters<UnpackLaz>[1],
): Buffer {
  const points = Buffer.alloc(count * length);
  const [chunkAddress, pointAddress] = [lazPerf._malloc(chunk.length), lazPerf._malloc(length)];
  lazPerf.HEAPU8.set(chunk, chunkAddress);
  const decoder = new lazPerf.ChunkDecoder();
  decoder.open(format, length, chunkAddress);
  for (let point = 0; point < count; point++) {
    decoder.getPoint(pointAddress);
    points.set(lazPerf.HEAPU8.subarray(pointAddress, pointAddress + length), point * length);
  }
  decoder.delete();
  lazPerf._free(chunkAddress);
  lazPerf._free(pointAddress);
  return points;
}

async function createModule(): Promise<LazPerf> {
  moduleCode ??= compileModule();
  const [create, module] = await moduleCode;
  const names = ['uncaughtException', 'unhandledRejection'] as const;
  const existingListeners = new Set(names.flatMap((name) => process.listeners(name as 'uncaughtException')));
  const lazPerf = create({
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
      if (!existingListeners.has(listener)) process.off(name, listener);
  return lazPerf;
}

async function compileModule(): Promise<readonly [CreateLazPerf, WebAssembly.Module]> {
  // CommonJS without types for this part.
  const library: { readonly default: CreateLazPerf } = await import(
    'laz-perf/lib/node/laz-perf.js' as string
  );
  return [library.default, new WebAssembly.Module(readFileSync(lazPerfFile))];
}
