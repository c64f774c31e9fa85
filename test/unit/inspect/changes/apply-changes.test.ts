import { expect, it } from 'vitest';
import type { SourceFile } from '../../../../main/files/model.ts';
import { beginChanges } from '../../../../main/inspect/changes/apply-changes.ts';
import type { ChosenChanges } from '../../../../main/inspect/changes/chosen-changes.ts';
import { loadSystems } from '../../../../main/inspect/crs/systems.ts';

import { townGrid } from './town-grid.ts';

const { systemByCode } = await loadSystems();
const at = (key: string) => `/data/town/${key}`;
const file = (key: string): SourceFile => ({ key, path: at(key), size: 100, mtimeMs: 1 });
const noChanges: ChosenChanges = { leftOut: [], assigned: [] };
const assignSystem = (epsg: number, ...keys: readonly string[]): ChosenChanges => ({
  leftOut: [],
  assigned: [{ epsg, files: keys.map(at) }],
});
/** Applies the changes to pages of this size. */
async function apply(keys: readonly string[], changes: ChosenChanges, page = keys.length) {
  const work = await beginChanges(changes, 7, systemByCode);
  const files: SourceFile[] = [];
  for (let start = 0; start < keys.length; start += page)
    files.push(...work.take(keys.slice(start, start + page).map(file)));
  return { files, ...work.end() };
}
const pam = (epsg: number) => `<PAMDataset><SRS>EPSG:${epsg}</SRS></PAMDataset>\n`;

it('a changed source returns an unchanged source without decisions', async () => {
  const keys = ['a.tif', 'b.tif'];
  expect(await apply(keys, noChanges)).toEqual({
    files: keys.map(file),
    leftOut: 0,
    inputCrs: null,
    systems: new Set(),
  });
});

it.each(['a.tif', 'B.TIFF', 'in/a.jpg', 'a.jpeg', 'a.PNG', 'a.flt'])(
  'a changed source writes a sidecar with the system of %s',
  async (key) => {
    const { files, inputCrs } = await apply([key], assignSystem(25832, key));
    const content = pam(25832);
    expect(files.slice(1)).toEqual([
      { key: `${key}.aux.xml`, path: at(`${key}.aux.xml`), size: content.length, mtimeMs: 7, content },
    ]);
    expect(inputCrs).toBeNull();
  },
);

it('a changed source writes an unread sidecar’s WKT verbatim next to the data', async () => {
  const systemsByText = [{ wkt: `${townGrid}\n`, files: ['a.tif', 'b.png', 'c.tif'].map(at) }];
  const { files, inputCrs } = await apply(['a.tif', 'b.png', 'c.tif'], {
    ...assignSystem(25832, 'c.tif'),
    worded: systemsByText,
  });
  const words = townGrid.replace('<1911>_&', '&lt;1911&gt;_&amp;');
  const content = `<PAMDataset><SRS>${words}</SRS></PAMDataset>\n`;
  expect(files.slice(3).map((changedFile) => [changedFile.key, changedFile.content])).toEqual([
    ['a.tif.aux.xml', content],
    ['b.png.aux.xml', content],
    ['c.tif.aux.xml', pam(25832)],
  ]);
  expect(inputCrs).toBeNull();
});

it.each([
  ['a grid, which reads its own', 'a.asc', townGrid],
  ['points, of which a code alone can be told', 'a.las', townGrid],
  ['text that is none', 'a.tif', 'TRUE_GRIT["x"]'],
  ['an engineering system', 'a.tif', 'LOCAL_CS["x",UNIT["m",1]]'],
  ['a system with what XML has no place for', 'a.tif', townGrid.replace('Town', 'To\u0001wn')],
  ['a text without end', 'a.tif', townGrid.replace('Town', 'x'.repeat(9_000))],
])('a changed source rejects WKT for %s', async (_, key, wkt) => {
  await expect(apply([key], { ...noChanges, worded: [{ wkt, files: [at(key)] }] })).rejects.toMatchObject({
    code: 'system-not-assignable',
  });
});

