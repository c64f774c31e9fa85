import type { SettingsPort } from '../settings-port.ts';
import { type PolicyState, policyIn } from './policy.ts';
import { setByPolicy } from './refusals.ts';

/** By policy or by the user's choice. */
interface PlainStorage {
  isAllowed(baseUrl: string): boolean;
  /** Throws `set-by-policy`. */
  allow(baseUrl: string, allowed: boolean): void;
}

export function plainStorage(
  policy: PolicyState,
  settings: SettingsPort<{ readonly plainStorage: readonly string[] }>,
): PlainStorage {
  const set = policyIn(policy).storage?.plainHttp;
  return {
    isAllowed: (baseUrl) => set ?? settings.get().plainStorage.includes(baseUrl),
    allow: (baseUrl, allowed) => {
      if (set !== undefined) throw setByPolicy(policy);
      const otherServices = settings.get().plainStorage.filter((address) => address !== baseUrl);
      settings.update({ plainStorage: allowed ? [...otherServices, baseUrl] : otherServices });
    },
  };
}
