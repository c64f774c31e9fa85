import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createAlertJournal } from '../../../main/alerts/alert-journal.ts';
import { signatureOf } from '../../../main/alerts/alert-secrets.ts';
import { openDatabase } from '../../../main/jobs/journal/database.ts';
import { makeCertificate } from '../../../tools/bench/certificate.ts';
import { startMailServer } from '../alerts/mail-server.ts';
import { type CliHouse, jsonLines, signedInHouse } from './run-cli.ts';

const webhookKey = '0f'.repeat(32);

async function mailServer(house: CliHouse) {
  const certificate = await makeCertificate(house.folder);
  const server = await startMailServer('starttls', certificate);
  onTestFinished(() => server.stop());
  return { server, trust: { NODE_EXTRA_CA_CERTS: certificate.caFile } };
}

async function receiver() {
  const calls: { readonly body: string; readonly signature: string; readonly authorization?: string }[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { authorization = '' } = request.headers;
    calls.push({ body, signature: String(request.headers['tilelift-signature']), authorization });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { calls, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

async function secret(house: CliHouse, name: string, text: string, mode = 0o600): Promise<string> {
  const path = join(house.folder, name);
  await writeFile(path, `${text}\n`);
  await chmod(path, mode);
  return path;
}

async function serverFile(house: CliHouse, alerts: object): Promise<string> {
  const path = join(house.folder, 'rules.json');
  await writeFile(path, JSON.stringify({ schemaVersion: 1, rules: [], alerts }, null, 2));
  return path;
}

/** Adds an unsent event of an hour ago, which is due as soon as the service runs. */
function leaveUntold(house: CliHouse): void {
  const path = join(house.home, 'journal.db');
  const database = openDatabase(path);
  createAlertJournal(database, path).addEvent({
    ...{ id: 'failed\nflight-7\n1', at: Date.now() - 3_600_000 },
    what: { kind: 'failed', ruleId: 'flights', ruleName: 'Flights', source: 'flight-7', error: null },
  });
  database.close();
}

const mailTo = (port: number, extraSettings: object) => ({
  ...{ host: 'localhost', port, security: 'starttls', user: 'tilelift' },
  ...{ from: 'server@office.example', to: ['gis@office.example'] },
  ...extraSettings,
});

it('tilelift watch with alerts sends mail, webhook and heartbeat with secrets from files and credentials', {
  timeout: 300_000,
}, async () => {
  const house = await signedInHouse();
  // The first start creates the journal.
  await house.run(['assets', 'list']);
  leaveUntold(house);
  const { server, trust } = await mailServer(house);
  const { calls, address } = await receiver();
  const credentials = join(house.folder, 'credentials');
  await mkdir(credentials);
  // systemd restricts credentials by access lists instead of the mode.
  await writeFile(join(credentials, 'hook-key'), `${webhookKey}\n`, { mode: 0o440 });
  const beat = join(house.folder, 'beat.json');
  const file = await secret(house, 'mail-password', 'right');
  const rules = await serverFile(house, {
    mail: mailTo(server.port, { password: { file } }),
    webhook: {
      ...{ address, key: { credential: 'hook-key' } },
      headers: { Authorization: { file: await secret(house, 'bearer', 'Bearer for-the-receiver') } },
    },
    heartbeat: { file: beat, minutes: 1 },
  });

  const env = { ...trust, CREDENTIALS_DIRECTORY: credentials };
  const watchCommand = house.start(['watch', '--rules', rules, '--json'], env);
  await watchCommand.says('"event":"watching"');
  await expect.poll(() => server.mails).toHaveLength(1);
  await expect.poll(() => calls).toHaveLength(1);
  await expect.poll(() => readFile(beat, 'utf8').catch(() => '')).toContain('"signedIn"');

  expect(server.logins).toEqual([{ user: 'tilelift', password: 'right', encrypted: true }]);
  expect(server.mails[0]?.mail.text).toContain('flight-7');
  const [{ body, signature, authorization } = expect.fail()] = calls;
  expect(authorization).toBe('Bearer for-the-receiver');
  const seconds = Number(/^t=(\d+)/.exec(signature)?.[1]);
  expect(signature).toBe(signatureOf(webhookKey, seconds, body));
  expect(JSON.parse(body)).toMatchObject({ kind: 'alert', events: [{ source: 'flight-7' }] });

  watchCommand.child.kill('SIGTERM');
  const { stdout, stderr } = await watchCommand.ended;
  expect(stdout + stderr).not.toContain(webhookKey);
  const storedSettings = await readFile(join(house.home, 'settings.json'), 'utf8');
  expect(storedSettings).toContain(file);
  expect(storedSettings).not.toMatch(/right|0f0f|for-the-receiver/);
});

it('tilelift watch with alerts refuses a rules file with unusable secrets, each by line and field', {
  timeout: 300_000,
}, async () => {
  const house = await signedInHouse();
  const looseSecret = await secret(house, 'loose', 'right', 0o640);
  const rules = await serverFile(house, {
    mail: mailTo(25, { password: { file: looseSecret } }),
    webhook: { address: 'https://hooks.example/', key: { credential: 'hook-key' } },
  });
  const lines = (await readFile(rules, 'utf8')).split('\n');
  const lineOf = (text: string) => lines.findIndex((line) => line.includes(text)) + 1;

  const refusedRun = await house.run(['watch', '--rules', rules, '--json']);
  expect(refusedRun.code).toBe(2);
  expect(jsonLines(refusedRun.stdout).filter(({ event }) => event === 'problem')).toMatchObject([
    {
      ...{ line: lineOf('"password"'), field: 'alerts.mail.password' },
      message: `names ${looseSecret}, which others may read. Restrict it with: chmod 600 ${looseSecret}`,
    },
    {
      ...{ line: lineOf('"key"'), field: 'alerts.webhook.key' },
      message: 'names hook-key, which can’t be read',
    },
  ]);
  expect(refusedRun.stderr).toContain(`chmod 600 ${looseSecret}`);
  // A dry run doesn’t need the secrets.
  expect((await house.run(['watch', '--rules', rules, '--dry-run'])).code).toBe(0);
});
