import { readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAlertJournal } from '../../../main/alerts/alert-journal.ts';
import type { RuleFacts } from '../../../main/alerts/alert-model.ts';
import { createAlertSecrets } from '../../../main/alerts/alert-secrets.ts';
import { AlertService } from '../../../main/alerts/alert-service.ts';
import { type AlertTiming, defaultAlertTiming } from '../../../main/alerts/timing.ts';
import { openDatabase } from '../../../main/jobs/journal/database.ts';
import { silentLog } from '../../../main/log.ts';
import { systemClock } from '../../../main/ports.ts';
import { noAlerts } from '../../../shared/schemas/watch-rule.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { memoryVault } from '../../unit/account/stand-ins.ts';
import { settingsInMemory } from '../watch/fixture.ts';

const fast: AlertTiming = { ...defaultAlertTiming, gatherMs: 60, quietMs: 600, lookMs: 20, firstWaitMs: 40 };
const wishes = { ...noAlerts, failed: true };

let folder: string;
let receiver: Server;
let bodies: { id: string; at: string; events: { source: string; text: string }[]; more: number }[];
/** The receiver's answers; the last one repeats. */
let statuses: number[];
let house: ReturnType<typeof build>;
let facts: readonly RuleFacts[];
const settings = settingsInMemory();
const vault = memoryVault();

