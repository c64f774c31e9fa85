import { expect, it } from 'vitest';
import { namesOf } from '../../../../main/inspect/headers/choose.ts';
import { HeaderCache } from '../../../../main/inspect/headers/header-cache.ts';
import { createHeaderTask, fileToInspect } from '../../../../main/inspect/headers/header-task.ts';
import type { HeaderAnswer, HeaderTask } from '../../../../main/inspect/headers/read-header.ts';
import { bytesInUse } from '../bytes-in-use.ts';

const tile = (x: number): HeaderAnswer => ({
  head: {
    ...{ kind: 'las', version: '1.4', compressed: true, system: 'EPSG:25832', vertical: null },
    corners: [
      [x, 0],
      [x + 1, 0],
      [x + 1, 1],
      [x, 1],
    ],
  },
  sidecarSystemName: null,
  verdict: null,
});
const task = (path: string, version?: string): HeaderTask => ({
  ...{ kind: 'head', key: path, path, sidecars: [] },
  ...(version === undefined ? {} : { version }),
});

it('HeaderCache stores every field of each file', () => {
  const cache = new HeaderCache();
  for (const x of [1, 2, 3]) cache.store(task(`${x}.laz`, 'v'), tile(x));
  for (const x of [1, 2, 3]) expect(cache.get(task(`${x}.laz`, 'v'))).toEqual(tile(x));
});

