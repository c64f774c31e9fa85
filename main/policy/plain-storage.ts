import { isPlainElsewhere } from '../service/service-address.ts';
import type { SettingsPort } from '../settings-port.ts';
import { type PolicyState, policyIn } from './policy.ts';
import { setByPolicy } from './refusals.ts';

/** By policy or by the user's choice. */
interface PlainStorage {
  /** A service that uses http itself may use it for storage in private networks. */
  isAllowed(baseUrl: string): boolean | 'private';
  /** Throws `set-by-policy`. */
  allow(baseUrl: string, isAllowed: boolean): void;
}

export function plainStorage(
  policy: PolicyState,
  settings: SettingsPort<{ readonly plainStorage: readonly string[] }>,
): PlainStorage {
  const set = policyIn(policy).storage?.plainHttp;
  return {
    isAllowed: (baseUrl) =>
      set ?? (settings.get().plainStorage.includes(baseUrl) || (isPlainElsewhere(baseUrl) && 'private')),
    allow: (baseUrl, isAllowed) => {
      if (set !== undefined) throw setByPolicy(policy);
      const otherServices = settings.get().plainStorage.filter((address) => address !== baseUrl);
      settings.update({ plainStorage: isAllowed ? [...otherServices, baseUrl] : otherServices });
    },
  };
}
