import { rename, rm } from 'node:fs/promises';
import { expect, vi } from 'vitest';
import { jpeg } from '../data.ts';
import type { Group, Scene } from '../delivery.ts';

/** Removes the watched folder like an unplugged drive, and returns a function that restores it. */
async function unplug({ fixture, rule }: Scene): Promise<() => Promise<void>> {
  const movedFolder = `${fixture.incoming}-away`;
  await rename(fixture.incoming, movedFolder);
  const state = () => fixture.watch.rules().find((view) => view.rule.id === rule.id)?.state;
  await vi.waitFor(() => expect(state()).toBe('suspended'), { timeout: 30_000 });
  return () => rename(movedFolder, fixture.incoming);
}

export const trouble: Group = {
  title: 'Faults and interruptions',
  deliveries: [
    {
      comes: 'a folder on a drive that is disconnected while the folder settles',
      becomes: 'creates one asset once the drive is back',
      rule: { settleSeconds: 1 },
      play: async (scene) => {
        await scene.write({ 'Kai/a.jpg': jpeg() });
        await scene.untilSource('Kai', ({ state }) => state === 'settling');
        const plugIn = await unplug(scene);
        await plugIn();
        await scene.expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'a folder that is filled while the drive is disconnected',
      becomes: 'creates one asset once the drive is back',
      play: async (scene) => {
        const plugIn = await unplug(scene);
        await scene.fixture.write({ '../incoming-away/Kai/a.jpg': jpeg() });
        await plugIn();
        await scene.expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'a folder while the service can’t be reached',
      becomes: 'creates one asset once the service can be reached',
      play: async ({ fixture, write, untilSource, expectAssets }) => {
        fixture.service.control.addFault({
          match: { room: 'api', times: 100_000 },
          action: { kind: 'cut-answer', afterBytes: 0 },
        });
        await write({ 'Kai/a.jpg': jpeg() });
        await untilSource('Kai', ({ state }) => state === 'under-way');
        fixture.service.control.clearFaults();
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'a folder that is deleted before its first byte is in storage',
      becomes: 'lists it no longer; creates an asset if it comes back',
      play: async ({ fixture, rule, write, at, untilSource, untilComplete }) => {
        fixture.service.control.addFault({
          match: { room: 'api', method: 'POST', path: '^/v1/assets$', times: 1_000 },
          action: { kind: 'status', status: 400, body: '{"code": "QuotaExceeded", "message": "No room"}' },
        });
        await write({ 'Kai/a.jpg': jpeg() });
        await untilSource('Kai', ({ why }) => why.includes('Next try'));
        await rm(at('Kai'), { recursive: true });
        // The next attempt would be after 27 s at the earliest.
        await vi.waitFor(() => expect(fixture.watch.sources(rule.id)).toEqual([]), { timeout: 15_000 });
        expect(fixture.watch.rules()[0]?.counts).toMatchObject({ waiting: 0, underWay: 0, failed: 0 });
        fixture.service.control.clearFaults();
        await write({ 'Kai/a.jpg': jpeg('again') });
        await untilComplete('Kai');
      },
    },
    {
      comes: 'a folder whose data the service rejects',
      becomes: 'reports the failure; uploads the folder again once it changes',
      play: async ({ fixture, write, untilSource }) => {
        fixture.service.control.setTiling({ end: 'DATA_ERROR' });
        await write({ 'Kai/a.jpg': jpeg('bad') });
        await untilSource('Kai', ({ state }) => state === 'failed');
        fixture.service.control.setTiling({ end: 'COMPLETE' });
        await write({ 'Kai/a.jpg': jpeg('mended') });
        await untilSource('Kai', ({ state }) => state === 'complete');
        expect(fixture.statuses().filter((status) => status.endsWith('COMPLETE'))).toHaveLength(1);
        expect(fixture.assets()).toHaveLength(2);
      },
    },
    {
      comes: 'a folder that is renamed during its upload',
      becomes: 'completes one asset, with the new name, after the first upload has ended',
      play: async ({ fixture, write, at, untilSource, untilComplete, scanAll }) => {
        fixture.service.control.addFault({ match: { room: 'storage', times: 1 }, action: { kind: 'hold' } });
        await write({ 'Kai/a.jpg': jpeg('a'), 'Kai/b.jpg': jpeg('b') });
        await untilSource('Kai', ({ assetId }) => assetId !== null);
        await rename(at('Kai'), at('Ufer'));
        await scanAll();
        fixture.service.control.clearFaults();
        await untilComplete('Ufer');
        expect(fixture.statuses().filter((status) => status.endsWith('COMPLETE'))).toEqual(['Ufer COMPLETE']);
      },
    },
    {
      comes: 'a folder while Tilelift isn’t running',
      becomes: 'creates one asset at the next start',
      play: async ({ fixture, write, expectAssets }) => {
        await fixture.stop();
        await write({ 'Kai/a.jpg': jpeg() });
        await fixture.restart();
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'a folder whose upload is interrupted because Tilelift stops',
      becomes: 'continues the same asset at the next start',
      play: async ({ fixture, write, untilSource, expectAssets }) => {
        fixture.service.control.addFault({
          match: { room: 'storage', times: 100_000 },
          action: { kind: 'hold' },
        });
        await write({ 'Kai/a.jpg': jpeg() });
        await untilSource('Kai', ({ assetId }) => assetId !== null);
        await fixture.stop();
        fixture.service.control.clearFaults();
        await fixture.restart();
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
  ],
};
