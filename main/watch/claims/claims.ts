import { createHash, randomUUID } from 'node:crypto';
import { TileliftError } from '../../errors.ts';
import type { Clock } from '../../outside.ts';
import type { HeldFolder } from '../folder/held-folder.ts';
import { holdOwnFolder } from '../folder/own-folder.ts';
import {
  type Claim,
  type ClaimOwner,
  clearClaim,
  dropClaim,
  isStale,
  makeClaim,
  readClaim,
  rewriteClaim,
  serverTime,
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
  /** Claims are switched off while something stands in the place of Tilelift's own folder that must not be followed. Called once each time that begins. */
  readonly onForeign?: (error: TileliftError) => void;
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

export function createClaims({ folder, owner, clock, staleMs, onForeign }: ClaimsOptions): Claims {
  /** Identities by path. */
  const mine = new Map<string, string>();
  let isForeign = false;
  const fileOf = (path: string) => `${createHash('sha256').update(path).digest('hex')}.json`;
  const newClaim = (source: string, identity: string): Claim => ({
    id: randomUUID(),
    owner,
    source,
    identity,
    since: clock.now(),
    state: 'held',
    outcome: null,
  });

  /** Gives `without` while what should hold the claims is not to be trusted: nothing is read or written there, and nobody is waited for. */
  async function inClaims<T>(without: T, work: (claims: HeldFolder) => Promise<T>): Promise<T> {
    try {
      await using claims = await holdOwnFolder(folder, 'claims');
      isForeign = false;
      const answer = await work(claims);
      await claims.check();
      return answer;
    } catch (cause) {
      if (!(cause instanceof TileliftError) || cause.code !== 'watch-own-folder-foreign')
        throw new TileliftError('watch-claims-unwritable', { subject: folder, cause });
      if (!isForeign) onForeign?.(cause);
      isForeign = true;
      return without;
    }
  }

  async function claim(claims: HeldFolder, path: string, identity: string) {
    const file = fileOf(path);
    for (let look = 0; look < mostLooks; look++) {
      if (await makeClaim(claims, file, newClaim(path, identity))) return 'ours';
      const read = await readClaim(claims, file);
      if (!read) continue;
      const known = read.claim?.source === path ? read.claim : null;
      if (known?.owner.instance === owner.instance) {
        if (await rewriteClaim(claims, file, owner, () => newClaim(path, identity))) return 'ours';
        continue;
      }
      if (known?.state === 'done' && known.identity === identity) return 'done';
      const now = await serverTime(claims);
      const isFree = known?.state === 'done' || isStale(read.touchedAt, staleMs, now);
      if (!isFree || !(await clearClaim(claims, file, read, staleMs, now))) return 'theirs';
    }
    return 'theirs';
  }

  /** A claim file that somebody deleted is made anew. */
  async function stillOurs(claims: HeldFolder, path: string, identity: string): Promise<boolean> {
    const file = fileOf(path);
    if (await rewriteClaim(claims, file, owner, (claim) => claim)) return true;
    if ((await readClaim(claims, file)) !== undefined) return false;
    return makeClaim(claims, file, newClaim(path, identity));
  }

  return {
    claim: async (path, identity) => {
      const answer = await inClaims('ours', (claims) => claim(claims, path, identity));
      if (answer === 'ours') mine.set(path, identity);
      return answer;
    },
    renew: () =>
      inClaims<readonly string[]>([], async (claims) => {
        const lost: string[] = [];
        for (const [path, identity] of [...mine]) {
          if (await stillOurs(claims, path, identity)) continue;
          mine.delete(path);
          lost.push(path);
        }
        return lost;
      }),
    finish: (path, identity, outcome) => {
      mine.delete(path);
      return inClaims(undefined, async (claims) => {
        const file = fileOf(path);
        const done = (): Claim => ({ ...newClaim(path, identity), state: 'done', outcome });
        if (!(await rewriteClaim(claims, file, owner, done))) await makeClaim(claims, file, done());
      });
    },
    release: (path) => {
      mine.delete(path);
      return inClaims(undefined, (claims) => dropClaim(claims, fileOf(path), owner));
    },
    mine: () => [...mine.keys()],
  };
}
