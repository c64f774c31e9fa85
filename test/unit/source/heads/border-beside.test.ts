import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { planLooks } from '../../../../main/source/heads/choose.ts';
import { maxOfFile, maxOfSidecar, readHeadOf, realFiles } from '../../../../main/source/heads/look-tasks.ts';
import { FileColumns, packFiles } from '../../../../main/source/heads/packed-files.ts';
import { scanSource } from '../../../../main/source/walk/scan.ts';
import { findInLooks } from '../findings/find-in.ts';
import { pngFile } from '../findings/png-files.ts';

/** The border of a picture, and what stands beside it, as a survey reads them. */

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-border-'));
});
afterEach(() => rm(folder, { recursive: true }));

const noise = (x: number, y: number) => 90 + (((x * 374_761_393 + y * 668_265_263) >>> 7) % 101);
const turned = pngFile({
  ...{ columns: 300, rows: 300, level: 0 },
  at: (x, y) => (x + y < 130 || x + y > 470 ? 0 : [noise(x, y), noise(y, x), noise(x, x)]),
});
const pam = (inside = '') => `<PAMDataset><SRS>EPSG:25832</SRS>${inside}</PAMDataset>`;

/** Findings in the folder, and how much of each picture was read. */
async function survey(beside: Readonly<Record<string, string>>) {
  await writeFile(join(folder, 'a.png'), turned);
  for (const [name, text] of Object.entries(beside)) await writeFile(join(folder, name), text);
  const files = [...(await scanSource([folder])).files];
  const columns = new FileColumns();
  columns.add(packFiles(files));
  const plan = planLooks(columns.keys);
  let read = 0;
  const looks = [];
  for (const index of plan.order) {
    const task = columns.task(index, plan);
    const counting = {
      ...realFiles,
      read: (file: number, into: Buffer, at: number) => {
        read += into.length;
        return realFiles.read(file, into, at);
      },
    };
    looks.push({ key: task.key, ...(await readHeadOf(task, counting)) });
  }
  const named = files.map(({ key, size }) => ({ key, size }));
  const found = findInLooks(looks, named).filter(({ id }) => id === 'unnamed-border');
  return { found: found.map(({ values }) => values), read };
}

it('a PNG that a file beside it places, which states no value and no mask, shows its border', async () => {
  const { found, read } = await survey({ 'a.png.aux.xml': pam('<Metadata/>') });
  expect(found).toEqual([
    {
      value: '0',
      seen: { key: 'findings.border.seen.black.edges' },
      command: { key: 'findings.border.command.translate', values: { value: '0' } },
    },
  ]);
  expect(read).toBeLessThanOrEqual(maxOfFile + maxOfSidecar);
});

it('so does one that a world file places', async () => {
  const { found } = await survey({ 'a.pgw': '1\n0\n0\n-1\n550000\n5800000\n' });
  expect(found).toHaveLength(1);
});

it.each([
  ['has no place', {}],
  ['has a value that stands for nothing', { 'a.png.aux.xml': pam('<NoDataValue>0</NoDataValue>') }],
  ['has a mask', { 'a.png.aux.xml': pam('<MaskBand/>') }],
  ['has a mask beside it', { 'a.png.aux.xml': pam(), 'a.png.msk': 'x' }],
  ['has more beside it than is read', { 'a.png.aux.xml': pam(' '.repeat(maxOfSidecar)) }],
])('one that %s shows none', async (_, beside) => {
  expect((await survey(beside)).found).toEqual([]);
});
