import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { sendMail } from '../../../main/alerts/mail.ts';
import { toTileliftError } from '../../../main/errors.ts';
import type { MailSettings } from '../../../shared/schemas/alerts.ts';
import { type Certificate, makeCertificate } from '../../../tools/bench/certificate.ts';
import { suiteFolder } from '../../temporary-folder.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

const folder = suiteFolder();
let certificate: Certificate;
let ca: readonly string[];
let server: MailServer;

beforeAll(async () => {
  certificate = await makeCertificate(folder);
  ca = [await readFile(certificate.caFile, 'utf8')];
});
afterEach(() => server.stop());

const letter = { subject: 'Tilelift: größere Störung', text: 'Zeile 1\nZeile 2\n' };

function mailTo(change: Partial<MailSettings>): MailSettings {
  return {
    ...{ host: '127.0.0.1', port: server.port, security: 'starttls', user: 'tilelift' },
    ...{ from: 'tilelift@office.example', to: ['a@office.example', 'b@office.example'] },
    ...change,
  };
}

async function refusalOf(
  mail: MailSettings,
  password: string | null,
  authorities: readonly string[] | null = ca,
) {
  const error = await sendMail(letter, 'id-1', { mail, password, ca: authorities }).then(
    () => undefined,
    toTileliftError,
  );
  return error && `${error.code}: ${error.remote?.message ?? ''}`;
}

test.each(['tls', 'starttls'] as const)(
  'delivers a complete mail by %s, authenticated and encrypted',
  async (security) => {
    server = await startMailServer(security, certificate);
    const answer = await sendMail(letter, 'id-1', { mail: mailTo({ security }), password: 'right', ca });
    expect(answer).toContain('taken, says this server');
    const [{ mail, recipients, encrypted } = expect.fail()] = server.mails;
    expect({ to: recipients, encrypted, from: mail.from?.address }).toEqual({
      ...{ to: ['a@office.example', 'b@office.example'], encrypted: true },
      from: 'tilelift@office.example',
    });
    expect([mail.subject, mail.text, mail.messageId]).toEqual([
      letter.subject,
      letter.text,
      '<id-1@tilelift>',
    ]);
    expect(mail.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
    expect(server.logins.every((login) => login.encrypted)).toBe(true);
  },
);

test('reports a wrong password in the server’s words', async () => {
  server = await startMailServer('starttls', certificate);
  expect(await refusalOf(mailTo({}), 'wrong')).toContain(
    'mail-login-refused: 535 wrong password, says this server',
  );
  expect(server.mails).toEqual([]);
});

test('holds the mail if the password is no longer stored', async () => {
  server = await startMailServer('starttls', certificate);
  expect(await refusalOf(mailTo({}), null)).toContain('mail-password-missing');
  expect(server.logins).toEqual([]);
});

test('reports unknown recipients in the server’s words and delivers to the others once', async () => {
  server = await startMailServer('tls', certificate);
  const mailToAll = mailTo({ security: 'tls', to: ['nobody@office.example'] });
  expect(await refusalOf(mailToAll, 'right')).toContain('mail-refused: 550 no such mailbox here');
  const mailToSome = mailTo({ security: 'tls', to: ['nobody@office.example', 'a@office.example'] });
  const answer = await sendMail(letter, 'id-2', { mail: mailToSome, password: 'right', ca });
  expect(answer).toContain('not to: nobody@office.example');
  expect(server.mails.map(({ recipients }) => recipients)).toEqual([['a@office.example']]);
});

test.each(['tls', 'starttls'] as const)(
  'S110: sends neither password nor mail by %s to a server with an untrusted certificate',
  async (security) => {
    server = await startMailServer(security, certificate);
    expect(await refusalOf(mailTo({ security }), 'right', null)).toContain('certificate-untrusted');
    expect([server.logins, server.mails]).toEqual([[], []]);
  },
);

test('S111: sends neither password nor mail without encryption, even if a middlebox hides STARTTLS', async () => {
  server = await startMailServer('plain', certificate);
  expect(await refusalOf(mailTo({}), 'right')).toContain('mail-not-encrypted');
  expect([server.logins, server.mails]).toEqual([[], []]);
});

test('reports an unreachable mail server as such', async () => {
  server = await startMailServer('tls', certificate);
  expect(await refusalOf(mailTo({ port: 1 }), 'right')).toContain('mail-unreachable');
});
