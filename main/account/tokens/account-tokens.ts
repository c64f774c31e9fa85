import { TileliftError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { parseJson } from '../../service/answer.ts';
import type { Network } from '../../service/http-request.ts';
import type { ServiceAddress, ServiceApi } from '../../service/model.ts';
import { createServiceClient } from '../../service/service-client.ts';
import type { SignedInAccount } from '../model/model.ts';
import type { Vault } from '../vault/vault.ts';
import { createOAuthEndpoints } from './oauth-endpoints.ts';
import type { TokenBodies } from './token-answer.ts';
import { createTokenKeeper, type TokenKeeper } from './token-keeper.ts';
import { endsSoonAt, type KeptAccount, keptAccountSchema, untilRenewalMs } from './tokens.ts';

interface AccountTokensOptions extends Network {
  readonly vault: Vault;
  readonly log: Log;
  readonly bodies: TokenBodies;
  /** Null if the service may be used. */
  readonly refuseService: (address: ServiceAddress) => TileliftError | null;
  /** The service refused the sign-in; its tokens are deleted. */
  readonly onEnded: (accountId: string, error: TileliftError) => void;
}

/** The vault's tokens of all accounts. */
export interface AccountTokens {
  accounts(): readonly Omit<SignedInAccount, 'name' | 'number'>[];
  /** Deletes tokens that can't be decrypted. */
  dropUnreadable(): readonly string[];
  /** Returns the time until the next check, ms. Never rejects. */
  keepFresh(): Promise<number>;
  /** Null deletes the tokens. */
  keep(accountId: string, account: KeptAccount | null): void;
  /**
   * Stays valid across sign-ins.
   * @throws TileliftError if the service may not be used
   */
  serviceFor(accountId: string): ServiceApi;
  /** The error that a call would throw before any request; null if none. */
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

  function store(accountId: string, account: KeptAccount | null): void {
    try {
      if (account) vault.set(keyOf(accountId), JSON.stringify(account));
      else vault.delete(keyOf(accountId));
    } catch (cause) {
      // Keep the sign-in if the disk is full: the vault has it in memory.
      log.error({ cause }, 'The vault can’t be written; the sign-in may not last beyond this run.');
    }
  }

  function entryOf(accountId: string): Entry {
    const existing = entries.get(accountId);
    if (existing) return existing;
    const keeper = createTokenKeeper({
      storedAccount: read(accountId),
      endpointsAt: (baseUrl) => createOAuthEndpoints(baseUrl, { fetch, clock }, bodies),
      clock,
      store: (account) => store(accountId, account),
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
    // An account never changes its address.
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
        const keptAccount = read(id);
        if (!keptAccount) return [];
        return [
          {
            id,
            address: keptAccount.address,
            signedInBy: keptAccount.tokens.clientId ? 'browser' : 'access-token',
            endsSoonAt: endsSoonAt(keptAccount.tokens, clock.now()),
          },
        ];
      }),
    dropUnreadable: () => {
      const unreadableIds = ids().filter((id) => read(id) === null);
      for (const id of unreadableIds) store(id, null);
      return unreadableIds;
    },
    keepFresh: async () => {
      const usableIds = ids().filter((id) => {
        const address = read(id)?.address;
        return address !== undefined && refuseService(address) === null;
      });
      await Promise.all(usableIds.map((id) => entryOf(id).keeper.keepFresh()));
      const delays = usableIds.map((id) => {
        const tokens = read(id)?.tokens;
        return tokens ? untilRenewalMs(tokens, clock.now()) : Number.POSITIVE_INFINITY;
      });
      return Math.min(...delays);
    },
    whyUnready: (accountId) => {
      const address = read(accountId)?.address;
      return address ? refuseService(address) : notSignedIn();
    },
    keep: (accountId, account) => entryOf(accountId).keeper.replace(account),
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
        readEndpoint: async (id) => clientOf(accountId).readEndpoint(id),
        editAsset: async (id, change, signal) => clientOf(accountId).editAsset(id, change, signal),
        deleteAsset: async (id, signal) => clientOf(accountId).deleteAsset(id, signal),
      };
    },
  };
}

const notSignedIn = () => new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });

const keyPrefix = 'tokens:';

function keyOf(accountId: string): string {
  return `${keyPrefix}${accountId}`;
}
