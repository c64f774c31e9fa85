import type { AppInfo, ServiceView } from '../../../preload/contract.ts';
import type { PolicyState } from '../../policy/policy.ts';
import type { SettingsStore } from '../../settings.ts';
import { knownServices } from '../handlers/services.ts';
import { policyView } from './views.ts';

export interface AppInfoParts {
  /** What is so for the whole of this start. */
  readonly info: Omit<AppInfo, 'services' | 'appearance' | 'language' | 'compactRows' | 'policy'>;
  readonly settings: SettingsStore;
  /** Presets and whatever this start brought along. */
  readonly presets: readonly ServiceView[];
  readonly policy: PolicyState;
}

/** What this start of Tilelift is, as the page shows it. */
export function appInfo({ info, settings, presets, policy }: AppInfoParts): AppInfo {
  const { appearance, language, compactRows } = settings.get();
  const services = knownServices(presets, settings);
  return { ...info, services, appearance, language, compactRows, policy: policyView(policy) };
}
