import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { openWatchFixture, type WatchFixture } from '../../integration/watch/fixture.ts';
import { saidLines } from '../../said.ts';
import { jpeg } from '../data.ts';
import type { Delivery, Group, Scene } from '../delivery.ts';

const timing = { renewLeaseMs: 50, staleLeaseMs: 600 };
const patience = { timeout: 45_000, interval: 50 };
const dayMs = 24 * 60 * 60_000;

/** Runs another computer on the same folder and service, with its own rule. */
async function withAnother(
  { fixture }: Scene,
  work: (otherFixture: WatchFixture, rule: Awaited<ReturnType<WatchFixture['rule']>>) => Promise<void>,
): Promise<void> {
  const { service, incoming: incomingFolder } = fixture;
  const otherFixture = await openWatchFixture({
    service,
    incoming: incomingFolder,
    timing,
    owner: { host: 'office-2' },
  });
  try {
    await work(otherFixture, await otherFixture.rule({ shared: true }));
  } finally {
    await otherFixture.close();
  }
}

const filesIn = async ({ incoming: incomingFolder }: WatchFixture, place: 'leases' | 'sources') => {
  const folder = join(incomingFolder, '.tilelift', place);
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
};
const marksOf = async (fixture: WatchFixture): Promise<readonly Record<string, unknown>[]> =>
  Promise.all(
    (await filesIn(fixture, 'sources')).map(async (file) => JSON.parse(await readFile(file, 'utf8'))),
  );

/** Storage accepts no file, so an upload continues as long as needed. */
const holdUploads = ({ service }: WatchFixture) =>
  service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 10_000 },
    action: { kind: 'hold' },
  });

const sharedRule: Pick<Delivery, 'rule' | 'fixture'> = { rule: { shared: true }, fixture: { timing } };

export const computers: Group = {
  title: 'Several computers that watch one folder',
  deliveries: [
    {
      comes: 'a folder that two computers can see',
      becomes: 'creates one asset: one computer watches, the other stands by',
      ...sharedRule,
      play: async (scene) =>
        withAnother(scene, async (otherFixture, rule) => {
          const { fixture, write } = scene;
          await write({ 'Kai/a.jpg': jpeg() });
          await scene.untilComplete('Kai');
          expect(otherFixture.watch.rules()).toMatchObject([
            { state: 'standing-by', notice: { code: 'watch-standing-by', subject: 'office-1' } },
          ]);
          expect(otherFixture.watch.sources(rule.id)).toEqual([]);
          expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
        }),
    },
    {
      comes: 'a folder whose computer fails during the upload',
      becomes: 'creates an asset on another computer, which names the abandoned asset',
      ...sharedRule,
      play: async (scene) => {
        const { fixture, write } = scene;
        holdUploads(fixture);
        await write({ 'Kai/a.jpg': jpeg() });
        await vi.waitFor(
          async () => expect(await marksOf(fixture)).toMatchObject([{ asset: { id: expect.any(Number) } }]),
          patience,
        );
        await fixture.stop();
        fixture.service.control.clearFaults();
        await withAnother(scene, async (otherFixture, rule) => {
          await otherFixture.untilComplete(rule, 'Kai');
          expect(otherFixture.statuses()).toEqual(['Kai AWAITING_FILES', 'Kai COMPLETE']);
          const lines = saidLines(otherFixture.watch.activity(rule.id)).map(({ text }) => text);
          expect(lines.join(' ')).toContain(`asset ${otherFixture.assets()[0]?.id}`);
        });
      },
    },
    {
      comes: 'a folder whose computer fails during tiling',
      becomes: 'creates no further asset: another computer follows the existing one',
      rule: { shared: true },
      fixture: { timing, serviceSettings: { tilingMs: 3_000 } },
      play: async (scene) => {
        const { fixture, write } = scene;
        await write({ 'Kai/a.jpg': jpeg() });
        await vi.waitFor(
          async () => expect(await marksOf(fixture)).toMatchObject([{ asset: { uploaded: true } }]),
          patience,
        );
        await fixture.stop();
        await withAnother(scene, async (otherFixture, rule) => {
          await otherFixture.untilSource(rule, 'Kai', ({ state }) => state === 'skipped');
          expect(otherFixture.statuses()).toEqual(['Kai COMPLETE']);
        });
      },
    },
    {
      comes: 'new content with the name, size and time of data that a retired computer finished',
      becomes: 'creates an asset, because the retired computer’s mark describes other content',
      ...sharedRule,
      play: async (scene) => {
        const { fixture, write, setTime, untilComplete } = scene;
        const archiveTime = Date.parse('2026-03-01T12:00:00Z');
        await write({ 'Kai/a.jpg': jpeg('old') });
        await setTime(archiveTime, 'Kai/a.jpg');
        await untilComplete('Kai');
        await fixture.stop();
        await write({ 'Kai/a.jpg': jpeg('new') });
        await setTime(archiveTime, 'Kai/a.jpg');
        await withAnother(scene, async (otherFixture, rule) => {
          await otherFixture.untilComplete(rule, 'Kai');
          expect(otherFixture.statuses()).toEqual(['Kai COMPLETE', 'Kai COMPLETE']);
        });
      },
    },
    {
      comes: 'a folder that a retired computer finished, with a mark that doesn’t describe its content',
      becomes: 'holds the folder and names computer and asset',
      ...sharedRule,
      play: async (scene) => {
        const { fixture, write, untilComplete } = scene;
        await write({ 'Kai/a.jpg': jpeg() });
        await untilComplete('Kai');
        await fixture.stop();
        for (const file of await filesIn(fixture, 'sources')) {
          const mark = JSON.parse(await readFile(file, 'utf8'));
          await writeFile(file, JSON.stringify({ ...mark, content: null }));
        }
        await withAnother(scene, async (otherFixture, rule) => {
          const heldSource = await otherFixture.untilSource(rule, 'Kai', ({ state }) => state === 'held');
          expect(heldSource.why).toContain(`office-1, ${otherFixture.assets()[0]?.id}`);
          expect(otherFixture.statuses()).toEqual(['Kai COMPLETE']);
        });
      },
    },
    {
      comes: 'a folder that one computer is uploading while the file server’s clock jumps a day ahead',
      becomes: 'creates one asset: no other computer takes over a lease that is renewed',
      ...sharedRule,
      play: async (scene) => {
        const { fixture, write, untilComplete } = scene;
        holdUploads(fixture);
        await write({ 'Kai/a.jpg': jpeg() });
        await vi.waitFor(
          async () => expect(await marksOf(fixture)).toMatchObject([{ asset: { id: expect.any(Number) } }]),
          patience,
        );
        await withAnother(scene, async (otherFixture, rule) => {
          for (let count = 0; count < 20; count++) {
            for (const file of await filesIn(fixture, 'leases')) {
              const at = new Date((await stat(file).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs + dayMs);
              await utimes(file, at, at).catch(() => {});
            }
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
          fixture.service.control.clearFaults();
          await untilComplete('Kai');
          expect(otherFixture.watch.sources(rule.id)).toEqual([]);
          expect(otherFixture.statuses()).toEqual(['Kai COMPLETE']);
        });
      },
    },
  ],
};
