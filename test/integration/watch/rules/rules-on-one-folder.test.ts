import { existsSync } from 'node:fs';
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { scanRule } from '../../../../main/watch/scan/scan-rule.ts';
import { jpeg } from '../../../deliveries/data.ts';
import { saidLines } from '../../../said.ts';
import { openWatchHouse, ruleOn, type WatchHouse } from '../house.ts';

let house: WatchHouse;
beforeEach(async () => {
  house = await openWatchHouse();
});
afterEach(() => house.close());

const files = (...patterns: readonly string[]): Partial<WatchRule> => ({ unit: { kind: 'files', patterns } });
const rasters = {
  ...files('*.tif'),
  name: 'Rasters',
  assetType: 'IMAGERY',
  sourceType: 'RASTER_IMAGERY',
} as const;
const clouds = { ...files('*.las', '*.laz'), name: 'Clouds', sourceType: 'POINT_CLOUD' } as const;

describe('several rules on one folder', () => {
  it('upload only their own sources, even in a folder shared with other computers', async () => {
    const [one, other] = [
      await house.rule({ ...rasters, shared: true }),
      await house.rule({ ...clouds, shared: true }),
    ];
    await house.write({ 'a.tif': 5_000, 'a.laz': 6_000, 'a.prj': 'of both' });
    await house.untilComplete(one, 'a.tif');
    await house.untilComplete(other, 'a.laz');
    expect(
      house
        .assets()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['3DTILES', 'IMAGERY']);
    expect(house.watch.sources(one.id)).toHaveLength(1);
    expect(house.watch.sources(other.id)).toHaveLength(1);
    for (const place of ['leases', 'sources'])
      expect(await readdir(join(house.incoming, '.tilelift', place))).toHaveLength(2);
  });

  it('can’t be saved with overlapping patterns or with a rule for more than single files', async () => {
    await house.rule(rasters);
    const save = (change: Partial<WatchRule>) => house.watch.save(ruleOn(house.incoming, change), true);
    await expect(save(files('*.las', 'ortho_*'))).rejects.toMatchObject({
      code: 'watch-patterns-overlap',
      subject: { names: ['ortho_*', '*.tif'] },
    });
    await expect(save({})).rejects.toMatchObject({ code: 'watch-folder-nested' });
    await symlink(house.incoming, join(house.folder, 'link'));
    const byLink = ruleOn(join(house.folder, 'link'), clouds);
    await expect(house.watch.save(byLink, true)).rejects.toMatchObject({ code: 'watch-folder-nested' });
    const inside = { kind: 'move', folder: 'done' } as const;
    await expect(save({ ...clouds, afterSuccess: inside })).rejects.toMatchObject({
      code: 'watch-folder-nested',
    });
    await save(clouds);
    expect(house.watch.rules()).toHaveLength(2);
  });

  it('leave a file that both include to the earlier rule and log it', async () => {
    const models = await house.rule({ ...files('*.obj'), name: 'Models' });
    const pictures = await house.rule({ ...files('*.jpg'), name: 'Pictures' });
    await house.write({
      'house/h.obj': 'mtllib h.mtl\n',
      'house/h.mtl': 'map_Kd tex/wall.jpg\n',
      'house/tex/wall.jpg': jpeg(),
      'house/tex/other.jpg': 6_000,
    });
    await house.untilComplete(models, 'house/h.obj');
    await house.untilComplete(pictures, 'house/tex/other.jpg');
    expect(house.watch.sources(pictures.id).map(({ path }) => path)).toEqual(['house/tex/other.jpg']);
    const told = saidLines(house.watch.activity(pictures.id)).filter(({ text }) => text.includes('“Models”'));
    expect(told).toHaveLength(1);
    expect((await house.watch.dryRun(pictures)).sources.map(({ path }) => path)).toEqual([
      'house/tex/other.jpg',
    ]);
    // The rule alone would include both.
    expect((await scanRule(pictures)).sources).toHaveLength(2);
  });

  it('leave a sidecar in place that the other rule’s source needs too', async () => {
    const done = join(house.folder, 'done');
    const one = await house.rule({ ...rasters, afterSuccess: { kind: 'move', folder: done } });
    await house.rule({ ...clouds, on: false });
    await house.write({ 'a.tif': 5_000, 'a.laz': 6_000, 'a.prj': 'of both' });
    await house.untilSource(one, 'a.tif', ({ movedTo }) => movedTo === join(done, 'a.tif'));
    expect(existsSync(join(house.incoming, 'a.prj'))).toBe(true);
    expect(existsSync(join(done, 'a.tif'))).toBe(true);
  });
});
