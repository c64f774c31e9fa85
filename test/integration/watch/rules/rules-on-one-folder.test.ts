import { existsSync } from 'node:fs';
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { scanRule } from '../../../../main/watch/scan/scan-rule.ts';
import { jpeg } from '../../../deliveries/data.ts';
import { saidLines } from '../../../said.ts';
import { openWatchFixture, ruleOn, type WatchFixture } from '../fixture.ts';

let fixture: WatchFixture;
beforeEach(async () => {
  fixture = await openWatchFixture();
});
afterEach(() => fixture.close());

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
      await fixture.rule({ ...rasters, shared: true }),
      await fixture.rule({ ...clouds, shared: true }),
    ];
    await fixture.write({ 'a.tif': 5_000, 'a.laz': 6_000, 'a.prj': 'of both' });
    await fixture.untilComplete(one, 'a.tif');
    await fixture.untilComplete(other, 'a.laz');
    expect(
      fixture
        .assets()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['3DTILES', 'IMAGERY']);
    expect(fixture.watch.sources(one.id)).toHaveLength(1);
    expect(fixture.watch.sources(other.id)).toHaveLength(1);
    for (const place of ['leases', 'sources'])
      expect(await readdir(join(fixture.incoming, '.tilelift', place))).toHaveLength(2);
  });

  it('can’t be saved with overlapping patterns or with a rule for more than single files', async () => {
    await fixture.rule(rasters);
    const save = (change: Partial<WatchRule>) => fixture.watch.save(ruleOn(fixture.incoming, change), true);
    await expect(save(files('*.las', 'ortho_*'))).rejects.toMatchObject({
      code: 'watch-patterns-overlap',
      subject: { names: ['ortho_*', '*.tif'] },
    });
    await expect(save({})).rejects.toMatchObject({ code: 'watch-folder-nested' });
    await symlink(fixture.incoming, join(fixture.folder, 'link'));
    const byLink = ruleOn(join(fixture.folder, 'link'), clouds);
    await expect(fixture.watch.save(byLink, true)).rejects.toMatchObject({ code: 'watch-folder-nested' });
    const inside = { kind: 'move', folder: 'done' } as const;
    await expect(save({ ...clouds, afterSuccess: inside })).rejects.toMatchObject({
      code: 'watch-folder-nested',
    });
    await save(clouds);
    expect(fixture.watch.rules()).toHaveLength(2);
  });

  it('leave a file that both include to the earlier rule and log it', async () => {
    const models = await fixture.rule({ ...files('*.obj'), name: 'Models' });
    const pictures = await fixture.rule({ ...files('*.jpg'), name: 'Pictures' });
    await fixture.write({
      'fixture/h.obj': 'mtllib h.mtl\n',
      'fixture/h.mtl': 'map_Kd tex/wall.jpg\n',
      'fixture/tex/wall.jpg': jpeg(),
      'fixture/tex/other.jpg': 6_000,
    });
    await fixture.untilComplete(models, 'fixture/h.obj');
    await fixture.untilComplete(pictures, 'fixture/tex/other.jpg');
    expect(fixture.watch.sources(pictures.id).map(({ path }) => path)).toEqual(['fixture/tex/other.jpg']);
    const reported = saidLines(fixture.watch.activity(pictures.id)).filter(({ text }) =>
      text.includes('“Models”'),
    );
    expect(reported).toHaveLength(1);
    expect((await fixture.watch.dryRun(pictures)).sources.map(({ path }) => path)).toEqual([
      'fixture/tex/other.jpg',
    ]);
    // The rule alone would include both.
    expect((await scanRule(pictures)).sources).toHaveLength(2);
  });

  it('leave a sidecar in place that the other rule’s source needs too', async () => {
    const done = join(fixture.folder, 'done');
    const one = await fixture.rule({ ...rasters, afterSuccess: { kind: 'move', folder: done } });
    await fixture.rule({ ...clouds, on: false });
    await fixture.write({ 'a.tif': 5_000, 'a.laz': 6_000, 'a.prj': 'of both' });
    await fixture.untilSource(one, 'a.tif', ({ movedTo }) => movedTo === join(done, 'a.tif'));
    expect(existsSync(join(fixture.incoming, 'a.prj'))).toBe(true);
    expect(existsSync(join(done, 'a.tif'))).toBe(true);
  });
});
