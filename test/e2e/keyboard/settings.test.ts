import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { beginJourney, type Journey } from '../support/journey.ts';
import { answerPicker, signInByKeys } from '../support/keyboard-journey.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

const readSettings = async () => JSON.parse(await readFile(join(journey.userData, 'settings.json'), 'utf8'));
const willKeep = (settings: object) =>
  eventually(async () => expect(await readSettings()).toMatchObject(settings));

it('changes a setting in every group by keyboard', async () => {
  const { window, keys } = await signInByKeys(journey);
  const { page } = window;
  await keys.shortcut('4');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();

  await keys.tabTo('System', 'radio');
  await keys.arrowTo('Dark', 'ArrowRight');
  await willKeep({ appearance: 'dark' });

  await keys.tabTo('Limit the bandwidth', 'switch');
  await keys.press('Space');
  await keys.tabBackTo('Limit in megabytes per second');
  await keys.overwrite('2.5');
  await keys.tabTo('Add times', 'button');
  await willKeep({ bandwidth: { limit: 2_500_000 } });
  await keys.press('Enter');
  await keys.arriveAt('Monday', 'button');
  await keys.press('Space');
  await keys.tabTo('From, row 1');
  await keys.overwrite('07:30');
  await keys.tabTo('Remove row 1');
  await willKeep({ bandwidth: { timetable: [{ from: '07:30' }] } });
  await keys.press('Enter');
  await willKeep({ bandwidth: { timetable: [] } });
  // The focused element has disappeared.
  await keys.arriveAt('Add times', 'button');

  await keys.tabTo('Notifications', 'switch');
  await keys.press('Space');
  await willKeep({ background: { notify: false } });

  const certificate = join(journey.folder, 'office.pem');
  await writeFile(certificate, await readFile(new URL('./settings.test.ts', import.meta.url)));
  await answerPicker(window, certificate);
  await keys.tabTo('Certificate file…', 'button');
  await keys.press('Enter');
  await page.getByText('office.pem').first().waitFor();
  await keys.tabTo('Dismiss', 'button');
  await keys.press('Enter');

  await keys.tabTo('Copy diagnostics', 'button');
  await keys.press('Enter');
  await page.getByText('Diagnostics copied.').waitFor();
  await keys.arriveAt('Copy diagnostics');

  await keys.tabTo('Add account…', 'button');
  await keys.press('Enter');
  await page.getByRole('heading', { name: 'Add an account' }).waitFor();
  await keys.tabTo('Back', 'button');
  await keys.press('Enter');
  await page.getByRole('heading', { level: 1 }).waitFor();

  await keys.shortcut('4');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await keys.tabTo('Sign out', 'button');
  await keys.press('Enter');
  await page.getByRole('heading', { name: 'From a folder to a tiled asset' }).waitFor();
  expect(window.complaints).toEqual([]);
});

it('switches the language at once and keeps the screen and focus', async () => {
  const { window, keys } = await signInByKeys(journey);
  await keys.shortcut('4');
  await keys.tabTo(/^Language/);
  await keys.choose('Deutsch');
  await window.page.getByRole('heading', { level: 3, name: 'Sprache' }).waitFor();
  await willKeep({ language: 'de' });
});
