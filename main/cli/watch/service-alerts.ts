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
import type { FieldProblem } from '../../checked-file.ts';
import type { Settings } from '../../settings.ts';
import { SecretRefused } from '../secret-file.ts';

/** The settings with the places of secrets. */
export const serviceAlertsSchema = alertSettingsSchema.extend({
  mail: mailSettingsSchema.extend({ password: secretPlaceSchema.optional() }).nullable().default(null),
  webhook: webhookSettingsSchema
    .extend({ key: secretPlaceSchema, headers: secretHeadersSchema.optional() })
    .nullable()
    .default(null),
});
export type ServiceAlerts = z.infer<typeof serviceAlertsSchema>;

/** Pure. */
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

/** `read` reads a secret or throws `SecretRefused`. */
export function secretProblems(
  { mail, webhook }: ServiceAlerts,
  read: (place: SecretPlace) => unknown,
): readonly FieldProblem[] {
  const missingChannels: readonly FieldProblem[] =
    mail && mail.user !== '' && !mail.password
      ? [{ path: ['alerts', 'mail', 'password'], what: { key: 'rulesFile.problem.missing' } }]
      : [];
  const headers = Object.entries(webhook?.headers ?? {});
  const secrets: readonly (readonly [readonly string[], SecretPlace | undefined])[] = [
    [['alerts', 'mail', 'password'], mail?.password],
    [['alerts', 'webhook', 'key'], webhook?.key],
    ...headers.map(([name, place]) => [['alerts', 'webhook', 'headers', name], place] as const),
  ];
  return [
    ...missingChannels,
    ...secrets.flatMap(([path, place]): FieldProblem[] => {
      const refusal = place && refusalOf(place, read);
      return refusal ? [{ path, what: refusal }] : [];
    }),
  ];
}

function refusalOf(place: SecretPlace, read: (place: SecretPlace) => unknown): Phrase | null {
  try {
    read(place);
    return null;
  } catch (error) {
    if (!(error instanceof SecretRefused)) throw error;
    const path = 'file' in place ? place.file : place.credential;
    return { key: refusals[error.why], values: { path } };
  }
}

const refusals = {
  missing: 'rulesFile.problem.secretMissing',
  loose: 'rulesFile.problem.secretLoose',
  foreign: 'rulesFile.problem.secretForeign',
  empty: 'rulesFile.problem.secretEmpty',
} as const;
