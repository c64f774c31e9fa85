import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Clock } from '../../../../main/outside.ts';
import { createCanary } from '../../../../main/watch/folder/canary.ts';
import { listenToFolder } from '../../../../main/watch/folder/folder-events.ts';
import { createLeftOut } from '../../../../main/watch/survey/left-out.ts';
import { createWatchedFolder, type WatchedFolder } from '../watched-folder.ts';

let folder: WatchedFolder;
beforeEach(async () => {
  folder = await createWatchedFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

/** A clock whose time is up when the test says so. */
function createHandClock() {
  let up: (() => void)[] = [];
  const clock: Clock = {
    now: () => 0,
    elapsed: () => 0,
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        up.push(resolve);
      }),
  };
  const isAsleep = () => vi.waitFor(() => expect(up).not.toEqual([]));
  const timeIsUp = () => {
    for (const resolve of up) resolve();
    up = [];
  };
  return { clock, isAsleep, timeIsUp };
}

it('events arrive when the watcher reports the canary in time', async () => {
  const { clock } = createHandClock();
  const canary = createCanary({ folder: folder.path, instance: 'one', clock, patienceMs: 1_000 });
  expect(canary.eventsArrive).toBeNull();
  const watching = listenToFolder(folder.path, {
    isLeftOut: createLeftOut(folder.rule()),
    alsoWatched: canary.folder,
    polling: false,
    intervalMs: 1_000,
    onHint: (path) => canary.takeHint(path),
    onTrouble: () => {},
  });
  await watching.ready;
  await canary.probe();
  expect(await canary.probe()).toBe(true);
  expect(canary.eventsArrive).toBe(true);
  await watching.close();
  await canary.remove();
  expect(await readdir(canary.folder)).toEqual([]);
});

it('events don’t arrive when the time is up without one, nor by another instance’s canary', async () => {
  const { clock, isAsleep, timeIsUp } = createHandClock();
  const canary = createCanary({ folder: folder.path, instance: 'one', clock, patienceMs: 1_000 });
  const sung = canary.probe();
  await isAsleep();
  expect(canary.takeHint(join(canary.folder, 'canary-two'))).toBe(true);
  expect(canary.takeHint(join(folder.path, 'a.tif'))).toBe(false);
  timeIsUp();
  expect(await sung).toBe(false);
  expect(canary.eventsArrive).toBe(false);
});

it('nothing can be told where nothing can be written', async () => {
  const { clock } = createHandClock();
  await folder.put('.tilelift');
  const canary = createCanary({ folder: folder.path, instance: 'one', clock, patienceMs: 1_000 });
  expect(await canary.probe()).toBeNull();
});

it('the waiting ends with its signal', async () => {
  const { clock, isAsleep } = createHandClock();
  const canary = createCanary({ folder: folder.path, instance: 'one', clock, patienceMs: 1_000 });
  const stop = new AbortController();
  const sung = canary.probe(stop.signal);
  await isAsleep();
  stop.abort(new Error('enough'));
  await expect(sung).rejects.toThrow('enough');
});
