import dns from 'node:dns';
import fs, { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { LookupFunction } from 'node:net';
import { fileURLToPath } from 'node:url';

/** Faults that last while a file exists, so that several threads see them at the same time. */
export interface Troubles {
  /** No name resolves. */
  readonly away?: string;
  /** Every read fails. */
  readonly diskFails?: string;
  /**
   * Files below the folder are on a drive that doesn't respond while `fifo` exists (a named pipe without a
   * writer); `fifo.asked` shows an attempt.
   */
  readonly deadDrive?: { readonly folder: string; readonly fifo: string };
  /** `slowName` has two addresses; the second one doesn't respond. */
  readonly twoAddresses?: boolean;
}

/** The upload worker with these faults, as a URL for the storage client. */
export function troubledWorker(faults: Troubles): URL {
  const moduleUrl = JSON.stringify(import.meta.url);
  const worker = JSON.stringify(new URL('../../main/workers/upload-worker.ts', import.meta.url));
  const source = `import { bringTroubles } from ${moduleUrl};
    await import(${worker});
    await bringTroubles(${JSON.stringify(faults)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

/** Runs in the worker's thread after its modules are loaded. */
export async function bringTroubles({
  away: faultFile,
  diskFails,
  deadDrive,
  twoAddresses,
}: Troubles): Promise<void> {
  if (twoAddresses) dns.lookup = answerWithTwo(dns.lookup) as typeof dns.lookup;
  if (faultFile) dns.lookup = answerLookups(dns.lookup, faultFile) as typeof dns.lookup;
  if (diskFails) await failReads(diskFails);
  if (deadDrive) hangOpens(deadDrive);
  syncBuiltinESMExports();
}

/** The only resolvable name in these tests: this computer's. */
export const hostName = 'storage.test';

/**
 * Resolves `hostName` to this computer, or fails like a resolver without a network. The name never leaves the
 * process.
 */
function answerLookups(realLookup: LookupFunction, faultFile: string): LookupFunction {
  return (name, options, callback) => {
    if (name !== hostName) return realLookup(name, options, callback);
    if (!existsSync(faultFile)) return realLookup('127.0.0.1', options, callback);
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
    setImmediate(() => callback(error, '', 4));
  };
}

export const slowName = 'two.test';

function answerWithTwo(realLookup: LookupFunction): LookupFunction {
  return (name, options, callback) => {
    if (name !== slowName) return realLookup(name, options, callback);
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    setImmediate(() => callback(null, addresses));
  };
}

/** Blocks in the system like a real drive: in the thread itself, or in the thread pool. */
function hangOpens({ folder, fifo }: NonNullable<Troubles['deadDrive']>): void {
  const isDead = (path: unknown) => {
    const isDead = String(path).startsWith(folder) && existsSync(fifo);
    if (isDead) fs.writeFileSync(`${fifo}.asked`, '');
    return isDead;
  };
  const { openSync } = fs;
  fs.openSync = (path, flags, mode) =>
    isDead(path) ? openSync(fifo, 'r') : openSync(path, flags as fs.OpenMode, mode);
  const { open: openLater } = fs.promises;
  fs.promises.open = (path, flags, mode) =>
    isDead(path) ? openLater(fifo, 'r') : openLater(path, flags, mode);
}

/** Fails like a bad sector, for each way of reading a file. */
async function failReads(flag: string): Promise<void> {
  const check = () => {
    if (existsSync(flag)) throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
  };
  const readSync = fs.readSync;
  fs.readSync = ((...args: Parameters<typeof readSync>) => {
    check();
    return readSync(...args);
  }) as typeof readSync;
  const readLater = fs.read;
  fs.read = ((...args: readonly unknown[]) => {
    try {
      check();
      Reflect.apply(readLater, fs, args);
    } catch (error) {
      (args.at(-1) as (error: unknown) => void)(error);
    }
  }) as typeof readLater;
  const handle = await open(fileURLToPath(import.meta.url));
  const prototype: { read: typeof handle.read } = Object.getPrototypeOf(handle);
  await handle.close();
  const read = prototype.read;
  prototype.read = async function (this: typeof handle, ...args: Parameters<typeof read>) {
    check();
    return read.apply(this, args);
  } as typeof read;
}