it('a changed source writes the .prj of a grid', async () => {
  const { files } = await apply(['dgm.v1.asc', 'B.ASC'], assignSystem(25832, 'dgm.v1.asc', 'B.ASC'));
  expect(files.slice(2).map(({ key }) => key)).toEqual(['dgm.v1.prj', 'B.prj']);
  expect(files[2]?.content).toMatch(
    /^PROJCS\["ETRS89 \/ UTM zone 32N",GEOGCS\[.*AUTHORITY\["EPSG","25832"\]\]$/,
  );
  expect(files[2]?.size).toBe(files[2]?.content?.length);
});

it('a changed source sends the system of point clouds and models with the asset', async () => {
  const keys = ['a.las', 'b.laz', 'c.obj', 'd.glb'];
  const { files, inputCrs } = await apply(keys, assignSystem(25832, ...keys));
  expect(files).toHaveLength(4);
  expect(inputCrs).toBe(25832);
});

it('a changed source rejects two systems for one asset', async () => {
  const two: ChosenChanges = {
    leftOut: [],
    assigned: [
      { epsg: 25832, files: [at('a.las')] },
      { epsg: 25833, files: [at('b.las')] },
    ],
  };
  await expect(apply(['a.las', 'b.las'], two)).rejects.toMatchObject({
    code: 'systems-differ',
    subject: { list: ['EPSG:25832', 'EPSG:25833'] },
  });
});

it('a changed source uses the last assigned system of a file', async () => {
  const repeatedChanges: ChosenChanges = {
    leftOut: [],
    assigned: [
      { epsg: 25832, files: [at('a.tif'), at('b.tif')] },
      { epsg: 25833, files: [at('b.tif')] },
    ],
  };
  const { files } = await apply(['a.tif', 'b.tif'], repeatedChanges);
  expect(files.slice(2).map(({ content }) => content)).toEqual([pam(25832), pam(25833)]);
});

it.each([
  ['before', ['A.TIF.AUX.XML', 'a.tif'], 'a.tif.aux.xml'],
  ['after', ['a.tif', 'A.TIF.AUX.XML'], 'A.TIF.AUX.XML'],
])('a changed source keeps an existing sidecar found a page %s', async (_when, keys, name) => {
  await expect(apply(keys, assignSystem(25832, 'a.tif'), 1)).rejects.toMatchObject({
    code: 'system-file-exists',
    subject: { names: [name] },
  });
});

it('a changed source keeps an existing sidecar whose name the disk normalizes differently', async () => {
  const files = ['U\u0308.tif', 'U\u0308.tif.aux.xml'].map((name) => ({
    ...file(name),
    key: name.normalize('NFC'),
  }));
  const work = await beginChanges(assignSystem(25832, 'U\u0308.tif'), 7, systemByCode);
  work.take(files);
  expect(() => work.end()).toThrow(expect.objectContaining({ code: 'system-file-exists' }));
});

it('a changed source replaces an excluded sidecar', async () => {
  const { files } = await apply(['a.tif', 'a.tif.aux.xml'], {
    ...assignSystem(25832, 'a.tif'),
    leftOut: [at('a.tif.aux.xml')],
  });
  expect(files.map(({ key, content }) => [key, content])).toEqual([
    ['a.tif', undefined],
    ['a.tif.aux.xml', pam(25832)],
  ]);
});

it('a changed source writes each name once', async () => {
  const two: ChosenChanges = {
    leftOut: [],
    assigned: [
      { epsg: 25832, files: [at('a.asc')] },
      { epsg: 25833, files: [at('A.ASC')] },
    ],
  };
  await expect(apply(['a.asc', 'A.ASC'], two)).rejects.toMatchObject({ code: 'system-file-exists' });
  // Identical sidecars are written once.
  const { files } = await apply(['a.asc', 'a.ASC'], assignSystem(25832, 'a.asc', 'a.ASC'), 1);
  expect(files.map(({ key }) => key)).toEqual(['a.asc', 'a.prj', 'a.ASC']);
});

it('a changed source rejects formats without external systems and names the first few files', async () => {
  const keys = ['0', '1', '2', '3', '4', '5', '6'].map((name) => `${name}.img`);
  await expect(apply(keys, assignSystem(25832, ...keys))).rejects.toMatchObject({
    code: 'system-not-assignable',
    subject: { names: keys.slice(0, 5), more: 2 },
  });
  // WKT 1 can't express this projection.
  await expect(apply(['a.asc'], assignSystem(6244, 'a.asc'))).rejects.toMatchObject({
    code: 'system-not-assignable',
  });
  expect((await apply(['a.tif'], assignSystem(6244, 'a.tif'))).files).toHaveLength(2);
});

it.each([
  ['nothing', 99_999],
  ['a compound system', 5555],
  ['a geocentric one', 4978],
])('a changed source rejects the code of %s', async (_what, epsg) => {
  for (const key of ['a.tif', 'a.las', 'a.asc'])
    await expect(apply([key], assignSystem(epsg, key))).rejects.toMatchObject({ code: 'system-unknown' });
});

it('a changed source rejects a file name that storage doesn’t accept', async () => {
  const key = `${'a'.repeat(950)}.tif`;
  await expect(apply([key], assignSystem(25832, key))).rejects.toMatchObject({
    code: 'source-name-too-long',
  });
});
