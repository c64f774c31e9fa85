import type { SendMailOptions } from 'nodemailer';
import type { MailSettings } from '../../shared/schemas/alerts.ts';
import { type ErrorCode, TileliftError } from '../errors.ts';
import { redactedStart } from '../redact.ts';
import { connectionFailure } from '../service/connection-failure.ts';
import type { Letter } from './alert-words.ts';

interface MailParts {
  readonly mail: MailSettings;
  /** Null: none is known. */
  readonly password: string | null;
  /** Authorities to trust, PEM; null for Node's own. */
  readonly ca: readonly string[] | null;
}

/** A server that says nothing for this long is not there, ms. */
const patienceMs = 30_000;

/**
 * Hands a letter to the mail server, encrypted or not at all, and gives what the server said. `id`: the same
 * for the same letter, also when it is sent again. Goes straight to the server, whatever proxies the system
 * has.
 *
 * @throws TileliftError `mail-…`, `certificate-untrusted`
 */
export async function sendMail(
  letter: Letter,
  id: string,
  { mail, password, ca }: MailParts,
): Promise<string> {
  const { host, port, security, user, from, to } = mail;
  const subject = `${host}:${port}`;
  if (user !== '' && password === null) throw new TileliftError('mail-password-missing', { subject });
  // Half a megabyte that only those need who want mail.
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
    ...{ from, to: [...to] },
    ...letter,
    messageId: `<${id}@tilelift>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
  try {
    const { response, rejected } = await transport.sendMail(message);
    // Some have it: sending it to all once more would double it for them.
    return rejected.length === 0
      ? wordsOf(response)
      : wordsOf(`${response} (not to: ${rejected.join(', ')})`);
  } catch (cause) {
    throw refusal(cause, subject);
  } finally {
    transport.close();
  }
}

interface MailFault extends Error {
  readonly code?: string;
  /** Before nodemailer put its own in its place. */
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
  const before = (cause as MailFault).originalCode ?? '';
  if (connectionFailure(before) === 'certificate-untrusted') return 'certificate-untrusted';
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'mail-login-refused';
  if (code === 'ETLS') return 'mail-not-encrypted';
  const isAnswer = (cause as MailFault).responseCode !== undefined;
  return isAnswer ? 'mail-refused' : 'mail-unreachable';
}

/** What a server says is text from outside. */
function wordsOf(text: string): string {
  return redactedStart(text.replaceAll(/[\r\n]+/g, ' '));
}
