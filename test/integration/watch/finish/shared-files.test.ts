import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { jpeg } from '../../../deliveries/data.ts';
import { openWatchHouse } from '../house.ts';

it('keeps a picture that two models reference until both are finished', async () => {
  const house = await openWatchHouse();
  try {
    const rule = await house.rule({
      assetType: '3DTILES',
      sourceType: '3D_MODEL',
      afterSuccess: { kind: 'move', folder: 'done' },
    });
    const model = (name: string) => ({
      [`${name}.obj`]: `mtllib ${name}.mtl\nv 0 0 0\n`,
      [`${name}.mtl`]: 'newmtl a\nmap_Kd wall.jpg\n',
    });
    await house.write({ ...model('a'), ...model('b'), 'wall.jpg': jpeg() });
    for (const name of ['a.obj', 'b.obj'])
      await house.untilSource(rule, name, ({ movedTo }) => movedTo !== undefined);
    expect([...house.statuses()].sort()).toEqual(['a COMPLETE', 'b COMPLETE']);
    expect((await readdir(join(house.incoming, 'done'))).sort()).toEqual([
      'a.mtl',
      'a.obj',
      'b.mtl',
      'b.obj',
      'wall.jpg',
    ]);
  } finally {
    await house.close();
  }
});
