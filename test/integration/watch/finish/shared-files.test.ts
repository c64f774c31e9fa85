import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { jpeg } from '../../../deliveries/data.ts';
import { openWatchFixture } from '../fixture.ts';

it('keeps a picture that two models reference until both are finished', async () => {
  const fixture = await openWatchFixture();
  try {
    const rule = await fixture.rule({
      assetType: '3DTILES',
      sourceType: '3D_MODEL',
      afterSuccess: { kind: 'move', folder: 'done' },
    });
    const model = (name: string) => ({
      [`${name}.obj`]: `mtllib ${name}.mtl\nv 0 0 0\n`,
      [`${name}.mtl`]: 'newmtl a\nmap_Kd wall.jpg\n',
    });
    await fixture.write({ ...model('a'), ...model('b'), 'wall.jpg': jpeg() });
    for (const name of ['a.obj', 'b.obj'])
      await fixture.untilSource(rule, name, ({ movedTo }) => movedTo !== undefined);
    expect([...fixture.statuses()].sort()).toEqual(['a COMPLETE', 'b COMPLETE']);
    expect((await readdir(join(fixture.incoming, 'done'))).sort()).toEqual([
      'a.mtl',
      'a.obj',
      'b.mtl',
      'b.obj',
      'wall.jpg',
    ]);
  } finally {
    await fixture.close();
  }
});
