import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { createAlertSecrets } from '../../../main/alerts/alert-secrets.ts';
import { composeAlerts } from '../../../main/alerts/compose-alerts.ts';
import { defaultAlertTiming } from '../../../main/alerts/timing.ts';
import { openDatabase } from '../../../main/jobs/journal/database.ts';
import { silentLog } from '../../../main/log.ts';
import { systemClock } from '../../../main/ports.ts';
import { noAlerts } from '../../../shared/schemas/watch-rule.ts';
import { inEnglish } from '../../../strings/sayer.ts';
import { movableClock } from '../../integration/watch/fixture.ts';
import { saidLines, saidSource } from '../../said.ts';
import { memoryVault, settingsInMemory } from '../../unit/account/stand-ins.ts';
import { jpeg } from '../data.ts';
import type { Group } from '../delivery.ts';

const patience = { timeout: 45_000, interval: 50 };
const hourMs = 60 * 60_000;
const alertTiming = { ...defaultAlertTiming, gatherMs: 60, quietMs: 600, lookMs: 20 };
const settings = settingsInMemory();
const clock = movableClock();
let aheadMs = 0;

export const unattendedDeliveries: Group = {
  title: 'Without anyone watching',
  deliveries: [
    {
      comes: 'a folder that fails, under a rule that alerts about failures',
      becomes: 'sends one alert that names the folder',
      rule: { alerts: { ...noAlerts, failed: true } },
      fixture: { settings },
      play: async ({ fixture, write, untilSource }) => {
        const bodies: string[] = [];
        const receiver = createServer(async (request, response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of request) chunks.push(chunk as Buffer);
          bodies.push(Buffer.concat(chunks).toString());
          response.writeHead(204).end();
        });
        await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
        const webhook = { address: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` };
        settings.update({ alerts: { mail: null, heartbeat: null, webhook } });
        const vault = memoryVault();
        createAlertSecrets(vault).makeWebhookKey(webhook);
        const journalPath = join(fixture.folder, 'alerts.db');
        const database = openDatabase(journalPath);
        const { alerts } = composeAlerts({
          ...{ database, journalPath, vault, settings, watch: fixture.watch, clock: systemClock, fetch },
          ...{ accounts: { accounts: () => [] }, log: silentLog, version: '1', timing: alertTiming },
        });
        alerts.start();
        try {
          fixture.service.control.setTiling({ end: 'DATA_ERROR' });
          await write({ 'Kai/a.jpg': jpeg() });
          await untilSource('Kai', ({ state }) => state === 'failed');
          await vi.waitFor(() => expect(bodies).toHaveLength(1), patience);
          expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ events: [{ source: 'Kai' }] });
          expect(bodies[0]).toContain('Kai failed.');
        } finally {
          await alerts.stop();
          database.close();
          receiver.close();
        }
      },
    },
    {
      comes: 'a model whose material file never arrives',
      becomes: 'names the missing file in status, list and activity log, there once',
      rule: { sourceType: '3D_MODEL' },
      play: async ({ fixture, rule, write, scanAll }) => {
        await write({ 'House/a.obj': 'mtllib a.mtl\nv 0 0 0\n' });
        const why = 'House/a.mtl is required and missing';
        const stuckSources = () =>
          fixture.watch.rules()[0]?.stuck?.map((source) => [source.path, inEnglish.sayPhrase(source.why)]);
        await vi.waitFor(() => expect(stuckSources()).toEqual([['House', why]]), patience);
        for (let count = 0; count < 5; count++) await scanAll();
        const [source] = fixture.watch.sources(rule.id).map(saidSource);
        expect(source).toMatchObject({ path: 'House', state: 'settling', why });
        const lines = saidLines(fixture.watch.activity(rule.id)).map(({ text }) => text);
        expect(lines.filter((text) => text.includes(why))).toEqual([`House is waiting: ${why}`]);
      },
    },
    {
      comes: 'folders during an outage of nine hours',
      becomes:
        'creates one asset for each folder once the first one succeeds; one line of the activity log says when the outage was and how long',
      fixture: { clock },
      play: async ({ fixture, rule, write, untilSource, expectAssets }) => {
        const names = ['Kai', 'Ost', 'West'];
        fixture.service.control.addFault({
          match: { room: 'api', method: 'POST', path: '^/v1/assets$', times: 1_000 },
          action: { kind: 'status', status: 400, body: '{"code": "QuotaExceeded", "message": "No room"}' },
        });
        for (const name of names) await write({ [`${name}/a.jpg`]: jpeg(name) });
        for (const name of names) await untilSource(name, ({ why }) => why.includes('Next try'));
        for (const path of names)
          fixture.ledger().change(rule.id, path, { retryAt: clock.now() + 20 * hourMs });
        fixture.service.control.clearFaults();
        clock.move(9 * hourMs);
        await write({ 'Nord/a.jpg': jpeg('Nord') });
        await expectAssets(['Nord', ...names].map((name) => [name, ['a.jpg']] as const));
        const lines = saidLines(fixture.watch.activity(rule.id)).filter(({ text }) =>
          text.includes('did not answer'),
        );
        expect(lines.map(({ text }) => text)).toEqual([
          expect.stringMatching(/for 9\u00a0h, from .* 3 waiting sources/),
        ]);
      },
    },
    {
      comes: 'a folder while the computer’s clock is set back by a day',
      becomes: 'creates one asset in the usual time',
      fixture: { clock: { ...systemClock, now: () => Date.now() + aheadMs } },
      play: async ({ write, untilComplete, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg() });
        aheadMs = -24 * hourMs;
        await untilComplete('Kai');
        aheadMs = 0;
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
  ],
};
