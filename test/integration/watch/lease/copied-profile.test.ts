import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { machineOf } from '../../../../main/watch/model/lease-model.ts';
import { jpeg } from '../../../deliveries/data.ts';
import { startEmbeddedService } from '../../../service/start-service.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';

const patience = { timeout: 30_000, interval: 20 };
const names = Array.from({ length: 6 }, (_, index) => `Scan_${index}`);

/** Opens two computers on one folder whose settings came from one disk image. */
async function openClones(one: string, other: string) {
  const service = await startEmbeddedService({ tilingMs: 30 });
  const incoming = await mkdtemp(join(tmpdir(), 'tilelift-clones-'));
  onTestFinished(async () => {
    await service.stop();
    await rm(incoming, { recursive: true, force: true });
  });
  for (const name of names) {
    await mkdir(join(incoming, name));
    await writeFile(join(incoming, name, 'a.jpg'), jpeg(name));
  }
  const open = async (machine: string, host: string) => {
    const owner = { instance: 'from one image', machine, host };
    const fixture = await openWatchFixture({ service, incoming, owner });
    onTestFinished(() => fixture.close());
    return fixture;
  };
  return [await open(one, 'pool-1'), await open(other, 'pool-2')] as const;
}

const complete = (fixture: WatchFixture) => fixture.watch.rules()[0]?.counts.complete ?? 0;

it.each([
  [
    'two computers from one disk image',
    machineOf('a'.repeat(32), '/data'),
    machineOf('b'.repeat(32), '/data'),
  ],
  [
    'two sessions on one terminal server',
    machineOf('a'.repeat(32), '/one'),
    machineOf('a'.repeat(32), '/other'),
  ],
  [
    'two copies of one profile with one machine id',
    machineOf('a'.repeat(32), '/data'),
    machineOf('a'.repeat(32), '/data'),
  ],
])(
  '%s create one asset from each source',
  async (_, first, second) => {
    const [one, other] = await openClones(first, second);
    const fixtures = [one, other];
    for (const fixture of fixtures) await fixture.rule({ shared: true });
    await expect.poll(() => complete(one) + complete(other), patience).toBe(names.length);
    expect(one.statuses().toSorted()).toEqual(names.map((name) => `${name} COMPLETE`).toSorted());
    expect(fixtures.map((fixture) => fixture.watch.rules()[0]?.state).toSorted()).toEqual([
      'standing-by',
      'watching',
    ]);

    // A restart of either creates no further asset.
    for (const fixture of fixtures) {
      await fixture.restart();
      await expect.poll(() => fixture.watch.rules()[0]?.state, patience).toMatch(/watching|standing-by/);
    }
    await expect
      .poll(() => fixtures.some((fixture) => fixture.watch.rules()[0]?.state === 'watching'), patience)
      .toBe(true);
    expect(one.assets()).toHaveLength(names.length);
  },
  60_000,
);
