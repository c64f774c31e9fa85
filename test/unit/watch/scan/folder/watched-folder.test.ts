import { tmpdir } from 'node:os';
import { expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../../../../../main/ports.ts';
import { defaultTiming } from '../../../../../main/watch/model/rule.ts';
import { ScanQueue } from '../../../../../main/watch/model/scheduling.ts';
import { WatchedFolder } from '../../../../../main/watch/scan/folder/watched-folder.ts';
import { aWatchRule } from '../../../../a-watch-rule.ts';

const events = vi.hoisted(() => ({ begin: () => {} }));

vi.mock('../../../../../main/files/folder-events.ts', () => ({
  listenToFolder: () => ({
    ready: new Promise<void>((resolve) => {
      events.begin = resolve;
    }),
    dispose: async () => {},
  }),
}));

function watched(sleep: Clock['sleep'], scanQueue = new ScanQueue()) {
  const hints: string[] = [];
  const folder = new WatchedFolder({
    rule: aWatchRule({ assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY', folder: tmpdir() }),
    timing: defaultTiming,
    clock: { ...systemClock, sleep },
    refuseFolder: async () => null,
    scanQueue,
    onHint: (path) => hints.push(path),
    onTrouble: () => {},
  });
  return { folder, hints };
}

it('scans a folder once it listens to its events, so that no change is missed', async () => {
  const { folder, hints } = watched(() => new Promise(() => {}));
  const before = events.begin;
  const reported: string[] = [];
  const check = folder.check().then((presence) => reported.push(String(presence)));
  await vi.waitFor(() => expect(events.begin).not.toBe(before));
  expect(reported).toEqual([]);
  events.begin();
  await check;
  expect([reported, hints]).toEqual([['back'], []]);
});

it('scans a folder before slow events begin, and again once they do', async () => {
  const { folder, hints } = watched(async () => {});
  expect(await folder.check()).toBe('back');
  expect(hints).toEqual([]);
  events.begin();
  await vi.waitFor(() => expect(hints).toEqual([tmpdir()]));
});

it('starts listening when the scans before it have ended', async () => {
  const queue = new ScanQueue();
  const scan = Promise.withResolvers<void>();
  void queue.run(() => scan.promise);
  const { folder } = watched(() => new Promise(() => {}), queue);
  const before = events.begin;
  const check = folder.check();
  await new Promise((resolve) => setImmediate(resolve));
  expect(events.begin).toBe(before);
  scan.resolve();
  await vi.waitFor(() => expect(events.begin).not.toBe(before));
  events.begin();
  expect(await check).toBe('back');
});
