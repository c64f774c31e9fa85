import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { tiffFile } from '../../unit/inspect/formats/sample-heads.ts';
import { type CliHouse, lastLine, signedInHouse } from './run-cli.ts';

const slowOpens = `--import ${pathToFileURL(join(import.meta.dirname, 'slow-opens.ts')).href}`;
const heights = tiffFile({ size: [2, 2], bits: 32, sampleFormat: 3 });

/** Signs in and writes a terrain file; `run` opens `.tif` files slowly. */
async function slowDrive(content: Buffer = heights) {
  const house = await signedInHouse();
  const dem = join(house.folder, 'dem.tif');
  await writeFile(dem, content);
  const run = (...args: readonly string[]) =>
    house.run(['upload', dem, '--json', ...args], { NODE_OPTIONS: slowOpens });
  return { run, house };
}
const kindsOf = (house: CliHouse) => house.service.control.assets().map(({ type }) => type);

it('tilelift upload of a raster detects the kind of data on a slow drive, and creates one asset for identical calls', {
  timeout: 300_000,
}, async () => {
  const { run, house } = await slowDrive();
  for (let call = 0; call < 2; call++) expect((await run('--name', 'same')).code).toBe(0);
  expect(kindsOf(house)).toEqual(['TERRAIN']);
});

it('tilelift upload of a raster refuses a raster with an unreadable header, and names the file and a remedy', {
  timeout: 120_000,
}, async () => {
  const { run, house } = await slowDrive(Buffer.from('II*\0'));
  const { code, stderr, stdout } = await run();
  expect({ code, assets: kindsOf(house) }).toEqual({ code: 2, assets: [] });
  expect(stderr).toContain('dem.tif');
  expect(stderr).toContain('--source-type');
  expect(lastLine(stdout)).toMatchObject({ exitCode: 2, error: { code: 'usage' } });

  expect((await run('--source-type', 'RASTER_TERRAIN')).code).toBe(0);
  expect(kindsOf(house)).toEqual(['TERRAIN']);
});
