import fc from 'fast-check';
import proj4 from 'proj4';
import { expect, it } from 'vitest';
import table from '../../../../main/inspect/crs/epsg.json' with { type: 'json' };
import { toLonLat } from '../../../../main/inspect/crs/lon-lat.ts';
import type { System } from '../../../../main/inspect/crs/systems.ts';
import { placeOf } from '../../../../main/inspect/findings/position.ts';
import type { Head } from '../../../../main/inspect/formats/read-file.ts';
import { cornersOfBox } from '../../../../main/inspect/formats/systems/coordinate-system.ts';
import { factsOf } from '../../../../shared/findings.ts';
import { findInLooks, systemByCode } from './find-in.ts';

const codes = table.systems.map((row) => Number.parseInt(row, 10));

/** The middle of a system's area in its own coordinates; null where proj4 returns none. */
function middleOf({ box, definition }: System): readonly [number, number] | null {
  if (definition === null || definition.includes('+to_degree')) return null;
  const width = box.east >= box.west ? box.east - box.west : box.east + 360 - box.west;
  const lon = ((box.west + width / 2 + 540) % 360) - 180;
  try {
    const [x = Number.NaN, y = Number.NaN] = proj4('WGS84', definition).forward([
      lon,
      (box.south + box.north) / 2,
    ]);
    return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : null;
  } catch {
    return null;
  }
}

const ringAround = (x: number, y: number, radius: number) =>
  cornersOfBox(x - radius, y - radius, x + radius, y + radius) ?? [];
const kindAt = (system: System, x: number, y: number, radius = 0.0001) => {
  const place = placeOf(ringAround(x, y, radius), system, { toLonLat });
  return place?.kind === 'misplaced' ? place.why : (place?.kind ?? null);
};

it('placeOf() accepts the middle of every system’s area', () => {
  const strange = codes.flatMap((code) => {
    const system = systemByCode(code);
    const middle = system && middleOf(system);
    const findings = system && middle ? kindAt(system, ...middle) : null;
    return findings === null || findings === 'placed' ? [] : `${code} ${findings}`;
  });
  expect(strange).toEqual([]);
});

it('placeOf() identifies the mistake behind a wrong place in nine of ten cases', () => {
  const foot = 0.3048;
  const mistakes = {
    'swapped-axes': (x: number, y: number) => [y, x],
    millimetres: (x: number, y: number) => [x * 1_000, y * 1_000],
    'zone-prefix': (x: number, y: number, zone: number) => [x + zone * 1e6, y],
    feet: (x: number, y: number) => [x / foot, y / foot],
  } as const;
  const zones = [25832, 25833, 32632, 32633, 26917, 26918, 28355, 31982, 32736, 2154, 27700, 28992, 31370];
  const wrongCodes: string[] = [];
  for (const code of zones)
    for (const [cause, mistake] of Object.entries(mistakes)) {
      const system = systemByCode(code);
      const middle = system && middleOf(system);
      const [x = Number.NaN, y = Number.NaN] = middle ? mistake(...middle, 32) : [];
      const findings = system && kindAt(system, x, y, 50);
      if (findings !== cause) wrongCodes.push(`${code}: ${cause}, not ${findings}`);
    }
  expect(wrongCodes.length, wrongCodes.join('; ')).toBeLessThanOrEqual(
    (zones.length * Object.keys(mistakes).length) / 10,
  );
});

const number = fc.oneof(fc.double(), fc.double({ min: -1e8, max: 1e8 }), fc.constantFrom(0, -1, 180, 1e300));
const corners = fc.option(fc.array(fc.tuple(number, number), { minLength: 3, maxLength: 5 }));
const system = fc.option(
  fc.oneof(
    fc.constantFrom(...codes).map((code) => `EPSG:${code}`),
    fc.string(),
  ),
);
const nature = fc.constantFrom({}, { nature: 'engineering' as const }, { heights: 'feet' as const });
const head: fc.Arbitrary<Head | null> = fc.option(
  fc.oneof(
    fc
      .record({
        kind: fc.constant('tiff' as const),
        bands: fc.nat(),
        bits: fc.nat(),
        sample: fc.constantFrom('unsigned', 'signed', 'float'),
        palette: fc.boolean(),
        geo: fc.boolean(),
        corners,
        system,
        vertical: system,
      })
      .chain((head) => nature.map((traits) => ({ ...head, ...traits }))),
    fc.record({ kind: fc.constant('grid' as const), corners }),
    fc.record({
      kind: fc.constant('jpeg' as const),
      hasPosition: fc.boolean(),
      position: fc.tuple(number, number),
    }),
    fc.record({
      kind: fc.constant('las' as const),
      version: fc.string(),
      compressed: fc.boolean(),
      corners,
      system,
      vertical: system,
    }),
  ),
);

it('findings never throw, count twice or report an error without a proof for any headers', () => {
  const anyLook = fc.record({
    key: fc.string(),
    head,
    sidecarSystemName: system,
    verdict: fc.constantFrom(null, null, null, 'tooShort' as const, 'empty' as const),
  });
  fc.assert(
    fc.property(fc.array(anyLook, { maxLength: 12 }), (manyLooks) => {
      const groups = findInLooks(
        manyLooks,
        manyLooks.map(({ key }) => ({ key, size: 1 })),
      );
      for (const { id, count, keys } of groups) {
        const { level, proof } = factsOf(id);
        expect(level === 'will-fail' && proof === 'heuristic').toBe(false);
        expect(count).toBeLessThanOrEqual(manyLooks.length);
        expect(keys.length).toBeLessThanOrEqual(count);
      }
    }),
    { numRuns: 300 },
  );
});
