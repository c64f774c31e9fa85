import type { Settings, SettingsStore } from '../settings.ts';
import type { Policy } from './policy.ts';

/**
 * The person's settings, with what the policy sets in place of theirs. What is kept stays theirs to the letter: whatever of the policy comes back in a change is taken out of it, so
 * that all is as it was on the day the policy goes.
 */
export function governSettings(own: SettingsStore, policy: Policy): SettingsStore {
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
      const kept: Partial<Settings> = { ...change };
      if (change.services && policy.services?.only) kept.services = services;
      if (change.clientIds) {
        const others = Object.entries(change.clientIds).filter(
          ([baseUrl]) => !Object.hasOwn(policyIds, baseUrl),
        );
        const theirs = Object.entries(clientIds).filter(([baseUrl]) => Object.hasOwn(policyIds, baseUrl));
        kept.clientIds = Object.fromEntries([...others, ...theirs]);
      }
      if (change.network && policy.caFile !== undefined)
        kept.network = { ...change.network, caFile: network.caFile };
      if (change.updates && policy.updates?.channel !== undefined)
        kept.updates = { ...change.updates, channel: updates.channel };
      own.update(kept);
    },
  };
}
