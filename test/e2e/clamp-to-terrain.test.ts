import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { beginJourney, type Journey, signIn } from './support/journey.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

it('completes clamped buildings that were started before their terrain was tiled, after a kill', async () => {
  const { control } = journey.service;
  const terrain = control.seedAsset({
    name: 'DGM1 2026',
    type: 'TERRAIN',
    status: 'IN_PROGRESS',
    percentComplete: 62,
  });
  const source = join(journey.folder, 'LoD2_Altstadt');
  await mkdir(source);
  await writeFile(join(source, 'altstadt.gml'), '<CityModel/>');
  const creations = () =>
    control.requests().filter(({ method, path }) => method === 'POST' && path === '/v1/assets').length;
  const looks = () => control.requests().filter(({ path }) => path === `/v1/assets/${terrain}`).length;

  const first = await journey.launch();
  await signIn(journey, first);
  await first.drop(source);
  const sheet = first.page.getByRole('dialog');
  await sheet.getByText('Looks like CityGML').waitFor();
  await sheet.getByRole('switch', { name: 'Clamp to terrain' }).click();
  await sheet.getByLabel(/^Base terrain/).click();
  await first.page.getByRole('option', { name: /DGM1 2026.*62/ }).click();
  await sheet.getByText('The upload starts when this terrain is complete').waitFor();
  await sheet.getByRole('button', { name: 'Upload' }).click();
  await first.page.getByText('Waiting for terrain').first().waitFor();
  first.kill();
  expect(creations()).toBe(0);

  const before = looks();
  const second = await journey.launch();
  await second.page.getByText('Waiting for terrain').first().waitFor();
  await second.page
    .getByText(/The base terrain .DGM1 2026. is being tiled: 62/)
    .first()
    .waitFor();
  await eventually(() => expect(looks()).toBeGreaterThan(before));
  expect(creations()).toBe(0);

  control.changeAsset({ id: terrain, status: 'COMPLETE', percentComplete: 100 });
  await second.page.locator('[data-testid=job][data-status=complete]').waitFor({ timeout: 60_000 });
  const made = control.assets().filter(({ id }) => id !== terrain);
  expect(made).toMatchObject([{ name: 'LoD2 Altstadt', type: '3DTILES', status: 'COMPLETE' }]);
  expect(control.optionsOf(Number(made[0]?.id))).toMatchObject({
    clampToTerrain: true,
    baseTerrainId: terrain,
  });
  expect(second.complaints).toEqual([]);
});
