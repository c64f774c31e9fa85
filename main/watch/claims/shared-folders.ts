import { errorPhrase } from '../../../strings/said-error.ts';
import { type TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import type { WatchRule } from '../rule.ts';
import { note, type WatchParts } from '../watch-parts.ts';
import { nameOf, readable } from '../words.ts';
import { AssetNaming } from './asset-naming.ts';
import { confirmClaims, leaveClaims, renewClaims } from './claim-keeper.ts';
import type { Claims, ClaimsOptions } from './claims.ts';

export interface SharedFoldersOptions {
  readonly rules: () => readonly WatchRule[];
  readonly makeClaims: (rule: WatchRule) => Claims;
  readonly parts: () => WatchParts;
}

/** The claims of all rules whose folders other computers watch too. */
export class SharedFolders {
  readonly #options: SharedFoldersOptions;
  readonly #claims = new Map<string, Claims>();
  /** Rules whose claims are being renewed: where a file server does not answer, that goes on for minutes. */
  readonly #busy = new Set<string>();
  /** By rule: sources whose jobs went no further at the last renewal. */
  readonly #stalled = new Map<string, Set<string>>();
  #renewing: NodeJS.Timeout | undefined;
  #naming: AssetNaming | undefined;

  constructor(options: SharedFoldersOptions) {
    this.#options = options;
  }

  /** Null for a rule that has its folder to itself. */
  claimsOf(rule: WatchRule): Claims | null {
    if (!rule.shared) return null;
    const claims = this.#claims.get(rule.id) ?? this.#options.makeClaims(rule);
    this.#claims.set(rule.id, claims);
    return claims;
  }

  /** Resolves when every job that may go on is known to be ours still, as far as the folders answer. */
  async start(): Promise<void> {
    const parts = this.#options.parts();
    await Promise.all(
      this.#options.rules().map(async (rule) => {
        const claims = this.claimsOf(rule);
        if (claims) await confirmClaims(rule, claims, parts);
      }),
    );
    this.#naming = new AssetNaming(parts, {
      ruleOf: (id) => this.#options.rules().find((rule) => rule.id === id),
      onUnclaimed: (rule) => void this.renew(rule),
    });
    this.#naming.start();
    this.#renewing = setInterval(() => {
      for (const rule of this.#options.rules()) void this.renew(rule);
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
    const parts = this.#options.parts();
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
    if (claims)
      void leaveClaims(rule, claims, this.#options.parts()).catch((thrown) => this.#say(rule, thrown));
  }

  #say(rule: WatchRule, thrown: unknown): void {
    const error = toErrorRecord(toTileliftError(thrown));
    this.#options.parts().log.warn({ ruleId: rule.id, error }, 'claims could not be written');
  }
}

/** What a rule's activity log says of the claims that are met in its folder. */
export function claimWords(
  rule: WatchRule,
  parts: WatchParts,
): Pick<ClaimsOptions, 'onForeign' | 'onTwin' | 'onLater'> {
  return {
    onForeign: (error: TileliftError) => note(parts, rule.id, errorPhrase(toErrorRecord(error))),
    onTwin: (host) => {
      const values = { host: readable(host) };
      const known = parts.ledger.activity(rule.id, Number.MAX_SAFE_INTEGER);
      const isSaid = known.some(({ said }) =>
        said?.some(
          (one) => typeof one !== 'string' && one.key === 'sources.twin' && one.values?.host === values.host,
        ),
      );
      if (!isSaid) note(parts, rule.id, { key: 'sources.twin', values });
    },
    onLater: (path) =>
      note(parts, rule.id, { key: 'sources.laterClaim', values: { name: nameOf(rule, path) } }),
  };
}
