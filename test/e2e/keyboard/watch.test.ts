import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { jpeg } from '../../deliveries/data.ts';
import { eventually } from '../support/eventually.ts';
import { beginJourney, type Journey } from '../support/journey.ts';
import { answerPicker, signInByKeys } from '../support/keyboard-journey.ts';

let journey: Journey;
let incoming: string;
beforeEach(async () => {
  journey = await beginJourney();
  incoming = join(journey.folder, 'incoming');
  await mkdir(join(incoming, 'Kai_3'), { recursive: true });
  await writeFile(join(incoming, 'Kai_3', 'DJI_0001.jpg'), jpeg('photo'));
});
afterEach(() => journey.end());

it('creates a rule after a dry run, opens its sources and activity, pauses, edits and removes it by keyboard', async () => {
  const { window, keys } = await signInByKeys(journey);
  const { page } = window;
  await answerPicker(window, incoming);

  await keys.shortcut('O', 'shift');
  await keys.arriveAt('Folder', 'textbox');
  await keys.tabTo('Choose the folder');
  await keys.press('Enter');
  await page.getByRole('heading', { name: /^This source would/ }).waitFor();
  await keys.arriveAt('Choose the folder');
  await keys.tabTo('Each folder or file that arrives', 'radio');
  await keys.arrowTo('Each file of a certain kind');
  await keys.tabTo(/^Patterns/);
  await keys.tabBackTo('Each file of a certain kind');
  await keys.arrowTo('Each folder or file that arrives', 'ArrowUp');
  await keys.tabTo(/^Kind of data/);
  await keys.choose(/^Photogrammetry/);
  await keys.arriveAt('Kind of data Photogrammetry');
  await keys.tabTo('Name', 'button');
  await keys.press('Enter');
  await keys.tabTo('Insert {date}: the day it was picked up');
  await keys.press('Enter');
  await keys.arriveAt('Asset name', 'textbox');
  await keys.tabTo('Afterwards', 'button');
  await keys.press('Enter');
  await keys.tabTo('Leave in place', 'radio');
  await keys.arrowTo('Move to a folder', 'ArrowRight');
  await keys.tabTo('Safety', 'button');
  await keys.press('Enter');
  await keys.tabTo('Ask me', 'radio');
  await keys.arrowTo('Leave it', 'ArrowRight');
  await keys.tabTo('Sources that would become assets');
  await keys.tabTo('Only new data', 'radio');
  await keys.tabTo('Watch for new data');
  await keys.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const card = page.getByTestId('watched-folder');
  await card.getByText('Watching', { exact: true }).waitFor();

  await keys.tabTo('incoming', 'button');
  await keys.press('Enter');
  await page.getByRole('region', { name: 'Sources of incoming' }).waitFor();
  await keys.tabTo('Watch: incoming', 'switch');
  await keys.press('Space');
  await card.getByText('Paused', { exact: true }).waitFor();
  await keys.arriveAt('Watch: incoming', 'switch');
  await keys.press('Space');
  await card.getByText('Watching', { exact: true }).waitFor();

  await keys.tabTo('More actions: incoming');
  await keys.choose('Activity…');
  await keys.arriveAt('Activity of incoming');
  await page.getByText('The rule was created.').waitFor();
  await keys.tabTo('Close', 'button');
  await keys.press('Enter');
  await keys.arriveAt('More actions: incoming');

  await keys.tabBackTo('Edit: incoming');
  await keys.press('Enter');
  await page.getByRole('dialog', { name: 'incoming' }).waitFor();
  await keys.tabTo('Name', 'button');
  await keys.press('Enter');
  await keys.tabTo('Rule name', 'textbox');
  await keys.overwrite('From the quay');
  await keys.press('Enter');
  await keys.arriveAt('Edit: From the quay');

  await keys.tabTo('More actions: From the quay');
  await keys.choose('Remove…');
  await keys.arriveAt('Keep watching');
  await keys.press('Enter');
  await keys.arriveAt('More actions: From the quay');
  await keys.choose('Remove…');
  await keys.arriveAt('Keep watching');
  await keys.tabTo('Remove');
  await keys.press('Enter');
  await card.waitFor({ state: 'detached' });
  await keys.arriveAt('Watch a folder…', 'button');
  expect(window.complaints).toEqual([]);
});

it('uploads an existing source with the rule’s options and reaches its actions by Tab', async () => {
  const { window, keys } = await signInByKeys(journey);
  const { page } = window;
  await answerPicker(window, incoming);
  await keys.shortcut('2');
  await keys.tabTo('Watch a folder…', 'button');
  await keys.press('Enter');
  await keys.arriveAt('Folder', 'textbox');
  await keys.tabTo('Choose the folder');
  await keys.press('Enter');
  await page.getByRole('heading', { name: /^This source would/ }).waitFor();
  await keys.tabTo(/^Kind of data/);
  await keys.choose(/^Photogrammetry/);
  await keys.tabTo('Tiling options', 'button');
  await keys.press('Enter');
  await keys.tabTo(/^Textures/);
  await keys.choose('WebP, smaller');
  await keys.tabTo(/^Further options/);
  await keys.press('Enter');
  await keys.tabTo(/^Further options/, 'textbox');
  await keys.type('{ "tilingScheme": "quadtree" }');
  await keys.tabTo('Only new data', 'radio');
  await keys.arrowTo('Upload it');
  await keys.press('ControlOrMeta+Enter');
  await keys.arriveAt('Watch a folder…', 'button');

  await keys.tabTo('incoming', 'button');
  await keys.press('Space');
  await keys.tabTo('Upload now: Kai_3');
  await keys.press('Enter');
  await page.locator('[data-testid=watch-source][data-state=complete]').waitFor({ timeout: 60_000 });
  const id = String(journey.service.control.assets()[0]?.id);
  expect(journey.service.control.optionsOf(Number(id))).toEqual({
    sourceType: '3D_CAPTURE',
    textureFormat: 'WEBP',
    tilingScheme: 'quadtree',
  });
  await keys.tabTo(`Copy asset ID ${id}`);
  await keys.press('Enter');
  await eventually(async () =>
    expect(await window.app.evaluate(({ clipboard }) => clipboard.readText())).toBe(id),
  );
});
