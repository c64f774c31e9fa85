import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../errno.ts';
import { parseJson } from '../service/answer.ts';
import { writeWholeSync } from '../whole-file.ts';

/**
 * Where the running Tilelift can be spoken to. The address stands in a file beside the journal that its owner
 * alone can read, with a key that only its readers know. On Linux and macOS the socket lies in a folder of
 * its own that nobody else may enter; a named pipe of Windows has no folder, so its name can't be foreseen.
 * Who does not know the key is neither answered nor asked anything.
 */
export interface SocketAddress {
  readonly address: string;
  readonly key: string;
}

const addressSchema = z.object({ address: z.string().min(1).max(1_000), key: z.string().min(32).max(200) });

/** Bytes of a socket's path that every system takes (macOS: 104 with the closing zero). */
const maxSocketPath = 100;
const socketName = 'tilelift.sock';
const temporaryPrefix = 'tilelift-socket-';
const ownerOnly = 0o700;

export const addressFile = (home: string): string => join(home, 'socket.json');
const socketFolder = (home: string) => join(home, 'socket');

/**
 * The address of whoever holds the journal in that folder, or did; null where there is none. Never throws.
 */
export function readSocketAddress(home: string): SocketAddress | null {
  try {
    return addressSchema.safeParse(parseJson(readFileSync(addressFile(home), 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Whether the socket, and the folder that it lies in, belong to whom the file belongs that names them: what a
 * killed Tilelift left in the system's folder for temporary files another user may have made anew. Null where
 * there is no socket. Windows' pipes have no owner to look at.
 */
export function isSocketOfOwner(home: string, address: string, platform: NodeJS.Platform): boolean | null {
  if (platform === 'win32') return true;
  try {
    const [{ uid }, folder, socket] = [addressFile(home), dirname(address), address].map((path) =>
      lstatSync(path),
    ) as [Stats, Stats, Stats];
    return folder.isDirectory() && folder.uid === uid && socket.uid === uid;
  } catch (error) {
    return hasCode(error, 'ENOENT', 'ENOTDIR') ? null : false;
  }
}

/**
 * A new address for whoever holds the journal now; what a killed one left is cleared away. Nothing can be
 * found there before `tellSocketAddress`. Throws what the file system throws.
 */
export function makeSocketAddress(home: string, platform: NodeJS.Platform): SocketAddress {
  clearSocketAddress(home);
  const key = randomBytes(32).toString('hex');
  if (platform === 'win32')
    return { address: `\\\\.\\pipe\\tilelift-${randomBytes(16).toString('hex')}`, key };
  const folder = socketFolder(home);
  if (Buffer.byteLength(join(folder, socketName)) > maxSocketPath) {
    const address = join(mkdtempSync(join(tmpdir(), temporaryPrefix)), socketName);
    return { address, key };
  }
  mkdirSync(folder, { recursive: true, mode: ownerOnly });
  checkOwn(folder);
  chmodSync(folder, ownerOnly);
  return { address: join(folder, socketName), key };
}

/** From now on others of the same user find it. */
export function tellSocketAddress(home: string, { address, key }: SocketAddress): void {
  const file = addressFile(home);
  writeWholeSync(file, JSON.stringify({ address, key }), `${file}.new`, 0o600);
}

/** Only whoever holds the journal may do so: it is nobody else's socket then. Never throws. */
export function clearSocketAddress(home: string): void {
  try {
    const known = readSocketAddress(home);
    rmSync(addressFile(home), { force: true });
    rmSync(join(socketFolder(home), socketName), { force: true });
    if (known && isTemporary(known.address)) rmSync(dirname(known.address), { recursive: true, force: true });
  } catch {
    // Whoever binds there next says why that can't be done.
  }
}

/** True for a folder that only `makeSocketAddress` makes, and that is this user's. */
function isTemporary(address: string): boolean {
  const folder = dirname(address);
  if (basename(address) !== socketName || dirname(folder) !== tmpdir()) return false;
  if (!basename(folder).startsWith(temporaryPrefix)) return false;
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}

/** A link, or somebody else's folder, would lead the socket to where others may enter. */
function checkOwn(folder: string): void {
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || stats.uid !== process.getuid?.())
    throw new Error(`not a folder of this user: ${folder}`);
}
