import { tmpdir } from 'node:os';
import { expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../../../../main/outside.ts';
import { WatchedFolder } from '../../../../main/watch/folder/watched-folder.ts';
import { defaultTiming } from '../../../../main/watch/timing.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const events = vi.hoisted(() => ({ begin: () => {} }));

vi.mock('../../../../main/watch/folder/folder-events.ts', () => ({
  listenToFolder: () => ({
    ready: new Promise<void>((resolve) => {
      events.begin = resolve;
    }),
    close: async () => {},
  }),
}));

function watched(sleep: Clock['sleep']) {
  const hints: string[] = [];
  const folder = new WatchedFolder({
    rule: aWatchRule({ assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY', folder: tmpdir() }),
    timing: defaultTiming,
    clock: { ...systemClock, sleep },
    instance: 'one',
    refuseFolder: async () => null,
    onHint: (path) => hints.push(path),
    onTrouble: () => {},
  });
  return { folder, hints };
}

it('a folder is looked at once its events are told of: what came before would be told by none', async () => {
  const { folder, hints } = watched(() => new Promise(() => {}));
  const before = events.begin;
  const told: string[] = [];
  const look = folder.look().then((presence) => told.push(String(presence)));
  await vi.waitFor(() => expect(events.begin).not.toBe(before));
  expect(told).toEqual([]);
  events.begin();
  await look;
  expect([told, hints]).toEqual([['back'], []]);
});

it('a folder whose events take long is looked at before, and once more when they are told of', async () => {
  const { folder, hints } = watched(async () => {});
  expect(await folder.look()).toBe('back');
  expect(hints).toEqual([]);
  events.begin();
  await vi.waitFor(() => expect(hints).toEqual([tmpdir()]));
});
