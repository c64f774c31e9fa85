import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WatchRule } from '../../main/watch/rule.ts';
import { aWatchRule } from '../../test/a-watch-rule.ts';
import { eventually } from '../../test/e2e/support/eventually.ts';
import type { Journey } from '../../test/e2e/support/journey.ts';
import { agreeToTypedFolders } from '../../test/e2e/support/keyboard-journey.ts';
import type { TileliftWindow } from '../../test/e2e/support/tilelift-window.ts';

const megabyte = 1_000_000;

/**
 * Four watched folders: one with a source in every state, one that is quiet, one that waits for its trigger file, one whose drive is away. Leaves the screen open, with the
 * first one's sources shown. `surveys`: where they lie. Returns a function that stops the writing.
 */
export async function watchFolders(
  journey: Journey,
  window: TileliftWindow,
  surveys: string,
): Promise<() => void> {
  const { control } = journey.service;
  const at = (name: string) => join(surveys, name);
  const landings = at('uav');
  for (const folder of [landings, at('laz'), at('ortho'), at('stick')]) await mkdir(folder);
  const account = await window.page.evaluate<{ value: { id: string } }>(
    `tilelift.call('account.state', null)`,
  );
  await agreeToTypedFolders(window);
  const save = (change: Partial<WatchRule> & Pick<WatchRule, 'folder'>) =>
    window.page.evaluate(
      `tilelift.call('watch.save', ${JSON.stringify({ rule: aWatchRule({ accountId: account.value.id, whenTooLong: 'upload', ...change }), takeExisting: true })})`,
    );
  await save({
    id: 'uav',
    name: 'Drone landings',
    folder: landings,
    afterSuccess: { kind: 'move', folder: 'done' },
  });
  await save({
    id: 'laz',
    name: 'Scanner export',
    folder: at('laz'),
    unit: { kind: 'files', patterns: ['*.laz'] },
    sourceType: 'POINT_CLOUD',
  });
  await save({
    id: 'ortho',
    name: 'Orthophotos from FME',
    folder: at('ortho'),
    unit: { kind: 'trigger', file: '_ready' },
    assetType: 'IMAGERY',
    sourceType: 'RASTER_IMAGERY',
    namePattern: '{name} {date}',
  });
  await save({
    id: 'stick',
    name: 'USB handover',
    folder: at('stick'),
    assetType: 'TERRAIN',
    sourceType: 'RASTER_TERRAIN',
  });
  await rename(at('stick'), at('stick-away'));

  const land = async (name: string, files: number, bytesEach: number) => {
    await mkdir(join(landings, name));
    for (let file = 1; file <= files; file++)
      await writeFile(
        join(landings, name, `DJI_${String(file).padStart(4, '0')}.tif`),
        Buffer.alloc(bytesEach, 7),
      );
  };
  const has = (name: string, status: string) =>
    eventually(() => {
      if (!control.assets().some((asset) => asset.name === name && asset.status === status))
        throw new Error(`${name} is not ${status} yet`);
    }, 120_000);
  control.setTiling({ end: 'DATA_ERROR', error: '2 images have no position' });
  await land('2026-11-18_Test', 12, megabyte / 2);
  await has('2026-11-18_Test', 'DATA_ERROR');
  control.setTiling({ end: 'COMPLETE' });
  await land('2026-11-19_Kai_3', 64, megabyte / 4);
  await has('2026-11-19_Kai_3', 'COMPLETE');
  control.addFault({
    match: { room: 'storage', times: 100_000 },
    action: { kind: 'throttle', bytesPerSecond: 2 * megabyte },
  });
  await land('2026-11-20_Hafen_Sued', 40, 8 * megabyte);
  await has('2026-11-20_Hafen_Sued', 'AWAITING_FILES');
  await land('2026-11-20_Deponie_West', 31, megabyte / 2);
  const growing = setInterval(() => {
    void appendFile(join(landings, '2026-11-20_Deponie_West', 'DJI_0032.tif'), Buffer.alloc(megabyte / 2, 7));
  }, 500);
  await window.page.getByRole('button', { name: /^Watched folders/ }).click();
  await window.page.getByRole('button', { name: 'Drone landings', exact: true }).click();
  await window.page.getByText('Drive not connected').waitFor();
  await window.page.getByText('2026-11-20_Deponie_West').waitFor({ timeout: 60_000 });
  await window.page.getByText(/^Uploading · [3-9]\d\s%/).waitFor({ timeout: 60_000 });
  return () => clearInterval(growing);
}
