import type { NamedService } from '../../shared/services.ts';
import type { SettingsPort } from '../settings-port.ts';
import type { Policy } from './policy.ts';

interface GovernedSettings {
  readonly services: readonly NamedService[];
  readonly clientIds: Readonly<Record<string, string>>;
  readonly network: { readonly caFile: string | null };
  readonly updates: { readonly channel: 'latest' | 'beta' };
}

/** Changes never store the policy's values: the user's return when it is removed. */
export function governSettings<Settings extends GovernedSettings>(
  userSettings: SettingsPort<Settings>,
  policy: Policy,
): SettingsPort<Settings> {
  const policyIds = Object.fromEntries(
    (policy.services?.offered ?? []).flatMap(({ baseUrl, clientId }) =>
      clientId === undefined ? [] : [[baseUrl, clientId]],
    ),
  );
  return {
    get: () => {
      const settings = userSettings.get();
      return {
        ...settings,
        services: policy.services?.only ? [] : settings.services,
        clientIds: { ...settings.clientIds, ...policyIds },
        network: { ...settings.network, caFile: policy.caFile ?? settings.network.caFile },
        updates: { ...settings.updates, channel: policy.updates?.channel ?? settings.updates.channel },
      };
    },
    update: (change) => {
      const { services, clientIds, network, updates } = userSettings.get();
      const policyServices = Object.entries(clientIds).filter(([baseUrl]) =>
        Object.hasOwn(policyIds, baseUrl),
      );
      const otherIds = Object.entries(change.clientIds ?? {}).filter(
        ([baseUrl]) => !Object.hasOwn(policyIds, baseUrl),
      );
      userSettings.update({
        ...change,
        ...(change.services && policy.services?.only ? { services } : {}),
        ...(change.clientIds ? { clientIds: Object.fromEntries([...otherIds, ...policyServices]) } : {}),
        ...(change.network && policy.caFile !== undefined
          ? { network: { ...change.network, caFile: network.caFile } }
          : {}),
        ...(change.updates && policy.updates?.channel !== undefined
          ? { updates: { ...change.updates, channel: updates.channel } }
          : {}),
      });
    },
  };
}
