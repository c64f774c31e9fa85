import { hostname } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import type { AlertSettings } from '../../shared/schemas/alerts.ts';
import type { AccountService } from '../account/model/model.ts';
import type { Vault } from '../account/vault/vault.ts';
import type { Log } from '../log.ts';
import type { Clock, Fetch } from '../ports.ts';
import type { SettingsView } from '../settings-port.ts';
import { readAuthorityFile, trustedAuthorities } from '../storage/authorities.ts';
import type { WatchService } from '../watch/model/model.ts';
import type { WatchRule } from '../watch/model/rule.ts';
import { heartbeatCounts, ruleFacts } from './alert-facts.ts';
import { createAlertJournal } from './alert-journal.ts';
import { type AlertSecrets, createAlertSecrets, type NamedSecrets } from './alert-secrets.ts';
import { AlertService } from './alert-service.ts';
import type { AlertTiming } from './timing.ts';

interface AlertSurroundings {
  readonly database: DatabaseSync;
  /** The database's name in error messages. */
  readonly journalPath: string;
  readonly vault: Vault;
  readonly namedSecrets?: NamedSecrets | undefined;
  readonly settings: SettingsView<{
    readonly alerts: AlertSettings;
    readonly network: { readonly caFile: string | null };
    readonly watchRules: readonly WatchRule[];
  }>;
  readonly accounts: Pick<AccountService, 'accounts'>;
  readonly watch: Pick<WatchService, 'rules' | 'sources' | 'onEnd'>;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly log: Log;
  readonly version: string;
  readonly timing?: AlertTiming | undefined;
}

/** Connects alerts to watching and signing in. */
export function composeAlerts(surroundings: AlertSurroundings): {
  readonly alerts: AlertService;
  readonly secrets: AlertSecrets;
} {
  const { settings, accounts, watch, clock, fetch, log, version, timing } = surroundings;
  const secrets = createAlertSecrets(surroundings.vault, surroundings.namedSecrets);
  const alerts = new AlertService({
    journal: createAlertJournal(surroundings.database, surroundings.journalPath),
    ...{ secrets, settings, clock, fetch, log, timing },
    computer: hostname(),
    facts: () => ruleFacts(watch, accounts),
    readStatus: () => ({ version, signedIn: accounts.accounts().length > 0, counts: heartbeatCounts(watch) }),
    authorities: () => trustedAuthorities(readAuthorityFile(settings.get().network.caFile)),
  });
  watch.onEnd((end) =>
    alerts.recordEnd(
      end,
      settings.get().watchRules.find(({ id }) => id === end.ruleId),
    ),
  );
  return { alerts, secrets };
}
