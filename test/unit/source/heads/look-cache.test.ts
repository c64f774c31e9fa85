import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { LookCache } from '../../../../main/source/heads/look-cache.ts';
import type { HeadTask, LookAnswers } from '../../../../main/source/heads/look-tasks.ts';
import { fileToLookAt, headTask } from '../../../../main/source/heads/packed-files.ts';

const tile = (x: number): LookAnswers['head'] => ({
  head: {
    ...{ kind: 'las', version: '1.4', compressed: true, system: 'EPSG:25832', vertical: null },
    corners: [
      [x, 0],
      [x + 1, 0],
      [x + 1, 1],
      [x, 1],
    ],
  },
  systemBeside: null,
  verdict: null,
});
const task = (path: string, version?: string): HeadTask => ({
  ...{ kind: 'head', key: path, path, sidecars: [] },
  ...(version === undefined ? {} : { version }),
});

describe('what is remembered of files', () => {
  it('is all that was seen, each with its own place', () => {
    const cache = new LookCache();
    for (const x of [1, 2, 3]) cache.keep(task(`${x}.laz`, 'v'), tile(x));
    for (const x of [1, 2, 3]) expect(cache.get(task(`${x}.laz`, 'v'))).toEqual(tile(x));
  });

  it('takes little more memory for the corners of a file than their eight numbers', () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const count = 20_000;
    const tasks = Array.from({ length: count }, (_, at) => task(`/data/tile_${at}.laz`, 'v'));
    const bytesEach = (said: (at: number) => LookAnswers['head']) => {
      const cache = new LookCache();
      collect();
      const before = process.memoryUsage().heapUsed;
      for (const [at, one] of tasks.entries()) cache.keep(one, said(at));
      collect();
      const bytes = process.memoryUsage().heapUsed - before;
      expect(cache.size).toBe(count);
      return bytes / count;
    };
    const none: LookAnswers['head'] = { head: null, systemBeside: null, verdict: null };
    const [without, withCorners] = [bytesEach(() => none), bytesEach((at) => tile(at + 0.5))];
    expect(withCorners - without).toBeGreaterThanOrEqual(8 * 8);
    expect(withCorners - without).toBeLessThan(8 * 8 * 2);
  });

  it('is nothing of a file that changed, or of which nobody knows whether it did', () => {
    const cache = new LookCache();
    cache.keep(task('a.laz', 'v'), tile(1));
    cache.keep(task('b.laz'), tile(1));
    expect(cache.get(task('a.laz', 'w'))).toBeNull();
    expect(cache.get(task('b.laz'))).toBeNull();
    expect(cache.size).toBe(1);
  });

  it('is nothing of a file that was not opened because only a cloud service has it', () => {
    const cache = new LookCache();
    cache.keep(task('a.laz', 'v'), { head: null, systemBeside: null, verdict: null, onlyInCloud: true });
    expect(cache.size).toBe(0);
  });

  it('has a bound: the oldest go', () => {
    const cache = new LookCache(2);
    for (const x of [1, 2, 3]) cache.keep(task(`${x}.laz`, 'v'), tile(x));
    expect(cache.size).toBe(2);
    expect(cache.get(task('1.laz', 'v'))).toBeNull();
    expect(cache.get(task('3.laz', 'v'))).toEqual(tile(3));
  });

  it('is what files name, up to so many letters: the oldest go', () => {
    const cache = new LookCache(100, 10);
    const model = (name: string): LookAnswers['head'] => ({
      ...{ head: null, systemBeside: null, verdict: null, names: [name, 'b'] },
    });
    for (const name of ['aa', 'cc', 'dd']) cache.keep(task(name, 'v'), model(name));
    cache.keep(task('dd', 'v'), model('dd'));
    expect(cache.get(task('aa', 'v'))).toBeNull();
    expect(cache.get(task('cc', 'v'))).toEqual(model('cc'));
    expect(cache.get(task('dd', 'v'))).toEqual(model('dd'));
  });

  it('changes with the file beside it that names the coordinate system', () => {
    const of = (key: string, ctimeMs: number) =>
      fileToLookAt({ key, path: key, size: 1, mtimeMs: 0, identity: { fileId: null, ctimeMs } });
    const versionWith = (ctimeMs: number) =>
      headTask(of('a.asc', 1), (key) => (key === 'a.prj' ? of(key, ctimeMs) : undefined)).version;
    expect(versionWith(5)).toBe(versionWith(5));
    expect(versionWith(5)).not.toBe(versionWith(6));
    expect(headTask(of('a.asc', Number.NaN), () => undefined).version).toBeUndefined();
  });
});
