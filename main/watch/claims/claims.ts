import { createHash, randomUUID } from 'node:crypto';
import { TileliftError } from '../../errors.ts';
import type { Clock } from '../../outside.ts';
import type { Asset } from '../../service/model.ts';
import type { HeldFolder } from '../folder/held-folder.ts';
import { holdOwnFolder } from '../folder/held-folder.ts';
import { clearClaim, dropClaim, makeClaim, readClaim, rewriteClaim } from './claim-file.ts';
import {
  type Claim,
  type ClaimedAsset,
  type ClaimedContent,
  type ClaimOwner,
  claimVersion,
  isOwn,
  isTwin,
} from './claim-model.ts';
import { SeenClaims } from './seen-claims.ts';

export type { ClaimOwner } from './claim-model.ts';

export interface ClaimsOptions {
  /** The watched folder. */
  readonly folder: string;
  readonly owner: ClaimOwner;
  /** Only for what people read. */
  readonly clock: Pick<Clock, 'now'>;
  /** monotonic ms: ages are told by what was seen of a claim meanwhile. Default: the machine's. */
  readonly elapsed?: () => number;
  /** A claim that was seen not to be renewed for so long is given up, ms. */
  readonly staleMs: number;
  /**
   * Claims are switched off while something stands in the place of Tilelift's own folder that must not be
   * followed. Called once each time that begins.
   */
  readonly onForeign?: (error: TileliftError) => void;
  /** A claim from another computer with the same settings was met: a copied disk image, a roaming profile. */
  readonly onTwin?: (host: string) => void;
  /** A claim was met that only a later version of Tilelift can read. Called once for each. */
  readonly onLater?: (path: string) => void;
}

/**
 * `theirs`: another computer is at it. `done`: it became an asset elsewhere with this content. `failed`: it
 * failed elsewhere with this content. `left`: the computer at it is gone, and had created an asset from this
 * content; nothing has been claimed.
 */
type ClaimAnswer = 'ours' | 'theirs' | 'done' | 'failed' | 'left';

/**
 * `whatever`: also what was left, or is done or failed elsewhere with this content; never what another
 * computer is at. `confirm`: for a job that continues, which may be ending just now: a claim of ours that has
 * ended stays so.
 */
type ClaimHow = 'usual' | 'whatever' | 'confirm';

/** How a source ended. */
interface ClaimEnd {
  readonly state: 'done' | 'failed';
  /** For people. */
  readonly outcome: string;
  readonly asset: ClaimedAsset | null;
  /** Of what became COMPLETE. */
  readonly content: ClaimedContent | null;
}

/**
 * Keeps computers that watch one network folder from taking the same source, by claim files in it that only
 * one can make. Everything throws `watch-claims-unwritable` when the folder can't be written.
 */
export interface Claims {
  claim(path: string, identity: string, how?: ClaimHow): Promise<ClaimAnswer>;
  /** The claim of another computer that the last look at this path met. */
  met(path: string): Claim | undefined;
  /** Puts the asset of a claimed source into its claim. */
  name(path: string, asset: ClaimedAsset): Promise<void>;
  /**
   * Says that we are still at it. Gives the paths of claims that were lost to another computer meanwhile;
   * they are held no longer.
   */
  renew(): Promise<readonly string[]>;
  /** The source has ended here: with this content nobody is to take it again. */
  finish(path: string, identity: string, end: ClaimEnd): Promise<void>;
  /** Lets others take it at once. */
  release(path: string): Promise<void>;
  /** Stops renewing the claim: others may take it when they see that, and find the asset that it names. */
  rest(path: string): void;
  /** Paths that are claimed here, and renewed. */
  mine(): readonly string[];
}

interface Held {
  readonly identity: string;
  readonly asset: ClaimedAsset | null;
}

/** Others may make, finish and give up claims while we look. */
const maxLooks = 5;
/** Claims of others that are remembered. */
const maxMet = 2_000;

