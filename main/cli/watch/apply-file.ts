import type { AlertService } from '../../alerts/alert-service.ts';
import type { SettingsStore } from '../../settings.ts';
import type { WatchService } from '../../watch/model/model.ts';
import { applyChanges, type LateRule, reconcile } from '../../watch/rules/reconcile.ts';
import { settingsOf } from './service-alerts.ts';
import type { ServiceFile } from './service-file.ts';

interface ApplyParts {
  readonly watch: Pick<WatchService, 'save' | 'remove'>;
  readonly alerts: Pick<AlertService, 'settingsChanged'>;
  readonly settings: SettingsStore;
  /** Named by file or command line, for rules without one. */
  readonly namedAccount: string | null;
  /** The fallback for new rules, which keep it. */
  readonly currentAccount: string;
  readonly takeExisting: boolean;
}

/** Call before any sign-in. An access token belongs to the file's first service by default. */
export function applySettings({ services, limits, alerts }: ServiceFile, settings: SettingsStore): void {
  const { currentService, clientIds } = settings.get();
  const firstService = services?.[0]?.baseUrl ?? null;
  settings.update({
    ...(currentService === null && firstService !== null ? { currentService: firstService } : {}),
    ...(services ? { services: services.map(({ clientId: _, ...service }) => service) } : {}),
    ...(services ? { clientIds: { ...clientIds, ...clientIdsOf(services) } } : {}),
    ...(limits ? { bandwidth: limits } : {}),
    ...(alerts ? settingsOf(alerts) : {}),
  });
}

/** Also removes rules deleted from the file. Returns the rules to retry. */
export async function applyRules(
  file: ServiceFile,
  { watch, alerts, settings, namedAccount, currentAccount, takeExisting }: ApplyParts,
): Promise<readonly LateRule[]> {
  const { watchRules, fileRules } = settings.get();
  const requested = file.rules.map((rule) => {
    const previous = watchRules.find(({ id }) => id === rule.id);
    return { ...rule, accountId: rule.accountId ?? namedAccount ?? previous?.accountId ?? currentAccount };
  });
  settings.update({ fileRules: requested.map(({ id }) => id) });
  const changes = reconcile(requested, watchRules, ({ id }) => fileRules.includes(id));
  const lateRules = await applyChanges(changes, watch, {
    takeExisting: (_rule, previous) => !previous && takeExisting,
  });
  alerts.settingsChanged();
  return lateRules;
}

function clientIdsOf(services: NonNullable<ServiceFile['services']>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    services.flatMap(({ baseUrl, clientId }) => (clientId === undefined ? [] : [[baseUrl, clientId]])),
  );
}
