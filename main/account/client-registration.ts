import { type Log, silentLog } from '../log.ts';
import type { Network } from '../service/http-request.ts';
import type { SettingsView } from '../settings-port.ts';
import { accountIdOf } from './model.ts';
import { createOAuthEndpoints } from './oauth-endpoints.ts';
import type { Vault } from './vault/vault.ts';

interface ClientRegistration {
  /** Whether the settings name a client id for a service. */
  hasOwn(baseUrl: string): boolean;
  /**
   * The client id that the settings name for a service (contract 5.1: dashboard or metadata document); where
   * they name none, registers Tilelift and gives the id that comes back: the last known one when that fails.
   * `loopbackUri` is registered beside the scheme's address. That client is another one, for one sign-in:
   * where its registration fails there is no known one to take instead.
   * @throws TileliftError when it fails and no id is known
   */
  clientIdAt(baseUrl: string, signal?: AbortSignal, loopbackUri?: string): Promise<string>;
}

/** Client ids of the person's own, by `baseUrl`. */
export type ClientIds = SettingsView<{ readonly clientIds: Readonly<Record<string, string>> }>;

/**
 * Registering again gives the same id (contract 4.2): it is done at every launch and before every sign-in.
 */
export function createClientRegistration({
  vault,
  settings,
  network,
  log = silentLog,
}: {
  readonly vault: Vault;
  readonly settings: ClientIds;
  readonly network: Network;
  readonly log?: Log;
}): ClientRegistration {
  return {
    hasOwn: (baseUrl) => settings.get().clientIds[baseUrl] !== undefined,
    clientIdAt: async (baseUrl, signal, loopbackUri) => {
      const own = settings.get().clientIds[baseUrl];
      if (own !== undefined) return own;
      if (loopbackUri !== undefined)
        return createOAuthEndpoints(baseUrl, network).register(signal, loopbackUri);
      const key = `client:${accountIdOf(baseUrl)}`;
      const known = vault.get(key);
      try {
        const clientId = await createOAuthEndpoints(baseUrl, network).register(signal);
        if (clientId !== known) vault.set(key, clientId);
        return clientId;
      } catch (cause) {
        signal?.throwIfAborted();
        if (known === undefined) throw cause;
        log.warn({ baseUrl, cause }, 'Registration failed; using the client id known from before.');
        return known;
      }
    },
  };
}