it('HeaderCache stores any number of corners, including none', () => {
  const cache = new HeaderCache();
  const answerWith = (corners: readonly (readonly [number, number])[] | null): HeaderAnswer => ({
    ...{ head: { kind: 'grid', corners }, sidecarSystemName: null, verdict: null },
  });
  const someCorners = [
    null,
    [],
    [[1, 2]],
    [
      [Number.NaN, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ],
  ] as const;
  for (const [at, corners] of someCorners.entries()) cache.store(task(`${at}`, 'v'), answerWith(corners));
  cache.store(task('four', 'v'), tile(3));
  for (const [at, corners] of someCorners.entries())
    expect(cache.get(task(`${at}`, 'v'))).toEqual(answerWith(corners));
  expect(cache.get(task('four', 'v'))).toEqual(tile(3));
});

it('HeaderCache stores members of an archive with infinite numbers, within its limit', () => {
  const grid = { kind: 'grid', corners: [[Number.NEGATIVE_INFINITY, 0]] } as const;
  const archive = (name: string): HeaderAnswer => ({
    ...{ head: { kind: 'zip', traits: [], methods: [] }, sidecarSystemName: null, verdict: null },
    members: {
      heads: [{ key: `${name}/b.asc`, answer: { head: grid, sidecarSystemName: null, verdict: null } }],
      unread: { count: 1, examples: [`${name}/c.tif`] },
      totals: { asc: 1, tif: 1 },
      names: namesOf(['b.asc', 'c.tif']),
      keys: null,
    },
  });
  const cache = new HeaderCache(10, 900);
  for (const name of ['a.zip', 'b.zip']) cache.store(task(name, 'v'), archive(name));
  expect(cache.get(task('b.zip', 'v'))).toEqual(archive('b.zip'));
  for (const name of ['c.zip', 'd.zip', 'e.zip', 'f.zip']) cache.store(task(name, 'v'), archive(name));
  expect(cache.get(task('a.zip', 'v'))).toBeNull();
  expect(cache.get(task('f.zip', 'v'))).toEqual(archive('f.zip'));
});

it('HeaderCache reuses the row of a removed file without its content', () => {
  const cache = new HeaderCache(1);
  const namedAnswer: HeaderAnswer = {
    head: null,
    sidecarSystemName: 'EPSG:25832',
    verdict: null,
    names: ['a'],
  };
  const bare: HeaderAnswer = { head: null, sidecarSystemName: null, verdict: null };
  for (const [name, answer] of [
    ['a', namedAnswer],
    ['b', tile(1)],
    ['c', bare],
    ['d', tile(2)],
  ] as const) {
    cache.store(task(name, 'v'), answer);
    expect(cache.get(task(name, 'v'))).toEqual(answer);
  }
  expect(cache.size).toBe(1);
});

it('HeaderCache takes at most 320 bytes for a file with any path', () => {
  const count = 40_000;
  const folder = `/data/${'x'.repeat(200)}`;
  const bytesBefore = bytesInUse();
  const cache = new HeaderCache();
  for (let at = 0; at < count; at++) cache.store(task(`${folder}/${at}.laz`, 'v'), tile(at + 0.5));
  // About 160; other objects in memory count too.
  expect((bytesInUse() - bytesBefore) / count).toBeLessThan(320);
  expect(cache.size).toBe(count);
});

it('HeaderCache drops a file that changed or may have changed', () => {
  const cache = new HeaderCache();
  cache.store(task('a.laz', 'v'), tile(1));
  cache.store(task('b.laz'), tile(1));
  expect(cache.get(task('a.laz', 'w'))).toBeNull();
  expect(cache.get(task('b.laz'))).toBeNull();
  expect(cache.size).toBe(1);
});

it('HeaderCache skips a file that only a cloud service has', () => {
  const cache = new HeaderCache();
  cache.store(task('a.laz', 'v'), { head: null, sidecarSystemName: null, verdict: null, onlyInCloud: true });
  expect(cache.size).toBe(0);
});

it('HeaderCache drops the oldest files beyond its limit', () => {
  const cache = new HeaderCache(2);
  for (const x of [1, 2, 3]) cache.store(task(`${x}.laz`, 'v'), tile(x));
  expect(cache.size).toBe(2);
  expect(cache.get(task('1.laz', 'v'))).toBeNull();
  expect(cache.get(task('3.laz', 'v'))).toEqual(tile(3));
});

it('HeaderCache drops files in the order of their last use', () => {
  const capacity = 20;
  const cache = new HeaderCache(capacity);
  let keptNumbers: number[] = [];
  for (let at = 0; at < 2_000; at++) {
    // Some are stored again while present or after removal.
    const x = at % 7 === 0 ? Math.max(0, at - 30) : at % 5 === 0 ? Math.max(0, at - 10) : at;
    cache.store(task(`${x}.laz`, 'v'), tile(x));
    keptNumbers = [...keptNumbers.filter((number) => number !== x), x].slice(-capacity);
    expect(cache.size).toBe(keptNumbers.length);
    for (const number of keptNumbers) expect(cache.get(task(`${number}.laz`, 'v'))).not.toBeNull();
  }
  for (const number of keptNumbers) expect(cache.get(task(`${number}.laz`, 'v'))).toEqual(tile(number));
});

it('HeaderCache drops the oldest referenced names beyond a number of letters', () => {
  const cache = new HeaderCache(100, 10);
  const model = (name: string): HeaderAnswer => ({
    ...{ head: null, sidecarSystemName: null, verdict: null, names: [name, 'b'] },
  });
  for (const name of ['aa', 'cc', 'dd']) cache.store(task(name, 'v'), model(name));
  cache.store(task('dd', 'v'), model('dd'));
  expect(cache.get(task('aa', 'v'))).toBeNull();
  expect(cache.get(task('cc', 'v'))).toEqual(model('cc'));
  expect(cache.get(task('dd', 'v'))).toEqual(model('dd'));
});

it('HeaderCache depends on the sidecar that names the system', () => {
  const taskOf = (key: string, ctimeMs: number) =>
    fileToInspect({ key, path: key, size: 1, mtimeMs: 0, identity: { fileId: null, ctimeMs } });
  const versionWith = (ctimeMs: number) =>
    createHeaderTask(taskOf('a.asc', 1), (key) => (key === 'a.prj' ? taskOf(key, ctimeMs) : undefined))
      .version;
  expect(versionWith(5)).toBe(versionWith(5));
  expect(versionWith(5)).not.toBe(versionWith(6));
  expect(createHeaderTask(taskOf('a.asc', Number.NaN), () => undefined).version).toBeUndefined();
});