beforeEach(async () => {
  folder = temporaryFolder();
  bodies = [];
  statuses = [200];
  facts = [];
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    if (status === 200) bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(status ?? 200).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const webhook = { address: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` };
  settings.update({ alerts: { mail: null, heartbeat: null, webhook } });
  createAlertSecrets(vault).makeWebhookKey(webhook);
  house = build();
});
afterEach(async () => {
  await house.stop();
  receiver.close();
});

/** Starts alert delivery like a start of Tilelift, on the same journal. */
function build(timing = fast) {
  const path = join(folder, 'journal.db');
  const database = openDatabase(path);
  const alerts = new AlertService({
    journal: createAlertJournal(database, path),
    secrets: createAlertSecrets(vault),
    ...{ settings, clock: systemClock, fetch, log: silentLog, timing },
    computer: 'office-1',
    facts: () => facts,
    readStatus: () => ({
      version: '1.2.3',
      signedIn: true,
      counts: { folders: 1, foldersAway: 0, settling: 0, waiting: 2, underWay: 0, complete: 7, failed: 1 },
    }),
    authorities: () => null,
  });
  let isOpen = true;
  return {
    alerts,
    stop: async () => {
      if (!isOpen) return;
      isOpen = false;
      await alerts.stop();
      database.close();
    },
  };
}

const recordFailed = (source: string, jobId = source) =>
  house.alerts.recordEnd(
    { ruleId: 'r', ruleName: 'Landings', source, outcome: 'failed', jobId, endedAt: 1, error: null },
    { alerts: wishes },
  );
const sources = () => bodies.flatMap(({ events }) => events.map(({ source }) => source));

test('sends one message for many failures with the number of the rest, then pauses', async () => {
  house.alerts.start();
  for (let n = 1; n <= 51; n += 1) recordFailed(`flight-${n}`);
  await vi.waitFor(() => expect(bodies).toHaveLength(1));
  expect([bodies[0]?.events.length, bodies[0]?.more]).toEqual([10, 41]);
  expect(bodies[0]?.events[0]?.text).toContain('Landings: flight-1 failed.');
  recordFailed('later');
  await vi.waitFor(() => expect(bodies).toHaveLength(2));
  const [firstTime = 0, secondTime = 0] = bodies.map(({ at }) => Date.parse(at));
  expect(secondTime - firstTime).toBeGreaterThanOrEqual(fast.quietMs);
  expect(bodies[1]).toMatchObject({ events: [{ source: 'later' }], more: 0 });
});

test('sends alerts recorded before a kill exactly once', async () => {
  // Never started: the process ended first.
  recordFailed('before');
  await house.stop();
  house = build();
  recordFailed('before');
  house.alerts.start();
  await vi.waitFor(() => expect(sources()).toEqual(['before']));
  await vi.waitFor(() => expect(house.alerts.countWaiting()).toBe(0));
  await house.stop();
  house = build({ ...fast, quietMs: 0 });
  house.alerts.start();
  recordFailed('before');
  recordFailed('after');
  await vi.waitFor(() => expect(sources()).toEqual(['before', 'after']));
});

test('retries an alert that the receiver refused, also after a restart, and reports it locally', async () => {
  statuses = [500, 503, 500, 200];
  const troubleTexts: string[] = [];
  house.alerts.onTrouble(({ code }) => troubleTexts.push(code));
  house.alerts.start();
  recordFailed('a');
  await vi.waitFor(() => expect(house.alerts.lastOutcomes().webhook?.error?.code).toBe('webhook-refused'));
  expect(house.alerts.countWaiting()).toBe(1);
  await house.stop();
  house = build();
  house.alerts.start();
  await vi.waitFor(() => expect(sources()).toEqual(['a']));
  await vi.waitFor(() => expect(house.alerts.lastOutcomes().webhook?.error).toBeNull());
  expect(troubleTexts).toEqual(['webhook-refused']);
});

test('drops an alert that wasn’t delivered within a day', async () => {
  statuses = [500];
  await house.stop();
  house = build({ ...fast, giveUpMs: 200, maxWaitMs: 50 });
  house.alerts.start();
  recordFailed('a');
  await vi.waitFor(() => expect(house.alerts.lastOutcomes().webhook?.error).not.toBeNull());
  await vi.waitFor(() => expect(house.alerts.countWaiting()).toBe(0));
  expect(bodies).toEqual([]);
});

test('sends no alert for a rule that disabled it', async () => {
  house.alerts.start();
  const end = { ruleId: 'r', ruleName: 'Quiet', source: 'q', jobId: 'q', endedAt: 1, error: null };
  house.alerts.recordEnd({ ...end, outcome: 'failed' }, { alerts: noAlerts });
  house.alerts.recordEnd({ ...end, outcome: 'complete' }, { alerts: wishes });
  recordFailed('loud');
  await vi.waitFor(() => expect(sources()).toEqual(['loud']));
});

test('alerts once about a source that takes too long, across restarts', async () => {
  facts = [
    {
      ...{ ruleId: 'r', ruleName: 'Landings', isOn: true, isAway: false, waitingIsWhole: true },
      alerts: { ...noAlerts, waitingHours: 4 },
      waitingSources: [{ path: 'stuck', arrivedAt: Date.now() - 5 * 3_600_000, isArriving: true }],
      ...{ lastTakenAt: null, isSignedIn: true },
    },
  ];
  house.alerts.start();
  await vi.waitFor(() => expect(sources()).toEqual(['stuck']));
  await house.stop();
  house = build({ ...fast, quietMs: 0 });
  house.alerts.start();
  recordFailed('other');
  await vi.waitFor(() => expect(sources()).toContain('other'));
  expect(sources()).toEqual(['stuck', 'other']);
});

test('updates a heartbeat file and replaces a link in its place instead of following it', async () => {
  const file = join(folder, 'heartbeat.json');
  const otherFile = join(folder, 'elsewhere.json');
  await writeFile(otherFile, 'untouched');
  await symlink(otherFile, file);
  settings.update({ alerts: { ...settings.get().alerts, heartbeat: { file, minutes: 5 } } });
  house.alerts.start();
  const beat = await vi.waitFor(async () => JSON.parse(await readFile(file, 'utf8')));
  expect(beat).toMatchObject({
    ...{ app: 'tilelift', version: '1.2.3', computer: 'office-1', everyMinutes: 5, signedIn: true },
    counts: { waiting: 2, complete: 7, failed: 1 },
  });
  expect(Math.abs(Date.now() - Date.parse(beat.at))).toBeLessThan(10_000);
  expect(await readFile(otherFile, 'utf8')).toBe('untouched');
});

test('reports a heartbeat file that can’t be written', async () => {
  const file = join(folder, 'gone', 'heartbeat.json');
  settings.update({ alerts: { ...settings.get().alerts, heartbeat: { file, minutes: 5 } } });
  house.alerts.start();
  await vi.waitFor(() =>
    expect(house.alerts.lastOutcomes().heartbeat?.error?.code).toBe('heartbeat-unwritable'),
  );
});

test('uses a password or key only for the destination that it was entered for', () => {
  const secrets = createAlertSecrets(vault);
  const mail = {
    ...{ host: 'mail.office.example', port: 465, security: 'tls' as const, user: 'me' },
    ...{ from: 'a@b.example', to: ['a@b.example'] },
  };
  secrets.keepMailPassword(mail, 'secret');
  expect(secrets.mailPassword({ ...mail, to: ['c@b.example'] })).toBe('secret');
  for (const change of [{ host: 'evil.example' }, { port: 466 }, { user: 'other' }])
    expect(secrets.mailPassword({ ...mail, ...change })).toBeNull();
  const key = secrets.makeWebhookKey({ address: 'https://hooks.example/a' });
  expect(secrets.webhookKey({ address: 'https://hooks.example/b' })).toBe(key);
  expect(secrets.webhookKey({ address: 'https://evil.example/a' })).toBeNull();
});
