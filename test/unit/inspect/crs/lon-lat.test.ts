import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { metresBetween } from '../../../../main/inspect/crs/distance.ts';
import { toLonLat } from '../../../../main/inspect/crs/lon-lat.ts';
import { loadSystems } from '../../../../main/inspect/crs/systems.ts';
import type { LonLat } from '../../../../shared/source.ts';

const { systemByCode } = await loadSystems();

/** PROJ's places of three points of each system (tools/epsg). */
const readOracle = (name: string) =>
  (JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as readonly string[]).map((row) => {
    const [code = '', ...points] = row.split('|');
    return {
      code: Number(code),
      points: points.filter((point) => point !== '').map((point) => point.split(' ').map(Number)),
    };
  });
const oracle = readOracle('oracle.json');

/** Metres between PROJ's place and ours; null if we have none. */
const offOf = ({ code, points }: (typeof oracle)[number]) => {
  const system = systemByCode(code);
  const place = system && toLonLat(system);
  return points.map(([x = 0, y = 0, lon = 0, lat = 0]) => {
    const foundPoint = place?.(x, y);
    return foundPoint ? metresBetween(foundPoint, [lon, lat]) : null;
  });
};

describe('the table of coordinate systems compared with PROJ', () => {
  const judgedSystems = oracle.map((system) => ({ ...system, off: offOf(system) }));
  const distances = judgedSystems.flatMap(({ off }) => off);
  const shareWithin = (maximum: number) =>
    distances.filter((distance) => distance !== null && distance <= maximum).length / distances.length;

  it('the table of coordinate systems compared with PROJ contains every current code, and places 99 of 100 that PROJ places', () => {
    expect(oracle.length).toBeGreaterThan(5600);
    expect(oracle.filter(({ code }) => systemByCode(code) === null)).toEqual([]);
    const knownSystems = oracle.filter(({ points }) => points.length > 0);
    const placedSystems = knownSystems.filter(({ code }) => systemByCode(code)?.definition);
    expect(placedSystems.length / knownSystems.length).toBeGreaterThan(0.99);
  });

  it('the table of coordinate systems compared with PROJ is within 10 m for 93 of 100 points, and within 1 km for 99', () => {
    expect(shareWithin(10)).toBeGreaterThan(0.93);
    expect(shareWithin(1000)).toBeGreaterThan(0.99);
  });

  it('the table of coordinate systems compared with PROJ places 9 of 10 deprecated systems without successor, and none wrongly', () => {
    const loneSystems = readOracle('oracle-deprecated.json').filter(
      ({ code }) => !systemByCode(code)?.successor,
    );
    const oldSystems = loneSystems.map((system) => ({ ...system, off: offOf(system) }));
    const placedSystems = oldSystems.filter(
      ({ off }) => off.length > 0 && off.every((distance) => distance !== null && distance <= 1000),
    );
    const knownSystems = oldSystems.filter(({ off }) => off.length > 0);
    expect(knownSystems.length).toBeGreaterThan(100);
    expect(placedSystems.length / knownSystems.length).toBeGreaterThan(0.9);
    expect(
      oldSystems.filter(({ off }) => off.some((distance) => distance !== null && distance > 1000)),
    ).toEqual([]);
  });

  it('the table of coordinate systems compared with PROJ has no wrong place for any code', () => {
    const wrongSystems = judgedSystems.filter(({ off }) =>
      off.some((distance) => distance !== null && distance > 1000),
    );
    expect(wrongSystems).toEqual([]);
  });

  it.each([25832, 25833, 4326, 4258, 3857, 32633, 2056, 28992, 2154, 31467, 3035])(
    'the table of coordinate systems compared with PROJ is within 5 m for EPSG:%d',
    (code) => {
      const foundSystem = judgedSystems.find((candidate) => candidate.code === code);
      expect(foundSystem?.off).toHaveLength(3);
      expect(foundSystem?.off.every((distance) => distance !== null && distance < 5)).toBe(true);
    },
  );
});

describe('toLonLat()', () => {
  const place = (code: number, x: number, y: number): LonLat | null => {
    const system = systemByCode(code);
    return (system && toLonLat(system)?.(x, y)) ?? null;
  };

  it('toLonLat() returns null without a throw for impossible coordinates', () => {
    expect(place(4978, 1, 2)).toBeNull();
    expect(place(4326, 10, 91)).toBeNull();
    for (const wild of [Number.NaN, Number.POSITIVE_INFINITY, 1e300])
      expect(place(25832, wild, wild)).toBeNull();
    expect(toLonLat({ definition: '+proj=nothing-known' })).toBeNull();
    expect(toLonLat({ definition: null })).toBeNull();
  });

  it('toLonLat() normalizes longitudes to ±180 degrees', () => {
    expect(place(4326, 190, 10)).toEqual([-170, 10]);
    expect(place(4326, -180, 10)).toEqual([-180, 10]);
  });
});
