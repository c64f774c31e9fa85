import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createIsDerived, derivedFiles } from '../../../../main/files/left-out/derived-files.ts';

describe('derived files', () => {
  const keys = new Set([
    'a/strip.laz',
    'a/strip.copc.laz',
    'a/STRIP_2.LAS',
    'a/STRIP_2.copc.laz',
    'b/only.copc.laz',
  ]);
  const isDerived = createIsDerived((key) => keys.has(key));

  it.each([
    ...[
      'ortho.tif.aux.xml',
      'ORTHO.TIF.AUX.XML',
      'ortho.tif.ovr',
      'ortho.aux',
      'ortho.rrd',
      'ortho.tif.xml',
      'ortho.qmd',
    ],
    ...['a/roads.qix', 'a/roads.sbn', 'a/roads.SBX', 'a/roads.shp.xml', 'a/roads.idm', 'a/roads.name.atx'],
    ...['a/strip.lax', 'a/strip.lasx', 'city.gfs', 'a.grib2.5b7b6.idx'],
    ...['a/strip.copc.laz', 'a/STRIP_2.copc.laz'],
  ])('derived files include %s', (key) => {
    expect(isDerived(key)).toBe(true);
  });

  it.each([
    ...'ortho.tif ortho.tfw ortho.prj ortho.msk city.xml metadata.xml a/roads.shx a/roads.cpg'.split(' '),
    ...['a/roads.dbf', 'ovr', 'aux.xml.tif', 'b/only.copc.laz', 'a/strip.laz', 'idx/a.tif'],
  ])('derived files exclude %s', (key) => {
    expect(isDerived(key)).toBe(false);
  });
});

it('docs/reference/derived-files.md lists every row of the table', async () => {
  const documented = await readFile(
    join(import.meta.dirname, '../../../../docs/reference/derived-files.md'),
    'utf8',
  );
  const rows = [...documented.matchAll(/^\| (`.*`) \| (.*) \| (.*) \|$/gm)];
  const listedRows = rows.flatMap(([, endings = '', writtenBy, source]) =>
    [...endings.matchAll(/`([^`]+)`/g)].map(([, extension]) => ({ ending: extension, writtenBy, source })),
  );
  expect(listedRows).toEqual(
    derivedFiles.map(({ extension, writtenBy, source }) => ({ ending: extension, writtenBy, source })),
  );
});
