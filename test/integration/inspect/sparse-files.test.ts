import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isSparse } from '../../../main/files/sparse-file.ts';
import { scanSourceAt } from '../../../main/watch/scan/scan-rule.ts';
import { checkCompleteness } from '../../../main/watch/settle/completeness.ts';
import { aWatchRule } from '../../a-watch-rule.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { tiff } from '../../unit/inspect/formats/sample-files.ts';
import { openFrontEnds } from './front-ends.ts';

const length = 2 * 1024 * 1024;

it('reports a sparse raster in every front end', async () => {
  const parent = temporaryFolder();
  const frontEnds = openFrontEnds();
  onTestFinished(() => frontEnds.close());
  const folder = join(parent, 'delivery');
  await mkdir(folder);
  await writeFile(join(folder, 'u.tif'), tiff({ strips: [[46, length]] }));
  await truncate(join(folder, 'u.tif'), 46 + length);

  const expected = expect.objectContaining({ 'sparse-file': 1 });
  expect((await frontEnds.check(folder)).assets[0]?.findings).toEqual(expected);
  expect((await frontEnds.upload(folder)).assets[0]?.findings).toEqual(expected);
  expect((await frontEnds.sheet(folder)).assets[0]?.findings).toEqual(expected);
  expect((await frontEnds.watch(parent)).findings).toEqual(expected);
  const source = await scanSourceAt(aWatchRule({ folder: parent }), 'delivery');
  expect(source && (await checkCompleteness(parent, source, frontEnds))).toMatchObject({
    kind: 'wait-longer',
    reason: { values: { what: { key: expect.stringMatching(/many-zeros|sparse-file/) } } },
  });
});

it.each([
  [length, 4_096, true],
  [length, length / 10, false],
  [length, Number.NaN, false],
  [500_000, 0, false],
])('checks %i bytes with %d on the disk: isSparse() returns %s', (size, allocated, isExpectedSparse) => {
  expect(isSparse(size, allocated)).toBe(isExpectedSparse);
});
