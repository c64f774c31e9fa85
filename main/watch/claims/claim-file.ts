import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { z } from 'zod';
import { parseJson } from '../../service/parse-json.ts';

/** One claim on a network folder, as a file. */

const ownerSchema = z.object({
  /** Of one Tilelift, for good: it knows its own claims again after a restart. */
  instance: z.string().min(1),
  host: z.string(),
  pid: z.number(),
});

const claimSchema = z.object({
  /** Of this claim alone: no other file ever has the same content. */
  id: z.string(),
  owner: ownerSchema,
  source: z.string(),
  identity: z.string(),
  /** ms since the epoch, for people: of a clock that others need not share. */
  since: z.number(),
  state: z.enum(['held', 'done']),
  /** What became of the source, once `done`. */
  outcome: z.string().nullable(),
});

export type ClaimOwner = z.infer<typeof ownerSchema>;
export type Claim = z.infer<typeof claimSchema>;

export interface ReadClaim {
  /** Null where the content makes no sense: damaged, or half-written. */
  readonly claim: Claim | null;
  /** Of content and time: another after every change, also after a renewal. */
  readonly generation: string;
  /** By the file server's clock, ms since the epoch. */
  readonly touchedAt: number;
}

/** Undefined when there is none. */
export async function readClaim(path: string): Promise<ReadClaim | undefined> {
  try {
    const { mtimeMs } = await stat(path);
    const text = await readFile(path, 'utf8');
    const generation = createHash('sha256').update(`${mtimeMs}\0${text}`).digest('hex').slice(0, 16);
    const claim = claimSchema.safeParse(parseJson(text)).data ?? null;
    return { claim, generation, touchedAt: mtimeMs };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** False when another file was there first. */
export async function makeClaim(path: string, claim: Claim): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, 'wx');
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
  try {
    await write(file, claim);
  } finally {
    await file.close();
  }
  return true;
}

/**
 * Writes over a claim of this owner, in one go, so that a kill leaves one or the other. False when it is not this owner's any more: whoever took it over put
 * another file in its place, which is not touched.
 */
export async function rewriteClaim(
  path: string,
  owner: ClaimOwner,
  change: (claim: Claim) => Claim,
): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, 'r+');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
  try {
    const claim = claimSchema.safeParse(parseJson(await file.readFile('utf8'))).data;
    if (claim?.owner.instance !== owner.instance) return false;
    await write(file, change(claim));
  } finally {
    await file.close();
  }
  // It may have been moved away under our hands.
  return (await readClaim(path))?.claim?.owner.instance === owner.instance;
}

/**
 * Clears away a claim that is as it was read: for each generation only one of any number of computers does. False when another does, or did. Whoever dies in
 * the middle holds the others up for `staleMs`.
 *
 * @param serverNow the file server's time, ms since the epoch
 */
export async function clearClaim(
  path: string,
  read: ReadClaim,
  staleMs: number,
  serverNow: number,
): Promise<boolean> {
  const lock = await lockGeneration(path, read.generation, staleMs, serverNow);
  if (lock === null) return false;
  try {
    if ((await readClaim(path))?.generation !== read.generation) return false;
    const aside = `${path}.${randomUUID()}.old`;
    await rename(path, aside);
    await rm(aside, { force: true });
    return true;
  } catch (error) {
    // Its owner let go of it, or has it open where that keeps it from being moved.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'EBUSY') || hasCode(error, 'EPERM')) return false;
    throw error;
  } finally {
    await rm(lock, { force: true });
  }
}

const mostLocks = 20;

async function lockGeneration(
  path: string,
  generation: string,
  staleMs: number,
  serverNow: number,
): Promise<string | null> {
  for (let count = 1; count <= mostLocks; count++) {
    const lock = `${path}.${generation}-${count}.lock`;
    try {
      await (await open(lock, 'wx')).close();
      return lock;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const made = await stat(lock).catch(() => null);
    if (!made || serverNow - made.mtimeMs <= staleMs) return null;
  }
  return null;
}

/** Gives the claim up when it is still this owner's. */
export async function dropClaim(path: string, owner: ClaimOwner): Promise<void> {
  if ((await readClaim(path))?.claim?.owner.instance !== owner.instance) return;
  await unlink(path).catch((error) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
}

/** Room for a longer outcome: a file that never shrinks is never half a file. */
const room = 512;

async function write(file: FileHandle, claim: Claim): Promise<void> {
  const { size } = await file.stat();
  const text = Buffer.from(JSON.stringify(claim));
  const length = Math.max(size, Math.ceil((text.length + 1) / room) * room);
  await file.write(Buffer.concat([text, Buffer.alloc(length - text.length, ' ')]), 0, length, 0);
  await file.sync();
}

export function hasCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}
