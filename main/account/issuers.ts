import { isSameSite } from '../service/address-pair.ts';
import type { ServiceAddress } from '../service/model.ts';
import { accountIdOf } from './model/model.ts';
import type { Vault } from './vault/vault.ts';

/**
 * Issuers in callbacks (`iss`, RFC 9207). The contract publishes none, so it must share a site with the
 * service's addresses and never change.
 */
interface Issuers {
  /** Returns true without an `iss`. */
  isOf(address: ServiceAddress, iss: string | null): Promise<boolean>;
  record(address: ServiceAddress, iss: string | null): void;
}

export function createIssuers(vault: Vault): Issuers {
  const keyOf = ({ baseUrl }: ServiceAddress) => `issuer:${accountIdOf(baseUrl)}`;
  return {
    isOf: async (address, iss) => {
      if (iss === null) return true;
      if (!/^https?:$/.test(URL.parse(iss)?.protocol ?? '')) return false;
      const storedIssuer = vault.get(keyOf(address));
      if (storedIssuer !== undefined) return iss === storedIssuer || isSameSite(iss, storedIssuer);
      return (await isSameSite(iss, address.authUrl)) || isSameSite(iss, address.baseUrl);
    },
    record: (address, iss) => {
      if (iss !== null && vault.get(keyOf(address)) !== iss) vault.set(keyOf(address), iss);
    },
  };
}
