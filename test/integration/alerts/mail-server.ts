import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Certificate } from '../../../tools/bench/certificate.ts';

export interface MailServer {
  readonly port: number;
  readonly mails: {
    readonly mail: Email;
    readonly recipients: readonly string[];
    readonly encrypted: boolean;
  }[];
  /** Attempted logins, before or after encryption began. */
  readonly logins: { readonly user: string; readonly password: string; readonly encrypted: boolean }[];
  /** Error for every mail; null accepts them. */
  refuseWith: string | null;
  stop(): Promise<void>;
}

/**
 * A mail server on loopback with TLS, STARTTLS or neither. It accepts the login `tilelift` with `right`, and
 * rejects recipients `nobody@…`.
 */
export async function startMailServer(
  kind: 'tls' | 'starttls' | 'plain',
  certificate: Certificate,
): Promise<MailServer> {
  const mails: MailServer['mails'] = [];
  const logins: MailServer['logins'] = [];
  const server = new SMTPServer({
    secure: kind === 'tls',
    key: await readFile(certificate.keyFile),
    cert: await readFile(certificate.certFile),
    disabledCommands: kind === 'starttls' ? [] : ['STARTTLS'],
    allowInsecureAuth: kind === 'plain',
    authOptional: true,
    logger: false,
    onAuth: ({ username, password }, { secure }, callback) => {
      logins.push({ user: username ?? '', password: password ?? '', encrypted: secure });
      if (username === 'tilelift' && password === 'right') callback(null, { user: 'tilelift' });
      else callback(Object.assign(new Error('wrong password, says this server'), { responseCode: 535 }));
    },
    onRcptTo: ({ address }, _session, callback) => {
      const isUnknown = address.startsWith('nobody@');
      callback(
        isUnknown ? Object.assign(new Error('no such mailbox here'), { responseCode: 550 }) : undefined,
      );
    },
    onData: (stream, { envelope, secure }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        if (running.refuseWith !== null) {
          callback(Object.assign(new Error(running.refuseWith), { responseCode: 451 }));
          return;
        }
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        mails.push({ mail, recipients: envelope.rcptTo.map(({ address }) => address), encrypted: secure });
        callback(null, 'taken, says this server');
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const running: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    ...{ mails, logins },
    refuseWith: null,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
  return running;
}
