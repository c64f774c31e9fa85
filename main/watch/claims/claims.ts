import { createHash, randomUUID } from 'node:crypto';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TileliftError } from '../../errors.ts';
import type { Clock } from '../../outside.ts';
import { ownFolder } from '../source/left-out.ts';
import {
  type Claim,
  type ClaimOwner,
  clearClaim,
  dropClaim,
  hasCode,
  makeClaim,
  readClaim,
  rewriteClaim,
} from './claim-file.ts';

export type { ClaimOwner } from './claim-file.ts';

export interface ClaimsOptions {
  /** The watched folder. */
  readonly folder: string;
  readonly owner: ClaimOwner;
  /** Only for what people read: ages are told by the file server's clock. */
  readonly clock: Pick<Clock, 'now'>;
  /** A claim that was not renewed for so long is given up, ms. */
  readonly staleMs: number;
}

/**
 * Keeps computers that watch one network folder from taking the same source, by claim files in it that only one can make. Everything throws
 * `watch-claims-unwritable` when the folder can't be written.
 */
export interface Claims {
  /** `theirs`: another computer is at it. `done`: it was finished elsewhere with this content. */
  claim(path: string, identity: string): Promise<'ours' | 'theirs' | 'done'>;
  /** Says that we are still at it. Gives the paths of claims that were lost to another computer meanwhile; they are held no longer. */
  renew(): Promise<readonly string[]>;
  /** The source has ended here: with this content nobody is to take it again. */
  finish(path: string, identity: string, outcome: string): Promise<void>;
  /** Lets others take it. */
  release(path: string): Promise<void>;
  /** Paths that are claimed here. */
  mine(): readonly string[];
}

/** Others may make, finish and give up claims while we look. */
const mostLooks = 5;

export function createClaims({ folder, owner, clock, staleMs }: ClaimsOptions): Claims {
  const own = join(folder, ownFolder);
  const claims = join(own, 'claims');
  /** Identities by path. */
  const mine = new Map<string, string>();
  const fileOf = (path: string) => join(claims, `${createHash('sha256').update(path).digest('hex')}.json`);
  const newClaim = (source: string, identity: string): Claim => ({
    id: randomUUID(),
    owner,
    source,
    identity,
    since: clock.now(),
    state: 'held',
    outcome: null,
  });

  /** Not with parents: where a drive is away, nothing may be made in its place. */
  async function makeFolders(): Promise<void> {
    for (const path of [own, claims]) {
      await mkdir(path).catch((error) => {
        if (!hasCode(error, 'EEXIST')) throw error;
      });
    }
  }

  /** A file of our own, touched just now, has the time that the server gives. */
  async function serverNow(): Promise<number> {
    const path = join(own, `clock-${createHash('sha256').update(owner.instance).digest('hex').slice(0, 16)}`);
    await writeFile(path, randomUUID());
    return (await stat(path)).mtimeMs;
  }

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw new TileliftError('watch-claims-unwritable', { subject: folder, cause });
    }
  }

  async function claim(path: string, identity: string): Promise<'ours' | 'theirs' | 'done'> {
    const file = fileOf(path);
    for (let look = 0; look < mostLooks; look++) {
      if (await makeClaim(file, newClaim(path, identity))) return 'ours';
      const read = await readClaim(file);
      if (!read) continue;
      const known = read.claim;
      if (known?.owner.instance === owner.instance) {
        if (await rewriteClaim(file, owner, () => newClaim(path, identity))) return 'ours';
        continue;
      }
      if (known?.state === 'done' && known.identity === identity) return 'done';
      const now = await serverNow();
      const isFree = known?.state === 'done' || now - read.touchedAt > staleMs;
      if (!isFree || !(await clearClaim(file, read, staleMs, now))) return 'theirs';
    }
    return 'theirs';
  }

  /** A claim file that somebody deleted is made anew. */
  async function stillOurs(path: string, identity: string): Promise<boolean> {
    const file = fileOf(path);
    if (await rewriteClaim(file, owner, (claim) => claim)) return true;
    if ((await readClaim(file)) !== undefined) return false;
    await makeFolders();
    return makeClaim(file, newClaim(path, identity));
  }

  return {
    claim: (path, identity) =>
      guarded(async () => {
        await makeFolders();
        const answer = await claim(path, identity);
        if (answer === 'ours') mine.set(path, identity);
        return answer;
      }),
    renew: () =>
      guarded(async () => {
        const lost: string[] = [];
        for (const [path, identity] of [...mine]) {
          if (await stillOurs(path, identity)) continue;
          mine.delete(path);
          lost.push(path);
        }
        return lost;
      }),
    finish: (path, identity, outcome) =>
      guarded(async () => {
        await makeFolders();
        const file = fileOf(path);
        const done = (): Claim => ({ ...newClaim(path, identity), state: 'done', outcome });
        mine.delete(path);
        if (!(await rewriteClaim(file, owner, done))) await makeClaim(file, done());
      }),
    release: (path) =>
      guarded(async () => {
        mine.delete(path);
        await dropClaim(fileOf(path), owner);
      }),
    mine: () => [...mine.keys()],
  };
}
