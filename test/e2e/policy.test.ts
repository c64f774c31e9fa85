import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallName, Calls } from '../../preload/contract.ts';
import { makeCertificate } from '../../tools/bench/certificate.ts';
import { aWatchRule } from '../a-watch-rule.ts';
import { startTinyproxy } from '../network/tinyproxy.ts';
import { beginJourney, dropAndUpload, type Journey } from './support/journey.ts';
import { makePolicyFolder, noPolicyFolderBecause, type PolicyFolder } from './support/policy-folder.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';

const why = await noPolicyFolderBecause();
if (why) console.log(`A policy on the packaged app is not tried: ${why}.`);

let journey: Journey;
let policy: PolicyFolder;
beforeEach(async () => {
  journey = await beginJourney();
  policy = await makePolicyFolder(journey.folder);
});
afterEach(async () => {
  await journey.end();
  await policy.remove();
});

const launch = () => journey.launch({ executable: policy.executable });

/** The main process's answer to a call that no button makes. */
function ask<Name extends CallName>({ page }: TileliftWindow, name: Name, input: Calls[Name]['input']) {
  return page.evaluate<unknown>(`window.tilelift.call(${JSON.stringify(name)}, ${JSON.stringify(input)})`);
}
const refused = (code: string) => ({ ok: false, error: { code } });

describe.skipIf(why !== null)('desktop under a policy', () => {
  it('completes the main job with the administrator’s settings, which are locked', async () => {
    const { folder } = journey;
    const login = { username: 'surveyor', password: 'theodolite' };
    const proxy = await startTinyproxy({ folder, address: '127.0.0.1', login });
    const certificate = await makeCertificate(folder);
    const office = await beginJourney({
      certificate: {
        cert: await readFile(certificate.certFile, 'utf8'),
        key: await readFile(certificate.keyFile, 'utf8'),
      },
    });
    try {
      const { baseUrl, authUrl } = office.service;
      const roots = [join(folder, 'geodata')];
      const caFile = await policy.writeBeside('office.pem', await readFile(certificate.caFile, 'utf8'));
      await policy.write(
        JSON.stringify({
          services: { offered: [{ name: 'Office', baseUrl, authUrl }], only: true },
          proxy: { mode: 'fixed', server: proxy.place, except: ['<-loopback>'] },
          caFile,
          updates: { allowed: false },
          watch: { roots },
        }),
      );
      const window = await launch();
      const { page } = window;
      await page.getByRole('radio', { name: 'Office' }).waitFor();
      // No presets, no services from the environment, no custom address.
      expect(await page.getByRole('radio').count()).toBe(1);
      await page.getByText('Set by your administrator').waitFor();
      const elsewhere = { name: 'Mine', baseUrl: journey.service.baseUrl, authUrl: journey.service.authUrl };
      expect(await ask(window, 'account.signIn', { service: elsewhere })).toMatchObject(
        refused('service-not-allowed'),
      );

      const scopes = ['assets:list', 'assets:read', 'assets:write'];
      await page.getByRole('button', { name: 'Use an access token instead' }).click();
      await page.getByLabel('Access token').fill(office.service.control.makeAccessToken(scopes));
      await page.getByRole('button', { name: 'Use this token' }).click();
      const dialog = page.getByRole('dialog', { name: 'Proxy sign-in required' });
      await dialog.getByLabel('User name').fill(login.username);
      await dialog.getByLabel('Password').fill(login.password);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: 'Uploads' }).waitFor();
      const source = join(folder, 'Town');
      await mkdir(source);
      await writeFile(join(source, 'town.gml'), randomBytes(300_000));
      await dropAndUpload(window, source);
      await page.getByText('Complete', { exact: true }).first().waitFor({ timeout: 60_000 });

      await page.getByRole('button', { name: 'Settings' }).click();
      const group = page.getByRole('region', { name: 'Set by your administrator' });
      for (const value of ['Only Office', proxy.place, caFile, 'Off', `Only inside ${roots[0]}`])
        await group.getByText(value, { exact: true }).waitFor();
      const network = page.getByRole('region', { name: 'Network' });
      await network.getByText('Set by your administrator').waitFor();
      await network.getByText(caFile).waitFor();
      expect(await network.getByRole('button').count()).toBe(0);
      expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([]);
      expect(await ask(window, 'network.forgetCaFile', null)).toMatchObject(refused('set-by-policy'));
      expect(await ask(window, 'network.pickCaFile', null)).toMatchObject(refused('set-by-policy'));
      expect(await ask(window, 'updates.set', { check: true, channel: 'beta' })).toMatchObject(
        refused('set-by-policy'),
      );
      const rule = aWatchRule({ folder: source, accountId: baseUrl });
      expect(await ask(window, 'watch.save', { rule, takeExisting: true })).toMatchObject(
        refused('watch-folder-outside'),
      );
      expect(window.complaints).toEqual([]);

      await window.close();
      // The settings file contains no values of the policy.
      const settings: unknown = JSON.parse(await readFile(join(journey.userData, 'settings.json'), 'utf8'));
      expect(settings).toMatchObject({ services: [], network: { caFile: null }, watchRules: [] });
      expect(journey.service.control.requests()).toEqual([]);
    } finally {
      await office.end();
      await proxy.close();
    }
  });
});
