import { errorPhrase } from '../../../strings/said-error.ts';
import { type TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import type { WatchRule } from '../rule.ts';
import { type WatchParts, writeActivity } from '../watch-parts.ts';
import { nameOf, readable } from '../words.ts';
import { AssetNaming } from './asset-naming.ts';
import { confirmClaims, leaveClaims, renewClaims } from './claim-keeper.ts';
import { type ClaimOwner, type Claims, type ClaimsOptions, createClaims } from './claims.ts';

/** The claims of all rules whose folders other computers watch too. */
export class SharedFolders {
  readonly #parts: WatchParts;
  readonly #owner: ClaimOwner;
  readonly #claims = new Map<string, Claims>();
  /**
   * Rules whose claims are being renewed: where a file server does not answer, that takes minutes.
   */
  readonly #busy = new Set<string>();
  /** By rule: sources whose jobs went no further at the last renewal. */
  readonly #stalled = new Map<string, Set<string>>();
  #renewing: NodeJS.Timeout | undefined;
  #naming: AssetNaming | undefined;

  /** `owner`: by what other computers know this one's claims. */
  constructor(parts: WatchParts, owner: ClaimOwner) {
    this.#parts = parts;
    this.#owner = owner;
  }

  /** Null for a rule that has its folder to itself. */
  claimsOf(rule: WatchRule): Claims | null {
    if (!rule.shared) return null;
    const claims = this.#claims.get(rule.id) ?? this.#makeClaims(rule);
    this.#claims.set(rule.id, claims);
    return claims;
  }

  #makeClaims(rule: WatchRule): Claims {
    const { clock, elapsed, timing } = this.#parts;
    return createClaims({
      ...{ folder: rule.folder, owner: this.#owner, clock, elapsed, staleMs: timing.staleClaimMs },
      ...claimWords(rule, this.#parts),
    });
  }

  /** Resolves when every job that may continue is known to be ours still, as far as the folders answer. */
  async start(): Promise<void> {
    const parts = this.#parts;
    await Promise.all(
      this.#parts.rules().map(async (rule) => {
        const claims = this.claimsOf(rule);
        if (claims) await confirmClaims(rule, claims, parts);
      }),
    );
    this.#naming = new AssetNaming(parts, (rule) => void this.renew(rule));
    this.#naming.start();
    this.#renewing = setInterval(() => {
      for (const rule of this.#parts.rules()) void this.renew(rule);
    }, parts.timing.renewClaimsMs);
  }

  stop(): void {
    clearInterval(this.#renewing);
    this.#naming?.stop();
  }

  async renew(rule: WatchRule): Promise<void> {
    const claims = this.claimsOf(rule);
    if (!claims || this.#busy.has(rule.id)) return;
    this.#busy.add(rule.id);
    const parts = this.#parts;
    const stalled = this.#stalled.get(rule.id) ?? new Set();
    this.#stalled.set(rule.id, stalled);
    await renewClaims(rule, claims, parts, stalled)
      .catch((thrown) => this.#say(rule, thrown))
      .finally(() => this.#busy.delete(rule.id));
  }

  /** The rule is gone, or watches another folder, or this one alone. */
  leave(rule: WatchRule): void {
    const claims = this.claimsOf(rule);
    this.#claims.delete(rule.id);
    if (claims) void leaveClaims(rule, claims, this.#parts).catch((thrown) => this.#say(rule, thrown));
  }

  #say(rule: WatchRule, thrown: unknown): void {
    const error = toErrorRecord(toTileliftError(thrown));
    this.#parts.log.warn({ ruleId: rule.id, error }, 'claims could not be written');
  }
}

/** What a rule's activity log says of the claims that are met in its folder. */
function claimWords(
  rule: WatchRule,
  parts: WatchParts,
): Pick<ClaimsOptions, 'onForeign' | 'onTwin' | 'onLater'> {
  return {
    onForeign: (error: TileliftError) => writeActivity(parts, rule.id, errorPhrase(toErrorRecord(error))),
    onTwin: (host) => {
      const values = { host: readable(host) };
      const known = parts.ledger.activity(rule.id, Number.MAX_SAFE_INTEGER);
      const isSaid = known.some(({ said }) =>
        said?.some(
          (one) => typeof one !== 'string' && one.key === 'sources.twin' && one.values?.host === values.host,
        ),
      );
      if (!isSaid) writeActivity(parts, rule.id, { key: 'sources.twin', values });
    },
    onLater: (path) =>
      writeActivity(parts, rule.id, { key: 'sources.laterClaim', values: { name: nameOf(rule, path) } }),
  };
}
