import { z } from 'zod';
import { isMailAddress, isWebhookAddress } from '../addresses.ts';
import type { ErrorRecord } from '../errors.ts';

/** The channels of alerts. No secret is here: the mail password and the webhook's key are in the vault. */

const mailAddress = z.string().trim().max(320).refine(isMailAddress);
const hostName = /^[a-z\d]([a-z\d-]{0,62}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,62}[a-z\d])?)*\.?$/i;

export const mailSettingsSchema = z.object({
  host: z
    .string()
    .trim()
    .max(253)
    .refine((host) => hostName.test(host) || z.ipv6().safeParse(host).success),
  port: z.number().int().min(1).max(65_535),
  /** Encrypted from the first byte on, or from STARTTLS on. There is no third. */
  security: z.enum(['tls', 'starttls']),
  /** Empty: the server wants to know nobody. */
  user: z
    .string()
    .max(320)
    .regex(/^\P{Cc}*$/u),
  from: mailAddress,
  to: z.array(mailAddress).min(1).max(20).readonly(),
});

export const webhookSettingsSchema = z.object({
  address: z.string().max(2_000).refine(isWebhookAddress),
});

export const heartbeatSchema = z.object({
  /** Absolute. */
  file: z.string().min(1).max(4_000),
  minutes: z.number().int().min(1).max(1_440),
});

/**
 * Where a secret lies on a computer without keychain: in a file of mode 0600, or among systemd's credentials.
 */
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

/**
 * Headers by which a receiver lets someone in, and where the value of each lies. Those that say what is sent
 * are not for others to set.
 */
export const secretHeadersSchema = z.record(
  z.string().regex(/^(?:authorization|x-[a-z\d-]{1,60})$/i),
  secretPlaceSchema,
);

/** Where the secrets of alerts lie, by name; null: in the vault. */
export const alertSecretPlacesSchema = z.object({
  mailPassword: secretPlaceSchema.nullable().default(null),
  webhookKey: secretPlaceSchema.nullable().default(null),
  webhookHeaders: secretHeadersSchema.default({}),
});

export const alertSettingsSchema = z.object({
  mail: mailSettingsSchema.nullable().default(null),
  webhook: webhookSettingsSchema.nullable().default(null),
  heartbeat: heartbeatSchema.nullable().default(null),
});

export type MailSettings = z.infer<typeof mailSettingsSchema>;
export type WebhookSettings = z.infer<typeof webhookSettingsSchema>;
export type AlertSettings = z.infer<typeof alertSettingsSchema>;

/** Where alerts go out of this computer. */
export type AlertPlace = keyof AlertSettings;

/** How a way of telling last did; `error`: null where it went well. */
export interface AlertOutcome {
  readonly at: number;
  readonly error: ErrorRecord | null;
}
