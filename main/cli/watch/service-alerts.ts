import type { z } from 'zod';
import {
  alertSettingsSchema,
  mailSettingsSchema,
  type SecretPlace,
  secretHeadersSchema,
  secretPlaceSchema,
  webhookSettingsSchema,
} from '../../../shared/schemas/alerts.ts';
import type { Phrase } from '../../../strings/phrase.ts';
import type { Settings } from '../../settings.ts';
import type { RuleProblem } from '../../watch/rules-file/rule-problems.ts';
import { SecretRefused } from '../access/secret-file.ts';

/**
 * The `alerts` of a server's file: as the settings have them, and beside each channel where its secret lies.
 */
export const serviceAlertsSchema = alertSettingsSchema.extend({
  mail: mailSettingsSchema.extend({ password: secretPlaceSchema.optional() }).nullable().default(null),
  webhook: webhookSettingsSchema
    .extend({ key: secretPlaceSchema, headers: secretHeadersSchema.optional() })
    .nullable()
    .default(null),
});
export type ServiceAlerts = z.infer<typeof serviceAlertsSchema>;

/** What of it the settings keep. Pure. */
export function settingsOf({
  mail,
  webhook,
  heartbeat,
}: ServiceAlerts): Pick<Settings, 'alerts' | 'alertSecretPlaces'> {
  return {
    alerts: alertSettingsSchema.parse({ mail, webhook, heartbeat }),
    alertSecretPlaces: {
      mailPassword: mail?.password ?? null,
      webhookKey: webhook?.key ?? null,
      webhookHeaders: webhook?.headers ?? {},
    },
  };
}

/**
 * What is wrong with the secrets that it names: one is lacking, or the place of one can't be used by this
 * process. `read` reads the secret of a place, or throws `SecretRefused`.
 */
export function secretProblems(
  { mail, webhook }: ServiceAlerts,
  read: (place: SecretPlace) => unknown,
): readonly RuleProblem[] {
  const lacking: readonly RuleProblem[] =
    mail && mail.user !== '' && !mail.password
      ? [{ path: ['alerts', 'mail', 'password'], what: { key: 'rulesFile.problem.missing' } }]
      : [];
  const headers = Object.entries(webhook?.headers ?? {});
  const given: readonly (readonly [readonly string[], SecretPlace | undefined])[] = [
    [['alerts', 'mail', 'password'], mail?.password],
    [['alerts', 'webhook', 'key'], webhook?.key],
    ...headers.map(([name, place]) => [['alerts', 'webhook', 'headers', name], place] as const),
  ];
  return [
    ...lacking,
    ...given.flatMap(([path, place]): RuleProblem[] => {
      const what = place && refusalOf(place, read);
      return what ? [{ path, what }] : [];
    }),
  ];
}

function refusalOf(place: SecretPlace, read: (place: SecretPlace) => unknown): Phrase | null {
  try {
    read(place);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof SecretRefused)) throw thrown;
    const path = 'file' in place ? place.file : place.credential;
    return { key: refusals[thrown.why], values: { path } };
  }
}

const refusals = {
  missing: 'rulesFile.problem.secretMissing',
  loose: 'rulesFile.problem.secretLoose',
  foreign: 'rulesFile.problem.secretForeign',
  empty: 'rulesFile.problem.secretEmpty',
} as const;
