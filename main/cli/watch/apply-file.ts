import { isDeepStrictEqual } from 'node:util';
import type { AlertService } from '../../alerts/alert-service.ts';
import { type ErrorRecord, toErrorRecord } from '../../errors.ts';
import type { SettingsStore } from '../../settings.ts';
import { untriedRule } from '../../watch/listing/listing.ts';
import type { WatchService } from '../../watch/model.ts';
import type { WatchRule } from '../../watch/rule.ts';
import { settingsOf } from './service-alerts.ts';
import type { ServiceFile } from './service-file.ts';

interface ApplyParts {
  readonly watch: Pick<WatchService, 'save' | 'remove'>;
  readonly alerts: Pick<AlertService, 'settingsChanged'>;
  readonly settings: SettingsStore;
  /** The account for rules that name none, where file or command names one. Null: neither does. */
  readonly namedAccount: string | null;
  /** Else the account of rules that are new. They keep it. */
  readonly currentAccount: string;
  /** Also what is in the folders of rules that are new. */
  readonly takeExisting: boolean;
}

/** A rule that can't be kept yet: its folder may be away. */
export interface LateRule {
  readonly rule: WatchRule;
  readonly error: ErrorRecord;
}

/** Watching that also lists rules which can't be kept yet, with the reason. */
export function withLateRules(watch: WatchService, late: () => readonly LateRule[]): WatchService {
  return {
    ...watch,
    rules: () => {
      const errors = new Map(late().map(({ rule, error }) => [rule.id, error]));
      const kept = watch.rules();
      const known = new Set(kept.map(({ rule }) => rule.id));
      const others = late().filter(({ rule }) => !known.has(rule.id));
      return [
        ...kept.map((one) => ({ ...one, notice: errors.get(one.rule.id) ?? one.notice })),
        ...others.map(({ rule, error }) => ({
          ...untriedRule(rule),
          state: 'suspended' as const,
          notice: error,
        })),
      ];
    },
  };
}

/**
 * What the file says of more than rules; before anybody signs in. Where nobody ever has, an access token is
 * for the first of its services.
 */
export function applySettings({ services, limits, alerts }: ServiceFile, settings: SettingsStore): void {
  const { currentService, clientIds } = settings.get();
  const first = services?.[0]?.baseUrl ?? null;
  settings.update({
    ...(currentService === null && first !== null ? { currentService: first } : {}),
    ...(services ? { services: services.map(({ clientId: _, ...service }) => service) } : {}),
    ...(services ? { clientIds: { ...clientIds, ...clientIdsOf(services) } } : {}),
    ...(limits ? { bandwidth: limits } : {}),
    ...(alerts ? settingsOf(alerts) : {}),
  });
}

/**
 * Keeps the rules as the file has them: new and changed ones, and those that it has made before and does not
 * have any more go. What others have made stays. Never rejects; gives the rules that could not be kept, to be
 * tried again.
 */
export async function applyRules(file: ServiceFile, parts: ApplyParts): Promise<readonly LateRule[]> {
  const { watch, settings } = parts;
  const wanted = new Set(file.rules.map(({ id }) => id));
  for (const id of settings.get().fileRules) if (!wanted.has(id)) watch.remove(id);
  settings.update({ fileRules: [...wanted] });
  const late: LateRule[] = [];
  for (const given of file.rules) {
    const { id } = given;
    const before = settings.get().watchRules.find((one) => one.id === id);
    const accountId = given.accountId ?? parts.namedAccount ?? before?.accountId ?? parts.currentAccount;
    const rule = { ...given, accountId };
    if (before && isDeepStrictEqual(before, rule)) continue;
    try {
      await watch.save(rule, before ? false : parts.takeExisting);
    } catch (thrown) {
      late.push({ rule, error: toErrorRecord(thrown) });
    }
  }
  parts.alerts.settingsChanged();
  return late;
}

function clientIdsOf(services: NonNullable<ServiceFile['services']>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    services.flatMap(({ baseUrl, clientId }) => (clientId === undefined ? [] : [[baseUrl, clientId]])),
  );
}
