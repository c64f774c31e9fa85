import type { SendMailOptions } from 'nodemailer';
import type { MailSettings } from '../../shared/schemas/alerts.ts';
import { type ErrorCode, TileliftError } from '../errors.ts';
import { redactedStart } from '../redact.ts';
import { connectionFailure } from '../service/connection-failure.ts';
import type { AlertMail } from './alert-words.ts';

interface MailParts {
  readonly mail: MailSettings;
  /** Null if unknown. */
  readonly password: string | null;
  /** PEM authorities to trust; null for Node's. */
  readonly ca: readonly string[] | null;
}

const patienceMs = 30_000;

/**
 * Sends a letter, always encrypted and without proxies, and returns the response. `id`: the same when sent
 * again.
 * @throws TileliftError `mail-…`, `certificate-untrusted`
 */
export async function sendMail(
  letter: AlertMail,
  id: string,
  { mail, password, ca }: MailParts,
): Promise<string> {
  const { host, port, security, user, from: sender, to: recipients } = mail;
  const subject = `${host}:${port}`;
  if (user !== '' && password === null) throw new TileliftError('mail-password-missing', { subject });
  // Loads half a megabyte.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...{ host, port },
    secure: security === 'tls',
    requireTLS: true,
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca ? { ca: [...ca] } : {}) },
    ...(user === '' ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    dnsTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message: SendMailOptions = {
    ...{ from: sender, to: [...recipients] },
    ...letter,
    messageId: `<${id}@tilelift>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
  try {
    const { response, rejected: rejectedAddresses } = await transport.sendMail(message);
    // A retry would send it to the others twice.
    return rejectedAddresses.length === 0
      ? wordsOf(response)
      : wordsOf(`${response} (not to: ${rejectedAddresses.join(', ')})`);
  } catch (cause) {
    throw refusal(cause, subject);
  } finally {
    transport.close();
  }
}

interface MailFault extends Error {
  readonly code?: string;
  readonly originalCode?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

function refusal(cause: unknown, subject: string): TileliftError {
  const { code, response, responseCode } = cause as MailFault;
  const remote = {
    ...(responseCode === undefined ? {} : { status: responseCode }),
    ...(response === undefined ? {} : { message: wordsOf(response) }),
  };
  return new TileliftError(codeOf(cause, code), { subject, cause, remote });
}

function codeOf(cause: unknown, code: string | undefined): ErrorCode {
  const originalCode = (cause as MailFault).originalCode ?? '';
  if (connectionFailure(originalCode) === 'certificate-untrusted') return 'certificate-untrusted';
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'mail-login-refused';
  if (code === 'ETLS') return 'mail-not-encrypted';
  const isAnswer = (cause as MailFault).responseCode !== undefined;
  return isAnswer ? 'mail-refused' : 'mail-unreachable';
}

/** Untrusted text. */
function wordsOf(text: string): string {
  return redactedStart(text.replaceAll(/[\r\n]+/g, ' '));
}
