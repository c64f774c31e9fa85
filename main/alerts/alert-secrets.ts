import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { MailSettings, WebhookSettings } from '../../shared/schemas/alerts.ts';
import type { Vault } from '../account/vault/vault.ts';
import { parseJson } from '../service/answer.ts';

/**
 * The password for mail and the webhook's key, in the vault. Each is kept with the place that it is for, and
 * is given away for no other.
 */
export interface AlertSecrets {
  /** Null where there is none for this server and user. */
  mailPassword(mail: MailSettings): string | null;
  keepMailPassword(mail: MailSettings, password: string): void;
  forgetMailPassword(): void;
  /** Null where there is none for this address. */
  webhookKey(webhook: WebhookSettings): string | null;
  /** Makes another one. */
  makeWebhookKey(webhook: WebhookSettings): string;
  forgetWebhookKey(): void;
  /** Further headers of each message; null where the value of one can't be read. */
  webhookHeaders(): Readonly<Record<string, string>> | null;
}

/** Secrets that lie elsewhere, where someone has named them; null where none is, or it can't be read. */
export interface NamedSecrets {
  mailPassword(): string | null;
  webhookKey(): string | null;
  /** As in `AlertSecrets`. */
  webhookHeaders(): Readonly<Record<string, string>> | null;
}

const [mailEntry, webhookEntry] = ['alerts:mail-password', 'alerts:webhook-key'];
const kept = z.object({ place: z.string(), secret: z.string() });

/** `named`: what comes before the vault. Whoever names a server there names the secret for it, too. */
export function createAlertSecrets(vault: Vault, named?: NamedSecrets): AlertSecrets {
  const read = (entry: string, place: string) => {
    const found = kept.safeParse(parseJson(vault.get(entry) ?? '')).data;
    return found?.place === place ? found.secret : null;
  };
  const keep = (entry: string, place: string, secret: string) =>
    vault.set(entry, JSON.stringify({ place, secret }));
  return {
    mailPassword: (mail) => named?.mailPassword() ?? read(mailEntry, placeOfMail(mail)),
    keepMailPassword: (mail, password) => keep(mailEntry, placeOfMail(mail), password),
    forgetMailPassword: () => vault.delete(mailEntry),
    webhookKey: ({ address }) => named?.webhookKey() ?? read(webhookEntry, new URL(address).origin),
    makeWebhookKey: ({ address }) => {
      const key = randomBytes(32).toString('hex');
      keep(webhookEntry, new URL(address).origin, key);
      return key;
    },
    forgetWebhookKey: () => vault.delete(webhookEntry),
    webhookHeaders: () => (named ? named.webhookHeaders() : {}),
  };
}

const placeOfMail = ({ host, port, user }: MailSettings) => JSON.stringify([host.toLowerCase(), port, user]);

/** Lets a receiver check a webhook: `t=<seconds since the epoch>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. */
export function signatureOf(key: string, seconds: number, body: string): string {
  return `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`;
}
