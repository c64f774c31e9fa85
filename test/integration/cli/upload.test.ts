import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { holdStorage, jsonLines, signedInHouse, smallCity } from './run-cli.ts';

describe('tilelift upload', () => {
  it('C35: creates an asset and prints only the result on standard output', async () => {
    const house = await signedInHouse();
    const city = await smallCity(house.folder);

    const { code, stdout, stderr } = await house.run(['upload', city]);

    expect({ code, stderr }).toMatchObject({ code: 0 });
    const [asset] = house.service.control.assets();
    expect(stdout).toBe(`city: asset ${asset?.id} is complete.\n`);
    expect(stderr).toContain('city: 1 file');
    expect(asset).toMatchObject({ name: 'city', type: '3DTILES', status: 'COMPLETE' });
  });

  it('C32: resumes the same job after a kill, byte for byte and without duplicates', async () => {
    const house = await signedInHouse();
    const city = await smallCity(house.folder, 'city.gml', 40 * 1024 * 1024);
    // Two of five parts arrive, then storage hangs.
    holdStorage(house, 2);

    const firstCommand = house.start(['upload', city, '--json']);
    await firstCommand.says(/"bytesDone":[1-9]/);
    firstCommand.child.kill('SIGKILL');
    await firstCommand.ended;
    house.service.control.clearFaults();
    const { code, stdout } = await house.run(['upload', city, '--json']);

    expect(code).toBe(0);
    const lines = jsonLines(stdout);
    expect(lines).toContainEqual(expect.objectContaining({ event: 'upload', continued: true }));
    const assets = house.service.control.assets();
    expect(assets).toHaveLength(1);
    const objects = await house.service.control.objects(`sources/${assets[0]?.id}/`);
    const sha256 = createHash('sha256')
      .update(await readFile(city))
      .digest('hex');
    expect(objects).toEqual([expect.objectContaining({ sha256 })]);
  });

  it('C36: creates no second asset of an uploaded source', async () => {
    const house = await signedInHouse();
    const city = await smallCity(house.folder);
    await house.run(['upload', city]);

    const { code, stdout } = await house.run(['upload', city]);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^city: asset \d+ is complete\.\n$/);
    expect(house.service.control.assets()).toHaveLength(1);
  });
});
