import type { SettingsView } from '../settings-port.ts';
import { type PolicyState, policyIn } from './policy.ts';

/** Files of further certificate authorities, by what they are believed for; null for none. */
interface AuthorityFiles {
  /** For services and storage: the administrator's, else the person's. */
  forServices(): string | null;
  /** For releases, which are programs: the administrator's alone. */
  forUpdates(): string | null;
}

/** `settings` as the policy governs them. */
export function authorityFiles(
  policy: PolicyState,
  settings: SettingsView<{ readonly network: { readonly caFile: string | null } }>,
): AuthorityFiles {
  return {
    forServices: () => settings.get().network.caFile,
    forUpdates: () => policyIn(policy).caFile ?? null,
  };
}
