import type { NamedService } from '../../shared/services.ts';
import type { SettingsPort } from '../settings-port.ts';
import type { Policy } from './policy.ts';

/** Settings of which a policy may set one or the other. */
interface GovernedSettings {
  readonly services: readonly NamedService[];
  readonly clientIds: Readonly<Record<string, string>>;
  readonly network: { readonly caFile: string | null };
  readonly updates: { readonly channel: 'latest' | 'beta' };
}

/**
 * The person's settings, with what the policy sets in place of theirs. What is kept stays theirs to the
 * letter: whatever of the policy comes back in a change is taken out of it, so that all is as it was on the
 * day the policy goes.
 */
export function governSettings<Settings extends GovernedSettings>(
  own: SettingsPort<Settings>,
  policy: Policy,
): SettingsPort<Settings> {
  const policyIds = Object.fromEntries(
    (policy.services?.offered ?? []).flatMap(({ baseUrl, clientId }) =>
      clientId === undefined ? [] : [[baseUrl, clientId]],
    ),
  );
  return {
    get: () => {
      const settings = own.get();
      return {
        ...settings,
        services: policy.services?.only ? [] : settings.services,
        clientIds: { ...settings.clientIds, ...policyIds },
        network: { ...settings.network, caFile: policy.caFile ?? settings.network.caFile },
        updates: { ...settings.updates, channel: policy.updates?.channel ?? settings.updates.channel },
      };
    },
    update: (change) => {
      const { services, clientIds, network, updates } = own.get();
      const theirs = Object.entries(clientIds).filter(([baseUrl]) => Object.hasOwn(policyIds, baseUrl));
      const others = Object.entries(change.clientIds ?? {}).filter(
        ([baseUrl]) => !Object.hasOwn(policyIds, baseUrl),
      );
      own.update({
        ...change,
        ...(change.services && policy.services?.only ? { services } : {}),
        ...(change.clientIds ? { clientIds: Object.fromEntries([...others, ...theirs]) } : {}),
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
