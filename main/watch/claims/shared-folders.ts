import { toErrorRecord, toTileliftError } from '../../errors.ts';
import type { WatchRule } from '../rule.ts';
import type { WatchParts } from '../watch-parts.ts';
import { confirmClaims, leaveClaims, renewClaims } from './claim-keeper.ts';
import type { Claims } from './claims.ts';

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
  #renewing: NodeJS.Timeout | undefined;

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
    this.#renewing = setInterval(() => {
      for (const rule of this.#options.rules()) void this.renew(rule);
    }, parts.timing.renewClaimsMs);
  }

  stop(): void {
    clearInterval(this.#renewing);
  }

  async renew(rule: WatchRule): Promise<void> {
    const claims = this.claimsOf(rule);
    if (!claims || this.#busy.has(rule.id)) return;
    this.#busy.add(rule.id);
    const parts = this.#options.parts();
    await renewClaims(rule, claims, parts)
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
