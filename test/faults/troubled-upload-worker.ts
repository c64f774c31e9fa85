/** Entry of an upload worker whose names or disk fail as `troubledWorker` asks. */
import dns from 'node:dns';
import fs, { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { answerLookups } from './troubled-worker.ts';

const troubles = new URL(import.meta.url).searchParams;

const away = troubles.get('away');
if (away) dns.lookup = answerLookups(dns.lookup, away) as typeof dns.lookup;

const diskFails = troubles.get('diskFails');
if (diskFails) await failReads(diskFails);

syncBuiltinESMExports();
await import('../../main/upload/upload-worker.ts');

/** As a bad sector does, for both ways of reading. */
async function failReads(flag: string): Promise<void> {
  const check = () => {
    if (existsSync(flag)) throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
  };
  const readSync = fs.readSync;
  fs.readSync = ((...given: Parameters<typeof readSync>) => {
    check();
    return readSync(...given);
  }) as typeof readSync;
  const handle = await open(new URL(import.meta.url));
  const prototype: { read: typeof handle.read } = Object.getPrototypeOf(handle);
  await handle.close();
  const read = prototype.read;
  prototype.read = async function (this: typeof handle, ...given: Parameters<typeof read>) {
    check();
    return read.apply(this, given);
  } as typeof read;
}
