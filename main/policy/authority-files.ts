import type { SettingsView } from '../settings-port.ts';
import { type PolicyState, policyIn } from './policy.ts';

/** Files of additional certificate authorities; null for none. */
interface AuthorityFiles {
  /** For services and storage: the administrator's file, else the user's. */
  forServices(): string | null;
  /** For releases, which are programs: only the administrator's file. */
  forUpdates(): string | null;
}

/** `settings` are already governed by the policy. */
export function authorityFiles(
  policy: PolicyState,
  settings: SettingsView<{ readonly network: { readonly caFile: string | null } }>,
): AuthorityFiles {
  return {
    forServices: () => settings.get().network.caFile,
    forUpdates: () => policyIn(policy).caFile ?? null,
  };
}
