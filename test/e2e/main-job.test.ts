import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { jpeg } from '../deliveries/data.ts';
import { countClicks } from './support/count-clicks.ts';
import { beginJourney, dropAndUpload, type Journey, signIn } from './support/journey.ts';
import { filesHolding } from './support/search-secrets.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(async () => {
  await journey.end();
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

it('completes a dropped folder after sign-in in three clicks and a drag, with identical bytes in storage', async () => {
  const source = join(journey.folder, 'LoD2_Altstadt');
  const files: Readonly<Record<string, Buffer>> = {
    'altstadt_1.gml': Buffer.from('<CityModel/>'),
    'altstadt_2.gml': Buffer.from(`<CityModel>${randomBytes(4.5 * 1024 * 1024).toString('hex')}</CityModel>`),
    'appearance/dächer #1+2.jpg': jpeg(randomBytes(30_000).toString('hex')),
    'Thumbs.db': Buffer.from('ignored'),
  };
  await mkdir(join(source, 'appearance'), { recursive: true });
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(source, name), bytes);

  const window = await journey.launch();
  const clicks = await countClicks(window.page);
  await signIn(journey, window);
  await window.drop(source);
  const sheet = window.page.getByRole('dialog');
  await sheet.getByText('Detected: CityGML').waitFor();
  expect(await sheet.getByLabel('Name').inputValue()).toBe('LoD2 Altstadt');
  await sheet.getByRole('button', { name: 'Upload' }).click();
  await window.page.getByText('Complete', { exact: true }).first().waitFor({ timeout: 60_000 });

  // One of them chooses the service of this test; a known one is chosen already.
  expect(await clicks()).toBe(3);
  const [asset] = journey.service.control.assets();
  expect(asset).toMatchObject({ name: 'LoD2 Altstadt', type: '3DTILES', status: 'COMPLETE' });
  const stored = await journey.service.control.objects();
  const expected = Object.entries(files)
    .filter(([name]) => name !== 'Thumbs.db')
    .map(([name, bytes]) => ({
      key: `sources/${asset?.id}/${name.normalize('NFC')}`,
      sha256: sha256(bytes),
    }));
  expect(stored.map(({ key, sha256: hash }) => ({ key, sha256: hash }))).toEqual(
    expected.sort((a, b) => (a.key < b.key ? -1 : 1)),
  );
  expect(window.complaints).toEqual([]);
});

it('keeps the sign-in after a restart and stores no token, key, code or verifier in plain text', async () => {
  const source = join(journey.folder, 'Town');
  await mkdir(source);
  await writeFile(join(source, 'town.gml'), '<CityModel/>');
  const first = await journey.launch();
  await signIn(journey, first);
  await dropAndUpload(first, source);
  await first.page.getByText('Complete', { exact: true }).first().waitFor({ timeout: 60_000 });
  const secrets = journey.service.control.issuedSecrets();
  // Code, verifier, access token, refresh token, secret key, session token.
  expect(secrets).toHaveLength(6);
  expect(await filesHolding(journey.userData, secrets)).toEqual([]);
  await first.close();
  expect(await filesHolding(journey.userData, secrets)).toEqual([]);

  const second = await journey.launch();
  await second.page.getByRole('heading', { name: 'Uploads' }).waitFor();
  await second.page.getByText('Complete', { exact: true }).first().waitFor();
  expect(journey.service.control.assets()).toHaveLength(1);
});
