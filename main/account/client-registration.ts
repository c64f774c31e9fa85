import { type Log, silentLog } from '../log.ts';
import type { Network } from '../service/http-request.ts';
import type { SettingsView } from '../settings-port.ts';
import { accountIdOf } from './model.ts';
import { createOAuthEndpoints } from './oauth-endpoints.ts';
import type { Vault } from './vault/vault.ts';

interface ClientRegistration {
  /** Whether the settings contain a client ID for the service. */
  hasOwn(baseUrl: string): boolean;
  /**
   * Returns the client ID from the settings (contract 5.1) or registers Tilelift; if that fails, returns the
   * ID of the last registration. `loopbackUri` registers a separate client for one sign-in, which has no such
   * fallback.
   * @throws TileliftError if registration fails and no ID is stored
   */
  clientIdAt(baseUrl: string, signal?: AbortSignal, loopbackUri?: string): Promise<string>;
}

/** Client IDs from the settings, by `baseUrl`. */
export type ClientIds = SettingsView<{ readonly clientIds: Readonly<Record<string, string>> }>;

/** Registers at every launch and before every sign-in: the ID stays the same (contract 4.2). */
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
      const configuredId = settings.get().clientIds[baseUrl];
      if (configuredId !== undefined) return configuredId;
      if (loopbackUri !== undefined)
        return createOAuthEndpoints(baseUrl, network).register(signal, loopbackUri);
      const key = `client:${accountIdOf(baseUrl)}`;
      const storedId = vault.get(key);
      try {
        const clientId = await createOAuthEndpoints(baseUrl, network).register(signal);
        if (clientId !== storedId) vault.set(key, clientId);
        return clientId;
      } catch (cause) {
        signal?.throwIfAborted();
        if (storedId === undefined) throw cause;
        log.warn({ baseUrl, cause }, 'Registration failed; using the client id known from before.');
        return storedId;
      }
    },
  };
}
