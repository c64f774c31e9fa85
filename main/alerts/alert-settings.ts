import { isIP } from 'node:net';
import { z } from 'zod';

/** On which ways alerts go out. No secret is among these: the mail password and the webhook's key are in the vault. */

/** One address; no name beside it, no line break in it. */
const mailAddress = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@<>",;:()]+@[^\s@<>",;:()]+$/);
const hostName = /^[a-z\d]([a-z\d-]{0,62}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,62}[a-z\d])?)*\.?$/i;

export const mailSettingsSchema = z.object({
  host: z
    .string()
    .trim()
    .max(253)
    .refine((host) => hostName.test(host) || isIP(host) !== 0),
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

export const alertSettingsSchema = z.object({
  mail: mailSettingsSchema.nullable().default(null),
  webhook: webhookSettingsSchema.nullable().default(null),
  heartbeat: heartbeatSchema.nullable().default(null),
});

export type MailSettings = z.infer<typeof mailSettingsSchema>;
export type WebhookSettings = z.infer<typeof webhookSettingsSchema>;
export type AlertSettings = z.infer<typeof alertSettingsSchema>;

/** https, without a user or password in it; this computer itself may be spoken to without encryption. */
export function isWebhookAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}
