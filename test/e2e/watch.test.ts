import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { anyFile } from '../deliveries/data.ts';
import { eventually } from './support/eventually.ts';
import { beginJourney, type Journey, signIn } from './support/journey.ts';
import { agreeToTypedFolders } from './support/keyboard-journey.ts';
import type { TileliftProgram, TileliftWindow } from './support/tilelift-window.ts';

const megabyte = 1_000_000;

let journey: Journey;
let incoming: string;
beforeEach(async () => {
  journey = await beginJourney();
  incoming = join(journey.folder, 'incoming');
  await mkdir(incoming);
});
afterEach(() => journey.end());

const assets = () => journey.service.control.assets();
const windows = ({ app }: TileliftProgram) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

/** As a person makes it: a folder, and what comes out of it is to be put aside. */
async function makeRule(window: TileliftWindow): Promise<void> {
  const { page } = window;
  await agreeToTypedFolders(window);
  await page.getByRole('button', { name: 'Watched folders' }).click();
  await page
    .getByRole('button', { name: /^Watch a folder/ })
    .first()
    .click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('textbox', { name: 'Folder', exact: true }).fill(incoming);
  await sheet.getByLabel('Kind of data').click();
  await page.getByRole('option', { name: 'Photogrammetry' }).click();
  await sheet.getByRole('button', { name: 'Afterwards' }).click();
  const ends = sheet.getByRole('radiogroup', { name: 'When its asset is complete' });
  await ends.getByRole('radio', { name: 'Move to a folder' }).click();
  expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([]);
  await sheet.getByRole('button', { name: /^Watch/ }).click();
  await sheet.waitFor({ state: 'detached' });
  await page.getByText('Watching', { exact: true }).waitFor();
  expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([]);
}

/** A megabyte a second, as over a slow line. */
async function copyInSlowly(name: string, bytes: Buffer): Promise<void> {
  await mkdir(join(incoming, 'Kai_3'), { recursive: true });
  const file = await open(join(incoming, 'Kai_3', name), 'w');
  for (let at = 0; at < bytes.length; at += megabyte) {
    await file.write(bytes, at, Math.min(megabyte, bytes.length - at), at);
    await pause(1_000);
  }
  await file.close();
}

it('creates an asset of slowly copied files by a rule, with the window closed and after a kill', async () => {
  const window = await journey.launch();
  await signIn(journey, window);
  await makeRule(window);
  await window.app.evaluate(({ BrowserWindow }) => {
    for (const browserWindow of BrowserWindow.getAllWindows()) browserWindow.close();
  });
  await eventually(async () => expect(await windows(window)).toBe(0));

  // A slow storage, so that the kill interrupts the upload.
  const { control } = journey.service;
  control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1_000 },
    action: { kind: 'throttle', bytesPerSecond: megabyte },
  });
  const files = new Map([
    ['DJI_0001.tif', anyFile('a.tif', 12 * megabyte)],
    ['DJI_0002.tif', anyFile('a.tif', 2 * megabyte)],
  ]);
  for (const [name, bytes] of files) await copyInSlowly(name, bytes);
  expect(assets()).toEqual([]);
  await eventually(() => expect(assets()).toMatchObject([{ name: 'Kai_3' }]), 60_000);
  // Before that the journal may not know of the asset yet, which a kill would then leave behind.
  await eventually(
    () => expect(control.requests().some(({ room }) => room === 'storage')).toBe(true),
    30_000,
  );
  window.kill();
  control.clearFaults();

  const background = await journey.launchInBackground();
  await eventually(() => expect(assets()).toMatchObject([{ name: 'Kai_3', status: 'COMPLETE' }]), 60_000);
  await eventually(
    async () => expect(await readdir(join(incoming, 'done', 'Kai_3'))).toHaveLength(2),
    30_000,
  );
  expect(await readdir(incoming)).not.toContain('Kai_3');
  const stored = await control.objects(`sources/${String(assets()[0]?.id)}/`);
  expect(new Map(stored.map(({ key, sha256 }) => [key.split('/').at(-1), sha256]))).toEqual(
    new Map([...files].map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')])),
  );

  expect(await windows(background)).toBe(0);
  const opened = background.app.waitForEvent('window');
  await background.openAddress();
  const page = await opened;
  const exported = join(journey.folder, 'receipts.json');
  await background.app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, exported);
  await page.evaluate(`tilelift.call('watch.exportReceipts', { id: null, format: 'json' })`);
  const receipts = JSON.parse(await readFile(exported, 'utf8'));
  expect(receipts).toMatchObject([
    {
      source: 'Kai_3',
      outcome: 'complete',
      assetId: assets()[0]?.id,
      files: [
        { key: 'DJI_0001.tif', size: 12 * megabyte },
        {
          key: 'DJI_0002.tif',
          size: 2 * megabyte,
          etag: createHash('md5')
            .update(files.get('DJI_0002.tif') ?? '')
            .digest('hex'),
        },
      ],
    },
  ]);
});
