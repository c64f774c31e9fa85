import type { AppInfo, ServiceView } from '../../../preload/contract.ts';
import type { PolicyState } from '../../policy/policy.ts';
import type { SettingsStore } from '../../settings.ts';
import { knownServices } from '../services.ts';
import { policyView } from './views.ts';

export interface AppInfoParts {
  /** Constant facts of this start. */
  readonly info: Omit<AppInfo, 'services' | 'appearance' | 'language' | 'compactRows' | 'policy'>;
  readonly settings: SettingsStore;
  /** Presets and services from this start's options. */
  readonly presets: readonly ServiceView[];
  readonly policy: PolicyState;
}

/** Facts about Tilelift for the page. */
export function appInfo({ info, settings, presets, policy }: AppInfoParts): AppInfo {
  const { appearance, language, compactRows } = settings.get();
  const services = knownServices(presets, settings);
  return { ...info, services, appearance, language, compactRows, policy: policyView(policy) };
}
