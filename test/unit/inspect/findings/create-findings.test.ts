import { describe, expect, it } from 'vitest';
import { createFindings } from '../../../../main/inspect/findings/create-findings.ts';
import type { Head } from '../../../../main/inspect/formats/read-file.ts';
import { cornersOfBox } from '../../../../main/inspect/formats/systems/coordinate-system.ts';
import type { Look } from '../../../../main/inspect/headers/look-inside.ts';

const look = (key: string, head: Head | null, sidecarSystemName: string | null = null): Look => ({
  key,
  head,
  sidecarSystemName,
  verdict: null,
});
const findIn = (looks: readonly Look[], keys: readonly string[] = looks.map(({ key }) => key)) => {
  const findings = createFindings(
    keys.map((key) => ({ key, size: 1 })),
    null,
  );
  for (const one of looks) findings.add(one);
  return findings.finish();
};
const city = (system: string | null): Head => ({
  kind: 'gml',
  vertical: null,
  isCityGml: true,
  version: '2.0',
  system,
});

describe('createFindings()', () => {
  it('reports incomplete and foreign files, whatever their content', () => {
    const looks: readonly Look[] = [
      { ...look('b.gml', city('EPSG:25832')), verdict: 'noEnd' },
      { ...look('a.tif', null), verdict: 'tooShort' },
      { ...look('d.tif', null), verdict: 'lfsPointer' },
      look('c.gml', city('EPSG:25832')),
    ];
    expect(findIn(looks)).toEqual([
      { id: 'cut-off', count: 2, looked: 4, total: 4, keys: ['a.tif', 'b.gml'], fix: { kind: 'leave-out' } },
      { id: 'lfs-pointer', count: 1, looked: 2, total: 2, keys: ['d.tif'], fix: { kind: 'leave-out' } },
    ]);
  });

  it('reports a system missing inside and in sidecars', () => {
    const looks = [
      look('dgm_03.asc', { kind: 'grid', corners: null }, 'EPSG:25832'),
      look('dgm_05.asc', { kind: 'grid', corners: null }),
      look('dgm_04.asc', { kind: 'grid', corners: null }),
    ];
    const found = findIn(looks, [...looks.map(({ key }) => key), 'dgm_06.asc', 'notes.txt']);
    expect(found).toEqual([
      {
        id: 'no-system-raster',
        count: 2,
        looked: 3,
        total: 4,
        keys: ['dgm_04.asc', 'dgm_05.asc'],
        fix: { kind: 'assign' },
      },
    ]);
  });

  it('reports nothing when all files have a system or none is readable', () => {
    expect(findIn([look('a.gml', city('EPSG:25832')), look('b.gml', null)])).toEqual([]);
    expect(findIn([])).toEqual([]);
  });

  it('reports missing positions for a capture, a missing system for imagery', () => {
    const groups = findIn([look('1.jpg', { kind: 'jpeg', hasPosition: false })]);
    expect(groups.map(({ id }) => id)).toEqual(['no-system-raster', 'photos-without-position']);
  });

  it('reports gaps between tiles only after all files', () => {
    const places = [0, 1, 2].flatMap((x) => [0, 1, 2].map((y) => [x, y] as const));
    const tiles = places
      .filter(([x, y]) => x !== 1 || y !== 1)
      .map(([x, y]) =>
        look(`${x}_${y}.asc`, { kind: 'grid', corners: cornersOfBox(x, y, x + 1, y + 1) }, 'EPSG:25832'),
      );
    const keys = tiles.map(({ key }) => key);
    const gaps = (of: readonly string[], looks = tiles) =>
      findIn(looks, of).filter(({ id }) => id === 'gaps').length;
    expect(gaps(keys)).toBe(1);
    expect(gaps([...keys, 'preview.txt', 'a.asc.xml'])).toBe(1);
    expect(gaps([...keys, '1_1.asc'])).toBe(0);
    expect(gaps([...keys, '1_1.tif'])).toBe(0);
    // A truncated tile still has its place.
    const cut: Look = {
      ...look('1_1.asc', { kind: 'grid', corners: cornersOfBox(1, 1, 2, 2) }, 'EPSG:25832'),
      verdict: 'tooShort',
    };
    expect(gaps([...keys, cut.key], [...tiles, cut])).toBe(0);
  });

  it('counts more files than it stores', () => {
    const looks = Array.from({ length: 3_000 }, (_, at) => look(`${at}.gml`, city(null)));
    const [group] = findIn(looks);
    expect([group?.count, group?.keys.length]).toEqual([3_000, 1_000]);
  });
});
