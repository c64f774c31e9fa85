import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { writeWholeSync } from '../atomic-file.ts';
import { hasCode } from '../errno.ts';
import { parseJson } from '../service/answer.ts';

/**
 * Its address and key are in a private file next to the journal. The socket is in a private folder; a Windows
 * pipe has a random name. Without the key a client gets no response.
 */
export interface SocketAddress {
  readonly address: string;
  readonly key: string;
}

const addressSchema = z.object({ address: z.string().min(1).max(1_000), key: z.string().min(32).max(200) });

/** In bytes (macOS: 104 with the terminating zero). */
const maxSocketPath = 100;
const socketName = 'tilelift.sock';
const temporaryPrefix = 'tilelift-socket-';
const ownerOnly = 0o700;

export const addressFile = (home: string): string => join(home, 'socket.json');
const socketFolder = (home: string) => join(home, 'socket');

/** Null without an address; its process may have ended. Never throws. */
export function readSocketAddress(home: string): SocketAddress | null {
  try {
    return addressSchema.safeParse(parseJson(readFileSync(addressFile(home), 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Another user may have recreated a killed Tilelift's socket in the temporary folder. Null without a socket.
 * Windows' pipes have no owner.
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
 * Removes a killed process's remains. Clients find it after `publishSocketAddress`. Throws file system
 * errors.
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
  assertOwned(folder);
  chmodSync(folder, ownerOnly);
  return { address: join(folder, socketName), key };
}

/** For the same user's processes. */
export function publishSocketAddress(home: string, { address, key }: SocketAddress): void {
  const file = addressFile(home);
  writeWholeSync(file, JSON.stringify({ address, key }), `${file}.new`, 0o600);
}

/** Only for the journal's holder. Never throws. */
export function clearSocketAddress(home: string): void {
  try {
    const socketAddress = readSocketAddress(home);
    rmSync(addressFile(home), { force: true });
    rmSync(join(socketFolder(home), socketName), { force: true });
    if (socketAddress && isTemporary(socketAddress.address))
      rmSync(dirname(socketAddress.address), { recursive: true, force: true });
  } catch {
    // The next attempt to listen reports the problem.
  }
}

function isTemporary(address: string): boolean {
  const folder = dirname(address);
  if (basename(address) !== socketName || dirname(folder) !== tmpdir()) return false;
  if (!basename(folder).startsWith(temporaryPrefix)) return false;
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}

/** Others could access the socket through a link or in their folder. */
function assertOwned(folder: string): void {
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || stats.uid !== process.getuid?.())
    throw new Error(`not a folder of this user: ${folder}`);
}
