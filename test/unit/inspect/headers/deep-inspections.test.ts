import { expect, it } from 'vitest';
import { planInspection } from '../../../../main/inspect/headers/choose.ts';
import { HeaderCache } from '../../../../main/inspect/headers/header-cache.ts';
import type { HeaderAnswer, HeaderTask } from '../../../../main/inspect/headers/read-header.ts';

const files = Array.from({ length: 2_000 }, (_, at) => ({
  key: `${at}.${at % 2 === 1 ? 'jpg' : at % 4 === 0 ? 'tif' : 'laz'}`,
  path: `/${at}`,
  ...{ size: 1, mtimeMs: 1, identity: { ctimeMs: 1, fileId: '' } },
}));

it('planInspection() samples the data of at most 200 rasters and packed point clouds, spread over the source', () => {
  const plan = planInspection(files);
  expect(plan.deep.size).toBe(200);
  expect([...plan.deep].every((index) => index % 2 === 0)).toBe(true);
  expect(Math.max(...plan.deep)).toBeGreaterThan(1_900);
});

it('planInspection() samples no file next to a picture, but a description alone', () => {
  const lookedInto = (...names: string[]) =>
    [...planInspection(names.map((key) => ({ key, size: 1 }))).order].map((index) => names[index]);
  expect(lookedInto('a.png', 'a.png.aux.xml', 'A.PNG.AUX.XML', 'b.xml')).toEqual(['a.png', 'b.xml']);
  expect(lookedInto('a.jpg', 'a.jpg.aux.xml', 'metadata.xml')).toEqual(['a.jpg', 'metadata.xml']);
  expect(lookedInto('a.tif', 'a.tif.aux.xml')).toEqual(['a.tif']);
});

it('a cached header without values is not reused when values are needed', () => {
  const cache = new HeaderCache();
  const task: HeaderTask = { kind: 'head', key: 'a.tif', path: '/a.tif', sidecars: [], version: '1' };
  const plain: HeaderAnswer = { head: null, sidecarSystemName: null, verdict: null };
  cache.store(task, plain);
  expect(cache.get({ ...task, deep: true })).toBeNull();
  cache.store(task, { ...plain, deep: true });
  expect(cache.get({ ...task, deep: true })).toEqual(cache.get(task));
});
