import { expect, it } from 'vitest';
import { findIn } from './find-in.ts';
import { capture } from './model-files.ts';

const model = 'v 0 0 0\nv 1 1 1\n';
const farModel = 'v 550000 5800000 40\nv 550001 5800001 41\n';

const findingsIn = async (srs: string, origin: string, files: Readonly<Record<string, string>> = {}) =>
  (await findIn({ 'metadata.xml': capture(srs, origin), 'Data/t.obj': model, ...files })).map(
    ({ id, fix, values }) => ({ id, fix, values }),
  );
const fixOf = async (srs: string, origin: string) =>
  (await findingsIn(srs, origin)).find(({ id }) => id === 'local-coordinates')?.fix ?? null;

it('the position in a capture’s metadata is converted when its system has a place', async () => {
  // PROJ 9.1: echo 550000 5800000 | cs2cs EPSG:32632 EPSG:4326
  expect(await fixOf('EPSG:32632', '550000,5800000,40.5')).toEqual({
    kind: 'position',
    longitude: 9.73403713,
    latitude: 52.3480135,
    height: 40.5,
  });
  expect(await fixOf('EPSG:32632', '550000;5800000;40.5')).toMatchObject({ height: 40.5 });
});

it('the position in a capture’s metadata is the origin of local coordinates', async () => {
  expect(await fixOf('ENU:48.85,2.35', '0,0,0')).toEqual({
    kind: 'position',
    longitude: 2.35,
    latitude: 48.85,
    height: 0,
  });
  // PROJ 9.1: cct +proj=topocentric says 2.35136251 48.84820154 3.004;
  expect(await fixOf('ENU:48.85, 2.35', '100,-200,3')).toEqual({
    kind: 'position',
    longitude: 2.35136256,
    latitude: 48.84820155,
    height: 3,
  });
});

it('the position in a capture’s metadata is null when heights, feet or a system leave it open', async () => {
  for (const srs of ['EPSG:25832+5783', 'EPSG:2263', 'EPSG:4326', 'EPSG:999999', 'PROJCS["x"]'])
    expect({ srs, ids: await findingsIn(srs, '550000,5800000,40') }).toEqual({
      srs,
      ids: [{ id: 'local-coordinates', fix: undefined, values: { system: srs.replace('PROJCS["x"]', 'x') } }],
    });
  expect(await fixOf('ENU:95,2', '0,0,0')).toBeNull();
  expect(await fixOf('ENU:48,2', '90000,0,0')).toBeNull();
});

it('the position in a capture’s metadata is labelled by its system’s name, or described when unnamed', async () => {
  for (const [srs, system] of [
    ['PROJCS["Town of X",GEOGCS["y"]]', 'Town of X'],
    ['LOCAL_CS["y"]', { key: 'kinds.reason.unnamedSystem' }],
    ['PROJCS["",GEOGCS["y"]]', { key: 'kinds.reason.unnamedSystem' }],
  ])
    expect((await findingsIn(String(srs), '550000,5800000,40'))[0]?.values).toEqual({ system });
});

it('the position in a capture’s metadata is omitted when no model needs it', async () => {
  const loneCapture = await findIn({ 'metadata.xml': capture('EPSG:32632', '1,2,3'), 'a.jpg': '' });
  expect(loneCapture.map(({ id }) => id)).not.toContain('local-coordinates');
  const two = await findingsIn('EPSG:32632', '1,2,3', { 'b/metadata.xml': capture('EPSG:32632', '4,5,6') });
  expect(two).toEqual([]);
  expect(await findingsIn('EPSG:32632', '0,0,0')).toEqual([]);
});

it('the position in a capture’s metadata turns into the system of models in its coordinates', async () => {
  expect(await findingsIn('EPSG:32632', '0,0,0', { 'Data/u.obj': farModel })).toEqual([
    { id: 'large-coordinates', fix: { kind: 'assign', epsg: 32_632 }, values: { step: 0.5 } },
  ]);
});
