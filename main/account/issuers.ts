import { isSameSite } from '../service/address-pair.ts';
import type { ServiceAddress } from '../service/model.ts';
import { accountIdOf } from './model.ts';
import type { Vault } from './vault/vault.ts';

/**
 * The issuers that services name in callbacks (`iss`, RFC 9207). The contract publishes no issuer, so it must
 * share a site with one of the service's addresses and stay the same after the first sign-in.
 */
interface Issuers {
  /** Returns true without an `iss`. */
  isOf(address: ServiceAddress, iss: string | null): Promise<boolean>;
  /** Stores the issuer of a successful sign-in. */
  keep(address: ServiceAddress, iss: string | null): void;
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
    keep: (address, iss) => {
      if (iss !== null && vault.get(keyOf(address)) !== iss) vault.set(keyOf(address), iss);
    },
  };
}
