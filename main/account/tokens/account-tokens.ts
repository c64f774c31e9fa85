import { TileliftError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { parseJson } from '../../service/answer.ts';
import type { Network } from '../../service/http-request.ts';
import type { ServiceAddress, ServiceApi } from '../../service/model.ts';
import { createServiceClient } from '../../service/service-client.ts';
import type { SignedInAccount } from '../model.ts';
import { createOAuthEndpoints } from '../oauth-endpoints.ts';
import type { Vault } from '../vault/vault.ts';
import type { TokenBodies } from './token-answer.ts';
import { createTokenKeeper, type TokenKeeper } from './token-keeper.ts';
import { endsSoonAt, type KeptAccount, keptAccountSchema, untilRenewalMs } from './tokens.ts';

interface AccountTokensOptions extends Network {
  readonly vault: Vault;
  readonly log: Log;
  readonly bodies: TokenBodies;
  /** Why a service may not be used; null where it may. */
  readonly refuseService: (address: ServiceAddress) => TileliftError | null;
  /** The service refused this account's sign-in for good; its tokens are gone already. */
  readonly onEnded: (accountId: string, error: TileliftError) => void;
}

/** The tokens of all accounts, in the vault, and the service's API with them. */
export interface AccountTokens {
  /** All that have tokens. */
  accounts(): readonly Omit<SignedInAccount, 'name' | 'number'>[];
  /** Ids of accounts whose tokens can't be read any more. The tokens are dropped, so this reports it once. */
  dropUnreadable(): readonly string[];
  /**
   * Refreshes what is due although nobody asks, and gives the time until the next check, ms. Never rejects.
   */
  keepFresh(): Promise<number>;
  /** Takes an account's tokens in place of those it had; null forgets them. */
  keep(accountId: string, kept: KeptAccount | null): void;
  /**
   * Keeps working over sign-outs and sign-ins; in between its calls throw `not-signed-in`.
   * @throws TileliftError at once where the account's service may not be used
   */
  serviceFor(accountId: string): ServiceApi;
  /**
   * What its calls would throw before they ask anyone: `not-signed-in`, or why its service may not be used.
   */
  whyUnready(accountId: string): TileliftError | null;
}

interface Entry {
  readonly keeper: TokenKeeper;
  client: ServiceApi | null;
}

export function createAccountTokens(options: AccountTokensOptions): AccountTokens {
  const { vault, log, clock, fetch, onEnded, refuseService, bodies } = options;
  const entries = new Map<string, Entry>();

  function read(accountId: string): KeptAccount | null {
    return keptAccountSchema.safeParse(parseJson(vault.get(keyOf(accountId)) ?? '')).data ?? null;
  }

  function store(accountId: string, kept: KeptAccount | null): void {
    try {
      if (kept) vault.set(keyOf(accountId), JSON.stringify(kept));
      else vault.delete(keyOf(accountId));
    } catch (cause) {
      // A full disk must not cost the sign-in: the vault has the value in memory.
      log.error({ cause }, 'The vault can’t be written; the sign-in may not last beyond this run.');
    }
  }

  function entryOf(accountId: string): Entry {
    const known = entries.get(accountId);
    if (known) return known;
    const keeper = createTokenKeeper({
      kept: read(accountId),
      endpointsAt: (baseUrl) => createOAuthEndpoints(baseUrl, { fetch, clock }, bodies),
      clock,
      store: (kept) => store(accountId, kept),
      onEnded: (error) => onEnded(accountId, error),
      log,
    });
    const entry: Entry = { keeper, client: null };
    entries.set(accountId, entry);
    return entry;
  }

  function clientOf(accountId: string): ServiceApi {
    const entry = entryOf(accountId);
    const address = read(accountId)?.address;
    if (!address) throw notSignedIn();
    // The account id stands for the API address, so one client serves all sign-ins of the account.
    entry.client ??= createServiceClient({
      address,
      fetch,
      clock,
      bearer: entry.keeper.bearer,
      onInvalidCredentials: entry.keeper.renew,
      log,
    });
    return entry.client;
  }

  function ids(): readonly string[] {
    const keys = vault.keys().filter((key) => key.startsWith(keyPrefix));
    return keys.map((key) => key.slice(keyPrefix.length));
  }

  return {
    accounts: () =>
      ids().flatMap((id) => {
        const kept = read(id);
        if (!kept) return [];
        return [
          {
            id,
            address: kept.address,
            signedInBy: kept.tokens.clientId ? 'browser' : 'access-token',
            endsSoonAt: endsSoonAt(kept.tokens, clock.now()),
          },
        ];
      }),
    dropUnreadable: () => {
      const unreadable = ids().filter((id) => read(id) === null);
      for (const id of unreadable) store(id, null);
      return unreadable;
    },
    keepFresh: async () => {
      const allowed = ids().filter((id) => {
        const address = read(id)?.address;
        return address !== undefined && refuseService(address) === null;
      });
      await Promise.all(allowed.map((id) => entryOf(id).keeper.keepFresh()));
      const waits = allowed.map((id) => {
        const tokens = read(id)?.tokens;
        return tokens ? untilRenewalMs(tokens, clock.now()) : Number.POSITIVE_INFINITY;
      });
      return Math.min(...waits);
    },
    whyUnready: (accountId) => {
      const address = read(accountId)?.address;
      return address ? refuseService(address) : notSignedIn();
    },
    keep: (accountId, kept) => entryOf(accountId).keeper.replace(kept),
    serviceFor: (accountId) => {
      const address = read(accountId)?.address;
      const refusal = address && refuseService(address);
      if (refusal) throw refusal;
      return {
        clockAheadMs: () => clientOf(accountId).clockAheadMs(),
        listAssets: async (signal) => clientOf(accountId).listAssets(signal),
        createAsset: async (body, signal) => clientOf(accountId).createAsset(body, signal),
        completeUpload: async (instruction, signal) =>
          clientOf(accountId).completeUpload(instruction, signal),
        readAsset: async (id, signal) => clientOf(accountId).readAsset(id, signal),
      };
    },
  };
}

const notSignedIn = () => new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });

const keyPrefix = 'tokens:';

function keyOf(accountId: string): string {
  return `${keyPrefix}${accountId}`;
}
