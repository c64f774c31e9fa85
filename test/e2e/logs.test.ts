import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginJourney, dropAndUpload, type Journey, signIn } from './support/journey.ts';
import { filesHolding } from './support/search-secrets.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

describe('logs of the packaged app', () => {
  it('S145: opens the log’s folder from “Open logs”', async () => {
    const window = await journey.launch();
    await signIn(journey, window);
    await window.page.getByRole('button', { name: 'Settings' }).click();
    await window.page.getByRole('button', { name: 'Open logs' }).click();
    const folder = await journey.browser.opened(2);
    const log = join(folder.replace(/^file:\/\//, ''), 'tilelift.log');
    expect((await stat(log)).isFile()).toBe(true);
    expect(await readFile(log, 'utf8')).toContain('"scope":"desktop"');
  });

  it('S144: copies diagnostics without any issued secret, and no file contains one', async () => {
    const source = join(journey.folder, 'Town_of_Somebody');
    await mkdir(source);
    await writeFile(join(source, 'town.gml'), '<CityModel/>');
    const window = await journey.launch();
    await signIn(journey, window);
    // A refusal that carries a secret: its first words are kept and shown.
    const leaked = journey.service.control.makeAccessToken(['assets:write']);
    const message = `Bearer ${leaked} access_token=${leaked} {"refresh_token":"${leaked}"}`;
    const body = JSON.stringify({ code: 'Teapot', message });
    journey.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets' },
      action: { kind: 'status', status: 418, body },
    });
    await dropAndUpload(window, source);
    await window.page.getByText('Failed').first().waitFor({ timeout: 60_000 });
    await dropAndUpload(window, source);
    await window.page.getByText('Complete', { exact: true }).first().waitFor({ timeout: 60_000 });

    await window.page.getByRole('button', { name: 'Settings' }).click();
    await window.page.getByRole('button', { name: 'Copy diagnostics' }).click();
    await window.page.getByText('Diagnostics copied.').waitFor();
    const text = await window.app.evaluate(({ clipboard }) => clipboard.readText());

    for (const line of [
      'Electron: ',
      'Node: ',
      'Keychain: ',
      '"state":"signed-in"',
      '"status":"complete"',
      '"status":"failed"',
      '418',
    ])
      expect(text).toContain(line);
    expect(text).not.toContain('Town_of_Somebody"');
    const secrets = [...journey.service.control.issuedSecrets(), leaked];
    expect(secrets.length).toBeGreaterThanOrEqual(7);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    await window.close();
    expect(await filesHolding(journey.userData, secrets)).toEqual([]);
  });
});