export function createClaims(options: ClaimsOptions): Claims {
  const { folder, owner, clock, staleMs } = options;
  const mine = new Map<string, Held>();
  const met = new Map<string, Claim>();
  const later = new Set<string>();
  const seen = new SeenClaims(staleMs, options.elapsed ?? (() => performance.now()));
  let isForeign = false;
  const fileOf = (path: string) => `${createHash('sha256').update(path).digest('hex')}.json`;
  const newClaim = (source: string, { identity, asset }: Held): Claim => ({
    version: claimVersion,
    id: randomUUID(),
    owner: { machine: null, ...owner },
    source,
    identity,
    since: clock.now(),
    state: 'held',
    outcome: null,
    beat: 0,
    asset,
    content: null,
  });

  /**
   * Gives `without` while what should hold the claims is not to be trusted: nothing is read or written there,
   * and nobody is waited for.
   */
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
      if (!isForeign) options.onForeign?.(cause);
      isForeign = true;
      return without;
    }
  }

  /** One after the other for each claim: we must not change it ourselves between a read and a write. */
  const work = new Map<string, Promise<unknown>>();
  function inOrder<T>(path: string, next: () => Promise<T>): Promise<T> {
    const before = work.get(path) ?? Promise.resolve();
    const answer = before.then(next, next);
    const over = answer.then(
      () => {},
      () => {},
    );
    work.set(path, over);
    void over.then(() => work.get(path) === over && work.delete(path));
    return answer;
  }

  function meet(path: string, claim: Claim): void {
    if (met.size >= maxMet) met.clear();
    met.set(path, claim);
    if (isTwin(claim, owner)) options.onTwin?.(claim.owner.host);
  }

  async function claim(
    claims: HeldFolder,
    path: string,
    identity: string,
    how: ClaimHow,
  ): Promise<ClaimAnswer> {
    const file = fileOf(path);
    const none: Held = { identity, asset: null };
    for (let look = 0; look < maxLooks; look++) {
      if (await makeClaim(claims, file, newClaim(path, none))) return hold(path, none);
      const read = await readClaim(claims, file);
      if (!read) continue;
      const isStale = seen.isStale(file, read.generation);
      if (read.isLater) return sayLater(path);
      const known = read.claim?.source === path ? read.claim : null;
      if (known && isOwn(known, owner)) {
        if (how === 'confirm' && known.state !== 'held') return 'ours';
        const asset = known.state === 'held' && known.identity === identity ? known.asset : null;
        const held = { identity, asset };
        if (await rewriteClaim(claims, file, owner, () => newClaim(path, held))) return hold(path, held);
        continue;
      }
      if (known) meet(path, known);
      const isSame = known?.identity === identity && how !== 'whatever';
      if (isSame && known.state !== 'held') return known.state;
      if (known === null || known.state === 'held') {
        if (!isStale) return 'theirs';
        if (isSame && known.asset !== null) return 'left';
      }
      if (!(await clearClaim(claims, file, read, seen))) return 'theirs';
    }
    return 'theirs';
  }

  function hold(path: string, held: Held): 'ours' {
    mine.set(path, held);
    return 'ours';
  }

  function sayLater(path: string): 'theirs' {
    if (!later.has(path)) options.onLater?.(path);
    later.add(path);
    return 'theirs';
  }

  /** Of a claim that continues. */
  const renewed = (claim: Claim, { asset }: Held): Claim => ({
    ...claim,
    version: claimVersion,
    owner: { machine: null, ...owner },
    beat: claim.beat + 1,
    asset: asset ?? claim.asset,
  });

  /** A claim file that someone deleted is created again. */
  async function stillOurs(claims: HeldFolder, path: string, held: Held): Promise<boolean> {
    const file = fileOf(path);
    if (await rewriteClaim(claims, file, owner, (claim) => renewed(claim, held))) return true;
    if ((await readClaim(claims, file)) !== undefined) return false;
    return makeClaim(claims, file, newClaim(path, held));
  }

  return {
    claim: (path, identity, how = 'usual') =>
      inOrder(path, async () => {
        const answer = await inClaims<ClaimAnswer>('ours', (claims) => claim(claims, path, identity, how));
        if (answer === 'ours' && how !== 'confirm' && mine.get(path)?.identity !== identity)
          hold(path, { identity, asset: null });
        return answer;
      }),
    met: (path) => met.get(path),
    name: (path, asset) =>
      inOrder(path, async () => {
        const before = mine.get(path);
        if (!before) return;
        const held = { ...before, asset };
        mine.set(path, held);
        await inClaims(undefined, async (claims) => {
          await rewriteClaim(claims, fileOf(path), owner, (claim) => renewed(claim, held));
        });
      }),
    renew: () =>
      inClaims<readonly string[]>([], async (claims) => {
        const lost: string[] = [];
        for (const path of [...mine.keys()]) {
          const isLost = await inOrder(path, async () => {
            const held = mine.get(path);
            return held !== undefined && !(await stillOurs(claims, path, held));
          });
          if (!isLost) continue;
          mine.delete(path);
          lost.push(path);
        }
        return lost;
      }),
    finish: (path, identity, { asset, ...end }) => {
      mine.delete(path);
      return inOrder(path, () =>
        inClaims(undefined, async (claims) => {
          const file = fileOf(path);
          const ended = (): Claim => ({ ...newClaim(path, { identity, asset }), ...end });
          if (!(await rewriteClaim(claims, file, owner, ended))) await makeClaim(claims, file, ended());
        }),
      );
    },
    release: (path) => {
      mine.delete(path);
      return inOrder(path, () => inClaims(undefined, (claims) => dropClaim(claims, fileOf(path), owner)));
    },
    rest: (path) => {
      mine.delete(path);
    },
    mine: () => [...mine.keys()],
  };
}

/** What claims need of the accounts that rules make assets for. */
export interface WatchAccounts {
  /** True while it is signed in and may be used. */
  isReady(accountId: string): boolean;
  /** What a person calls it, or its ID, also while nobody is signed in with it. */
  nameOf(accountId: string): string;
  /** API address of its service; null where the account is not known. */
  serviceOf(accountId: string): string | null;
  /** Throws what a failed request throws. */
  readAsset(accountId: string, assetId: number): Promise<Asset>;
}
