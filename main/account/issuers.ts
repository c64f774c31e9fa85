import { isSameSite } from '../service/address-pair.ts';
import type { ServiceAddress } from '../service/model.ts';
import { accountIdOf } from './model.ts';
import type { Vault } from './vault/vault.ts';

/**
 * What services call themselves in their callbacks (`iss`, RFC 9207), by which a callback of another one is
 * told apart. The contract has no place where a service says it beforehand: it has to be of the site of one
 * of the two addresses, and of the same one from the first sign-in on.
 */
interface Issuers {
  /** Whether a callback with that name may be the service's. Without one there is nothing to compare. */
  isOf(address: ServiceAddress, iss: string | null): Promise<boolean>;
  /** Keeps the name by which a sign-in has come about. */
  keep(address: ServiceAddress, iss: string | null): void;
}

export function createIssuers(vault: Vault): Issuers {
  const keyOf = ({ baseUrl }: ServiceAddress) => `issuer:${accountIdOf(baseUrl)}`;
  return {
    isOf: async (address, iss) => {
      if (iss === null) return true;
      if (!/^https?:$/.test(URL.parse(iss)?.protocol ?? '')) return false;
      const known = vault.get(keyOf(address));
      if (known !== undefined) return iss === known || isSameSite(iss, known);
      return (await isSameSite(iss, address.authUrl)) || isSameSite(iss, address.baseUrl);
    },
    keep: (address, iss) => {
      if (iss !== null && vault.get(keyOf(address)) !== iss) vault.set(keyOf(address), iss);
    },
  };
}
