import { isDeepStrictEqual } from 'node:util';
import type { AlertService } from '../../alerts/alert-service.ts';
import { type ErrorRecord, toErrorRecord } from '../../errors.ts';
import type { SettingsStore } from '../../settings.ts';
import type { WatchService } from '../../watch/model/model.ts';
import type { WatchRule } from '../../watch/model/rule.ts';
import { untriedRule } from '../../watch/rules/untried-rule.ts';
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

/** A rule that can't be saved yet, for example because its folder is missing. */
export interface LateRule {
  readonly rule: WatchRule;
  readonly error: ErrorRecord;
}

/** Lists the late rules with their reason. */
export function withLateRules(watch: WatchService, lateRules: () => readonly LateRule[]): WatchService {
  return {
    ...watch,
    rules: () => {
      const errors = new Map(lateRules().map(({ rule, error }) => [rule.id, error]));
      const stored = watch.rules();
      const storedIds = new Set(stored.map(({ rule }) => rule.id));
      const unsaved = lateRules().filter(({ rule }) => !storedIds.has(rule.id));
      return [
        ...stored.map((snapshot) => ({
          ...snapshot,
          notice: errors.get(snapshot.rule.id) ?? snapshot.notice,
        })),
        ...unsaved.map(({ rule, error }) => ({
          ...untriedRule(rule),
          state: 'suspended' as const,
          notice: error,
        })),
      ];
    },
  };
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

/** Also removes rules deleted from the file. Returns the rules to retry. Never rejects. */
export async function applyRules(file: ServiceFile, parts: ApplyParts): Promise<readonly LateRule[]> {
  const { watch, settings } = parts;
  const ids = new Set(file.rules.map(({ id }) => id));
  for (const id of settings.get().fileRules) if (!ids.has(id)) watch.remove(id);
  settings.update({ fileRules: [...ids] });
  const lateRules: LateRule[] = [];
  for (const fileRule of file.rules) {
    const { id } = fileRule;
    const previous = settings.get().watchRules.find((candidate) => candidate.id === id);
    const accountId = fileRule.accountId ?? parts.namedAccount ?? previous?.accountId ?? parts.currentAccount;
    const rule = { ...fileRule, accountId };
    if (previous && isDeepStrictEqual(previous, rule)) continue;
    try {
      await watch.save(rule, previous ? false : parts.takeExisting);
    } catch (error) {
      lateRules.push({ rule, error: toErrorRecord(error) });
    }
  }
  parts.alerts.settingsChanged();
  return lateRules;
}

function clientIdsOf(services: NonNullable<ServiceFile['services']>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    services.flatMap(({ baseUrl, clientId }) => (clientId === undefined ? [] : [[baseUrl, clientId]])),
  );
}
