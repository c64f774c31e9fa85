import type { SettingsPort } from '../settings-port.ts';
import { type PolicyState, policyIn } from './policy.ts';
import { setByPolicy } from './refusals.ts';

/**
 * Services whose storage may be spoken to without encryption: as the administrator says, else as the person
 * has allowed for each.
 */
interface PlainStorage {
  /** By `baseUrl`. */
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
      const others = settings.get().plainStorage.filter((one) => one !== baseUrl);
      settings.update({ plainStorage: allowed ? [...others, baseUrl] : others });
    },
  };
}
