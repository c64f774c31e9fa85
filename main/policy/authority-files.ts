import type { SettingsView } from '../settings-port.ts';
import { type PolicyState, policyIn } from './policy.ts';

/** Null for none. */
interface AuthorityFiles {
  /** The administrator's file, else the user's. */
  forServices(): string | null;
  /** Releases are programs: only the administrator's. */
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
