import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { MailSettings, WebhookSettings } from '../../shared/schemas/alerts.ts';
import type { Vault } from '../account/vault/vault.ts';
import { parseJson } from '../service/answer.ts';

/** Secrets in the vault, each bound to its server. */
export interface AlertSecrets {
  /** Null if none is stored for this server and user. */
  mailPassword(mail: MailSettings): string | null;
  keepMailPassword(mail: MailSettings, password: string): void;
  forgetMailPassword(): void;
  /** Null if none is stored for this address. */
  webhookKey(webhook: WebhookSettings): string | null;
  makeWebhookKey(webhook: WebhookSettings): string;
  forgetWebhookKey(): void;
  /** Null if a value can't be read. */
  webhookHeaders(): Readonly<Record<string, string>> | null;
}

/** Null if none is configured or readable. */
export interface NamedSecrets {
  mailPassword(): string | null;
  webhookKey(): string | null;
  /** See `AlertSecrets`. */
  webhookHeaders(): Readonly<Record<string, string>> | null;
}

const [mailEntry, webhookEntry] = ['alerts:mail-password', 'alerts:webhook-key'];
const secretSchema = z.object({ place: z.string(), secret: z.string() });

/** `externalSecrets` take precedence: their configuration names the server too. */
export function createAlertSecrets(vault: Vault, externalSecrets?: NamedSecrets): AlertSecrets {
  const read = (entry: string, target: string) => {
    const storedSecret = secretSchema.safeParse(parseJson(vault.get(entry) ?? '')).data;
    return storedSecret?.place === target ? storedSecret.secret : null;
  };
  const storeSecret = (entry: string, target: string, secret: string) =>
    vault.set(entry, JSON.stringify({ place: target, secret }));
  return {
    mailPassword: (mail) => externalSecrets?.mailPassword() ?? read(mailEntry, placeOfMail(mail)),
    keepMailPassword: (mail, password) => storeSecret(mailEntry, placeOfMail(mail), password),
    forgetMailPassword: () => vault.delete(mailEntry),
    webhookKey: ({ address }) => externalSecrets?.webhookKey() ?? read(webhookEntry, new URL(address).origin),
    makeWebhookKey: ({ address }) => {
      const key = randomBytes(32).toString('hex');
      storeSecret(webhookEntry, new URL(address).origin, key);
      return key;
    },
    forgetWebhookKey: () => vault.delete(webhookEntry),
    webhookHeaders: () => (externalSecrets ? externalSecrets.webhookHeaders() : {}),
  };
}

const placeOfMail = ({ host, port, user }: MailSettings) => JSON.stringify([host.toLowerCase(), port, user]);

/** For receivers: `t=<seconds since the epoch>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. */
export function signatureOf(key: string, seconds: number, body: string): string {
  return `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`;
}
