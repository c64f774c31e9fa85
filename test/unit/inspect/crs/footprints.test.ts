import { expect, it } from 'vitest';
import { metresBetween } from '../../../../main/inspect/crs/distance.ts';
import { footprint, footprintsOf } from '../../../../main/inspect/crs/footprints.ts';
import { toLonLat } from '../../../../main/inspect/crs/lon-lat.ts';
import { loadSystems } from '../../../../main/inspect/crs/systems.ts';
import type { LonLat } from '../../../../shared/source.ts';

const systems = await loadSystems();
const ringOf = (code: number, [west, south, east, north]: readonly [number, number, number, number]) => {
  const system = systems.systemByCode(code);
  const place = system && toLonLat(system);
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ] as const;
  return place ? footprint(corners, place) : null;
};

it('a footprint is the closed clockwise ring of the corners', () => {
  const ring = ringOf(4326, [9, 52, 9.01, 52.01]);
  expect(ring).toEqual([
    [9, 52.01],
    [9.01, 52.01],
    [9.01, 52],
    [9, 52],
    [9, 52.01],
  ]);
});

it('a footprint agrees with PROJ on the corners of a tile', () => {
  // By cs2cs of PROJ 9.1.1: EPSG:25832 to EPSG:4326.
  const expected: readonly LonLat[] = [
    [9.73762, 52.3515874],
    [9.7523006, 52.3514949],
    [9.752148, 52.3425052],
    [9.7374704, 52.3425978],
  ];
  const ring = ringOf(25832, [550_240, 5_799_400, 551_240, 5_800_400]) ?? [];
  expect(ring).toHaveLength(5);
  for (const [index, place] of expected.entries())
    expect(metresBetween(ring[index] ?? [0, 0], place)).toBeLessThan(0.1);
});

it('a footprint divides a curved edge', () => {
  const ring = ringOf(4326, [-125, 25, -67, 49]) ?? [];
  expect(ring.length).toBeGreaterThan(20);
  expect(ring.every(([, lat]) => lat >= 25 && lat <= 49)).toBe(true);
});

it('a footprint crosses the date line and surrounds a pole', () => {
  const fiji = ringOf(3832, [2_900_000, -2_000_000, 3_400_000, -1_500_000]) ?? [];
  expect(fiji.some(([lon]) => lon > 170)).toBe(true);
  expect(fiji.some(([lon]) => lon < -170)).toBe(true);
  const pole = ringOf(3031, [-1e6, -1e6, 1e6, 1e6]) ?? [];
  const turned = pole.slice(1).reduce((sum, [lon], index) => {
    const shift = lon - (pole[index]?.[0] ?? lon);
    return sum + shift - 360 * Math.round(shift / 360);
  }, 0);
  expect(Math.abs(turned)).toBeCloseTo(360, 6);
});

it('a footprint is null when a corner has no place', () => {
  expect(ringOf(4326, [9, 80, 10, 95])).toBeNull();
  expect(ringOf(25832, [0, 0, Number.NaN, 1])).toBeNull();
  expect(footprint([[1, 1]], (x, y) => [x, y])).toBeNull();
});

it('a footprint requires a system and corners', () => {
  const corners = [
    [550_000, 5_800_000],
    [551_000, 5_800_000],
    [551_000, 5_801_000],
  ] as const;
  const las = { kind: 'las', version: '1.4', compressed: false, vertical: null, corners } as const;
  const lookWith = (system: string | null, sidecarSystemName: string | null = null) => ({
    key: `${system} ${sidecarSystemName}`,
    head: { ...las, system },
    sidecarSystemName,
  });
  const foundFootprints = footprintsOf(
    [
      lookWith('EPSG:25832'),
      lookWith(null, 'EPSG:25832'),
      lookWith('EPSG:4978'),
      lookWith('Local grid'),
      lookWith(null),
      { key: 'unread', head: null, sidecarSystemName: null },
    ],
    systems,
  );
  expect(foundFootprints.map(({ key }) => key)).toEqual(['EPSG:25832 null', 'null EPSG:25832']);
});

it('a footprint is a metre wide around a photo', () => {
  const photo = { key: '1.jpg', sidecarSystemName: null };
  const head = { kind: 'jpeg', hasPosition: true, position: [7.5, 51.25] } as const;
  const [print] = footprintsOf([{ ...photo, head }], systems);
  const ring = print?.ring ?? [];
  expect(ring).toHaveLength(5);
  for (const [lon, lat] of ring) {
    expect(lon).toBeCloseTo(7.5, 4);
    expect(lat).toBeCloseTo(51.25, 4);
  }
  expect(footprintsOf([{ ...photo, head: { kind: 'jpeg', hasPosition: false } }], systems)).toEqual([]);
});

it('a footprint accepts either axis order of a city model', () => {
  const model = (system: string, corners: readonly (readonly [number, number])[]) => ({
    ...{ key: system, sidecarSystemName: null },
    head: { kind: 'gml', isCityGml: true, version: '2.0', vertical: null, system, corners } as const,
  });
  const square = (x: number, y: number, size: number) =>
    [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
    ] as const;
  const firstOf = (...parameters: Parameters<typeof model>) =>
    footprintsOf([model(...parameters)], systems)[0]?.ring[0]?.map(Math.round);
  expect(firstOf('EPSG:25832', square(550_000, 5_800_000, 100))).toEqual([10, 52]);
  expect(firstOf('EPSG:25832', square(5_800_000, 550_000, 100))).toEqual([10, 52]);
  expect(firstOf('EPSG:4258', square(52, 10, 0.1))).toEqual([10, 52]);
  // Outside the zone, where the system is used as well.
  expect(firstOf('EPSG:25832', square(840_000, 5_400_000, 100))).toEqual([14, 49]);
  // Both orders are possible: degrees prefer latitude first, metres east first.
  expect(firstOf('EPSG:4258', square(35, 39, 0.1))).toEqual([39, 35]);
  expect(firstOf('EPSG:4979', square(51, 7, 0.1))).toEqual([7, 51]);
  expect(firstOf('EPSG:3068', square(24_000, 20_000, 100))).toEqual([13, 53]);
  expect(firstOf('EPSG:25832', square(1, 1, 1))).toBeUndefined();
});
