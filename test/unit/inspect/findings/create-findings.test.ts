import { expect, it } from 'vitest';
import { createFindings } from '../../../../main/inspect/findings/create-findings.ts';
import type { Head } from '../../../../main/inspect/formats/read-file.ts';
import { cornersOfBox } from '../../../../main/inspect/formats/systems/coordinate-system.ts';
import type { Look } from '../../../../main/inspect/headers/look-inside.ts';

const lookWith = (key: string, head: Head | null, sidecarSystemName: string | null = null): Look => ({
  key,
  head,
  sidecarSystemName,
  verdict: null,
});
const findIn = (manyLooks: readonly Look[], keys: readonly string[] = manyLooks.map(({ key }) => key)) => {
  const findings = createFindings(
    keys.map((key) => ({ key, size: 1 })),
    null,
  );
  for (const header of manyLooks) findings.add(header);
  return findings.finish();
};
const city = (system: string | null): Head => ({
  kind: 'gml',
  vertical: null,
  isCityGml: true,
  version: '2.0',
  system,
});

it('createFindings() reports nothing when all files have a system or none is readable', () => {
  expect(findIn([lookWith('a.gml', city('EPSG:25832')), lookWith('b.gml', null)])).toEqual([]);
  expect(findIn([])).toEqual([]);
});

it('createFindings() reports gaps between tiles only after all files', () => {
  const places = [0, 1, 2].flatMap((x) => [0, 1, 2].map((y) => [x, y] as const));
  const tiles = places
    .filter(([x, y]) => x !== 1 || y !== 1)
    .map(([x, y]) =>
      lookWith(`${x}_${y}.asc`, { kind: 'grid', corners: cornersOfBox(x, y, x + 1, y + 1) }, 'EPSG:25832'),
    );
  const keys = tiles.map(({ key }) => key);
  const gaps = (coveredKeys: readonly string[], manyLooks = tiles) =>
    findIn(manyLooks, coveredKeys).filter(({ id }) => id === 'gaps').length;
  expect(gaps(keys)).toBe(1);
  expect(gaps([...keys, 'preview.txt', 'a.asc.xml'])).toBe(1);
  expect(gaps([...keys, '1_1.asc'])).toBe(0);
  expect(gaps([...keys, '1_1.tif'])).toBe(0);
  // A truncated tile still has its place.
  const cutLook: Look = {
    ...lookWith('1_1.asc', { kind: 'grid', corners: cornersOfBox(1, 1, 2, 2) }, 'EPSG:25832'),
    verdict: 'tooShort',
  };
  expect(gaps([...keys, cutLook.key], [...tiles, cutLook])).toBe(0);
});

it('createFindings() counts more files than it stores', () => {
  const manyLooks = Array.from({ length: 3_000 }, (_, at) => lookWith(`${at}.gml`, city(null)));
  const [group] = findIn(manyLooks);
  expect([group?.count, group?.keys.length]).toEqual([3_000, 1_000]);
});
