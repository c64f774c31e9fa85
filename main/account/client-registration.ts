import { type Log, silentLog } from '../log.ts';
import type { Network } from '../service/http-request.ts';
import type { SettingsView } from '../settings-port.ts';
import { accountIdOf } from './model/model.ts';
import { createOAuthEndpoints } from './tokens/oauth-endpoints.ts';
import type { Vault } from './vault/vault.ts';

interface ClientRegistration {
  hasOwn(baseUrl: string): boolean;
  /**
   * The client ID from the settings (contract 5.1), else from registering or, if that fails, the last one.
   * `loopbackUri` registers a client for one sign-in.
   * @throws TileliftError if registration fails and no ID is stored
   */
  clientIdAt(baseUrl: string, signal?: AbortSignal, loopbackUri?: string): Promise<string>;
}

/** By `baseUrl`. */
export type ClientIds = SettingsView<{ readonly clientIds: Readonly<Record<string, string>> }>;

/** Registers on every launch and sign-in: the ID stays the same (contract 4.2). */
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
