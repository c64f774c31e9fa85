import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type House, hasStatus, historyTexts } from '../integration/jobs/house.ts';
import {
  expectNothing,
  expectWhole,
  fiveParts,
  halfUploaded,
  openFaultHouse,
  partPuts,
  partSize,
  timesSent,
} from './fault-house.ts';

let house: House;
beforeEach(async () => {
  house = await openFaultHouse();
});
afterEach(() => house.close());

/** Replaces a file with other bytes but the same size and exact time, as `cp -p`, `tar` and `rsync -t` do. */
async function replaceUnseen(path: string, change: (bytes: Buffer) => void): Promise<void> {
  const bytes = await readFile(path);
  change(bytes);
  await writeFile(`${path}.new`, bytes);
  execFileSync('touch', ['-r', path, `${path}.new`]);
  await rename(`${path}.new`, path);
}

it('S61: file of the same size and time that replaces the source: fails the upload if its content differs: nothing is mixed', async () => {
  const { id, source } = await halfUploaded(house);
  await replaceUnseen(join(source, 'a.las'), (bytes) => bytes.fill(7));

  house.service.control.clearFaults();
  const job = await house.until(id, hasStatus('failed'));

  expect(job.error).toMatchObject({ code: 'source-changed', subject: join(source, 'a.las') });
  await expectNothing(house, job);
});

it('file of the same size and time that replaces the source: fails the upload after a restart', async () => {
  const { id, source } = await halfUploaded(house);
  await house.jobs.act(id, 'pause');
  await replaceUnseen(join(source, 'a.las'), (bytes) => bytes.fill(7, 0, partSize));
  house.service.control.clearFaults();
  await house.restart();

  await house.jobs.act(id, 'resume');
  const job = await house.until(id, hasStatus('failed'));

  expect(job.error).toMatchObject({ code: 'source-changed', subject: join(source, 'a.las') });
});

it('file of the same size and time that replaces the source: fails the upload if it appears after the last part was read', async () => {
  const source = await house.source({ 'a.las': fiveParts });
  house.service.control.addFault({
    match: { room: 'storage', method: 'PUT', path: 'partNumber=5&' },
    action: { kind: 'hold' },
  });
  const id = house.add(source);
  await house.until(id, (job) => job.partsDone === 4);
  await expect.poll(() => partPuts(house)).toHaveLength(5);
  await replaceUnseen(join(source, 'a.las'), (bytes) => bytes.fill(7, 4 * partSize));

  house.service.control.clearFaults();

  expect((await house.until(id, hasStatus('failed'))).error).toMatchObject({ code: 'source-changed' });
});

it.each(['mid-upload', 'after a restart'])(
  'file of the same size and time that replaces the source: continues the upload if its content is the same, %s',
  async (changeTime) => {
    const { id, source } = await halfUploaded(house);
    const path = join(source, 'a.las');
    if (changeTime !== 'mid-upload') await house.jobs.act(id, 'pause');
    await replaceUnseen(path, () => {});
    house.service.control.clearFaults();
    if (changeTime !== 'mid-upload') {
      await house.restart();
      await house.jobs.act(id, 'resume');
    }

    const job = await house.until(id, hasStatus('complete'));

    await expectWhole(house, job, source);
    expect(timesSent(house).slice(0, 2)).toEqual([1, 1]);
  },
);

it('file of the same size and time that replaces the source: continues the upload if only its permissions or name changed for a moment', async () => {
  const { id, source } = await halfUploaded(house);
  const path = join(source, 'a.las');
  await chmod(path, 0o600);
  await rename(path, `${path}.moved`);
  await rename(`${path}.moved`, path);

  house.service.control.clearFaults();

  await expectWhole(house, await house.until(id, hasStatus('complete')), source);
  expect(historyTexts(house, id).join()).not.toMatch(/again/);
});

it('file of the same size and time that replaces the source: fails the upload of a small file while it is sent', async () => {
  const source = await house.source({ 'a.las': 5000 });
  house.service.control.addFault({ match: { room: 'storage', method: 'PUT' }, action: { kind: 'hold' } });
  const id = house.add(source);
  await house.until(id, (job) => job.partsOnWire > 0);
  await expect
    .poll(() => house.service.control.requests().filter(({ method }) => method === 'PUT'))
    .toHaveLength(1);
  await replaceUnseen(join(source, 'a.las'), (bytes) => bytes.fill(7));

  house.service.control.clearFaults();

  expect((await house.until(id, hasStatus('failed'))).error).toMatchObject({ code: 'source-changed' });
});

describe('private file that a link puts into the source', () => {
  async function scanSource(names: Record<string, number>) {
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$' },
      action: { kind: 'hold' },
    });
    const source = await house.source(names);
    const id = house.add(source);
    await house.untilAsked();
    return { id, source };
  }
  /** The attacker knows the file's size and time and makes the bait like it. */
  async function makePrivate(like: string): Promise<string> {
    const path = join(house.folder, 'private', 'a.las');
    await mkdir(join(house.folder, 'private'));
    await writeFile(path, randomBytes((await stat(like)).size));
    execFileSync('touch', ['-r', like, path]);
    return path;
  }

  it.each([
    ['small', 1000],
    ['large', fiveParts],
  ] as const)(
    'private file that a link puts into the source: uploads no private file if a link replaces a file: %s',
    async (_, size) => {
      const { id, source } = await scanSource({ 'in/a.las': size });
      const bait = join(source, 'in', 'a.las');
      const secret = await makePrivate(bait);
      await rm(bait);
      await symlink(secret, bait);

      house.service.control.clearFaults();
      const job = await house.until(id, hasStatus('failed'));

      expect(job.error).toMatchObject({ code: 'source-changed', subject: bait });
      await expectNothing(house, job);
    },
  );

  it.each([
    ['small', 1000],
    ['large', fiveParts],
  ] as const)(
    'private file that a link puts into the source: uploads no private file if a link replaces its folder: %s',
    async (_, size) => {
      const { id, source } = await scanSource({ 'in/a.las': size });
      await makePrivate(join(source, 'in', 'a.las'));
      await rm(join(source, 'in'), { recursive: true });
      await symlink(join(house.folder, 'private'), join(source, 'in'));

      house.service.control.clearFaults();
      const job = await house.until(id, hasStatus('failed'));

      expect(job.error).toMatchObject({ code: 'source-changed' });
      await expectNothing(house, job);
    },
  );

  it('private file that a link puts into the source: follows a link that the user dropped', async () => {
    const realFile = join(await house.source({ 'a.las': 1000 }), 'a.las');
    const link = join(house.folder, 'link.las');
    await symlink(realFile, link);
    const id = house.add(link);
    const job = await house.until(id, hasStatus('complete'));
    expect(await house.service.control.objects(`sources/${job.assetId}/`)).toMatchObject([
      { key: `sources/${job.assetId}/link.las`, size: 1000 },
    ]);
  });
});
