import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeCertificate } from '../../tools/bench/certificate.ts';
import { startSocksServer } from '../integration/storage/socks-server.ts';
import type { ProxyProcess } from '../network/proxy-process.ts';
import { startTinyproxy } from '../network/tinyproxy.ts';
import { allowInBrowser } from '../service/person.ts';
import { beginJourney, dropAndUpload, type Journey, pressSignIn } from './support/journey.ts';

const login = { username: 'surveyor', password: 'theodolite' };

let journey: Journey;
let proxy: ProxyProcess;
beforeEach(async () => {
  journey = await beginJourney();
  proxy = await startTinyproxy({ folder: journey.folder, address: '127.0.0.1', login });
});
afterEach(async () => {
  await proxy.close();
  await journey.end();
});

it('asks for the proxy’s password in the window, once, and completes the main job through the proxy', async () => {
  const source = join(journey.folder, 'Town');
  await mkdir(source);
  await writeFile(join(source, 'town.gml'), randomBytes(300_000));
  const window = await journey.launch({
    // Chromium goes to loopback without a proxy unless it is told otherwise.
    args: [`--proxy-server=${proxy.place}`, '--proxy-bypass-list=<-loopback>'],
  });
  await pressSignIn(window);

  const dialog = window.page.getByRole('dialog', { name: 'Proxy sign-in required' });
  await dialog.waitFor();
  // Nothing has got past the proxy.
  expect(journey.service.control.requests()).toEqual([]);
  expect((await new AxeBuilder({ page: window.page }).setLegacyMode().analyze()).violations).toEqual([]);
  await dialog.getByLabel('User name').fill(login.username);
  await dialog.getByLabel('Password').fill(login.password);
  await window.page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });

  await window.openAddress(await allowInBrowser(await journey.browser.opened(1)));
  await window.page.getByRole('heading', { name: 'Uploads' }).waitFor();
  await dropAndUpload(window, source);
  await window.page.getByText('Complete', { exact: true }).first().waitFor({ timeout: 60_000 });
  expect(await readFile(join(journey.userData, 'vault.json'), 'utf8')).not.toContain(login.password);
});

it('completes the main job through SOCKS after skipping a dead proxy', async () => {
  const socks = await startSocksServer();
  try {
    const source = join(journey.folder, 'Village');
    await mkdir(source);
    await writeFile(join(source, 'village.gml'), randomBytes(300_000));
    await proxy.close();
    const window = await journey.launch({
      args: [`--proxy-server=${proxy.place},socks5://${socks.place}`, '--proxy-bypass-list=<-loopback>'],
    });
    await pressSignIn(window);
    await window.openAddress(await allowInBrowser(await journey.browser.opened(1)));
    await window.page.getByRole('heading', { name: 'Uploads' }).waitFor();
    await dropAndUpload(window, source);
    await window.page.getByText('Complete', { exact: true }).first().waitFor({ timeout: 60_000 });
    const { baseUrl, storageUrl } = journey.service;
    expect(socks.asked).toEqual(expect.arrayContaining([new URL(baseUrl).host, new URL(storageUrl).host]));
  } finally {
    await socks.close();
  }
});

it('trusts a certificate file that the user adds, and rejects the server before', async () => {
  const made = await makeCertificate(journey.folder);
  const certificate = {
    cert: await readFile(made.certFile, 'utf8'),
    key: await readFile(made.keyFile, 'utf8'),
  };
  const office = await beginJourney({ certificate });
  try {
    const window = await office.launch();
    await pressSignIn(window);
    await window.page
      .getByText(/certificate/)
      .first()
      .waitFor();
    expect(office.service.control.requests()).toEqual([]);
    await window.close();

    await writeFile(
      join(office.userData, 'settings.json'),
      JSON.stringify({ network: { caFile: made.caFile } }),
    );
    const again = await office.launch();
    await pressSignIn(again);
    await again.page.getByRole('heading', { name: 'Complete the sign-in in your browser' }).waitFor();
  } finally {
    await office.end();
  }
});
