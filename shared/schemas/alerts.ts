import { z } from 'zod';
import { isMailAddress, isWebhookAddress } from '../addresses.ts';
import type { ErrorRecord } from '../errors.ts';

const mailAddress = z.string().trim().max(320).refine(isMailAddress);
const hostName = /^[a-z\d]([a-z\d-]{0,62}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,62}[a-z\d])?)*\.?$/i;

export const mailSettingsSchema = z.object({
  host: z
    .string()
    .trim()
    .max(253)
    .refine((host) => hostName.test(host) || z.ipv6().safeParse(host).success),
  port: z.number().int().min(1).max(65_535),
  /** TLS from the start or by STARTTLS; plain text isn't offered. */
  security: z.enum(['tls', 'starttls']),
  /** Empty: no login. */
  user: z
    .string()
    .max(320)
    .regex(/^\P{Cc}*$/u),
  from: mailAddress,
  to: z.array(mailAddress).min(1).max(20).readonly(),
});

export const webhookSettingsSchema = z.object({ address: z.string().max(2_000).refine(isWebhookAddress) });

export const heartbeatSchema = z.object({
  file: z.string().min(1).max(4_000),
  minutes: z.number().int().min(1).max(1_440),
});

/** Location of a secret without a keychain: a file of mode 0600, or a systemd credential. */
export const secretPlaceSchema = z.union([
  z.strictObject({
    file: z
      .string()
      .max(4_096)
      .regex(/^(?:\/|[A-Za-z]:[\\/])/),
  }),
  z.strictObject({ credential: z.string().regex(/^\w[\w.-]{0,127}$/) }),
]);
export type SecretPlace = z.infer<typeof secretPlaceSchema>;

/** Authentication headers of the webhook and the location of each value. Content headers can't be set. */
export const secretHeadersSchema = z.record(
  z.string().regex(/^(?:authorization|x-[a-z\d-]{1,60})$/i),
  secretPlaceSchema,
);

/** Location of each alert secret; null: in the vault. */
export const alertSecretPlacesSchema = z.object({
  mailPassword: secretPlaceSchema.nullable().default(null),
  webhookKey: secretPlaceSchema.nullable().default(null),
  webhookHeaders: secretHeadersSchema.default({}),
});

/** Holds no secrets: the mail password and the webhook's key are in the vault or at a `SecretPlace`. */
export const alertSettingsSchema = z.object({
  mail: mailSettingsSchema.nullable().default(null),
  webhook: webhookSettingsSchema.nullable().default(null),
  heartbeat: heartbeatSchema.nullable().default(null),
});

export type MailSettings = z.infer<typeof mailSettingsSchema>;
export type WebhookSettings = z.infer<typeof webhookSettingsSchema>;
export type AlertSettings = z.infer<typeof alertSettingsSchema>;

/** Kinds of alert channels. */
export type AlertPlace = keyof AlertSettings;

/** Last outcome of a channel; `error` is null on success. */
export interface AlertOutcome {
  readonly at: number;
  readonly error: ErrorRecord | null;
}
