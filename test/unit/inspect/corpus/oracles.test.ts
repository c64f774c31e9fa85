import { describe, expect, it } from 'vitest';
import { metresBetween } from '../../../../main/inspect/crs/distance.ts';
import { outlines } from '../../../../main/inspect/crs/footprints.ts';
import { loadSystems } from '../../../../main/inspect/crs/systems.ts';
import { FileBytes } from '../../../../main/inspect/formats/base/file-bytes.ts';
import { countPoints } from '../../../../main/inspect/formats/points/las.ts';
import type { Head } from '../../../../main/inspect/formats/read-file.ts';
import { files, lookAtAll, type RasterSays, saysOf } from './corpus.ts';

const results = await lookAtAll();
const outline = outlines(await loadSystems());

type RasterFacts = Readonly<Record<string, unknown>>;
const headOf = <Kind extends Head['kind']>(name: string, kind: Kind) => {
  const head = results.get(name)?.head;
  expect(head?.kind, name).toBe(kind);
  return head as Extract<Head, { kind: Kind }>;
};

/** Lists `name: fact` for all differences, and counts the facts. */
function compare(rasters: readonly (readonly [name: string, theirs: RasterFacts, ours: RasterFacts])[]) {
  const comparisons = rasters.flatMap(([name, theirFacts, ourFacts]) =>
    Object.keys(theirFacts).map((fact) => ({
      what: `${name}: ${fact}`,
      same: JSON.stringify(theirFacts[fact]) === JSON.stringify(ourFacts[fact]),
    })),
  );
  const differ = comparisons.filter(({ same: isSame }) => !isSame).map(({ what: subject }) => subject);
  return { differ, share: 1 - differ.length / comparisons.length };
}

/** Systems without an EPSG code are compared by presence. */
const coded = (system: string | null | undefined) =>
  system == null ? null : /^EPSG:/.test(system) ? system : 'by name';
const systemsOf = ({ system, coded: isCoded, vertical, nature }: Partial<RasterSays>) => ({
  system: system == null ? null : isCoded ? system : 'by name',
  vertical: coded(vertical),
  nature: nature ?? null,
});

describe('a TIFF agrees with GDAL', () => {
  const tiffs = saysOf('.tif');

  it('a TIFF agrees with GDAL on bands, bits, samples, palettes, nodata and systems in 99 of 100 cases', () => {
    expect(tiffs.length).toBeGreaterThan(150);
    const { differ, share: sameShare } = compare(
      tiffs.map(([name, oracle]) => {
        const head = headOf(name, 'tiff');
        const { bands, bits, sample, palette, noData } = oracle;
        const value = head.noData ?? null;
        return [
          name,
          { bands, bits, sample, palette, noData, ...systemsOf(oracle) },
          {
            ...{ bands: head.bands, bits: head.bits, sample: head.sample, palette: head.palette },
            noData: Number.isNaN(value) ? 'nan' : value,
            system: coded(head.system),
            vertical: coded(head.vertical),
            nature: head.nature ?? null,
          },
        ];
      }),
    );
    expect(differ).toEqual([
      // Compare number pairs as numbers.
      'layout_complex.tif: sample',
      'layout_complex_int.tif: sample',
      // GDAL adds a palette when white is 0.
      'layout_white_is_zero.tif: palette',
      // GDAL replaces deprecated codes by their successors.
      'raw_deprecated_code.tif: system',
      // Its unit contradicts its code, so that GDAL drops the code.
      'raw_feet_of_own.tif: system',
      // Pixel keys alone are no engineering system.
      'raw_only_pixels.tif: nature',
      // The file's own heights have no code.
      'raw_own_heights.tif: vertical',
      // Header readers don't know which numbers occur.
      'raw_unknown_code.tif: system',
      'raw_unknown_code.tif: nature',
    ]);
    expect(sameShare).toBeGreaterThan(0.99);
  });

  it('a TIFF agrees with GDAL on its corners: rotated, south up, pixel as point, by tie points and sidecars', () => {
    const offRasters = tiffs.filter(([name, { corners }]) => {
      const ourCorners = headOf(name, 'tiff').corners?.flat() ?? null;
      const theirCorners = corners?.flat() ?? null;
      if (ourCorners === null || theirCorners === null) return ourCorners !== theirCorners;
      return ourCorners.some((value, index) => Math.abs(value - (theirCorners[index] ?? Number.NaN)) > 1e-6);
    });
    expect(offRasters.map(([name]) => name)).toEqual([]);
  });

  it('a TIFF agrees with GDAL on completeness', () => {
    expect([...results].filter(([, { verdict }]) => verdict !== null).map(([name]) => name)).toEqual([]);
  });
});

describe('an outline', () => {
  const placedRasters = saysOf('.tif', '.asc', '.jpg', '.png').filter(([, { corners }]) => corners);

  /** Largest distance of a corner from the outline in metres. */
  const offPlaces = placedRasters.flatMap(([name, { extent, grid }]) => {
    const result = results.get(name);
    const ring = result ? outline({ key: name, ...result }) : null;
    if (!extent || !ring) return [];
    const metres = extent.map((corner) => Math.min(...ring.map((point) => metresBetween(corner, point))));
    return [{ name, grid, metres }];
  });

  it('an outline exists exactly for files that GDAL places', () => {
    const placedNames = new Set(offPlaces.map(({ name }) => name));
    const missing = placedRasters
      .filter(([name, { extent }]) => extent && !placedNames.has(name))
      .map(([name]) => name);
    // A plane through the centre of the earth has no places.
    expect(missing).toEqual(['raw_geocentric.tif', 'system_epsg_4978.tif']);
    const surplus = saysOf('.tif', '.asc', '.jpg', '.png').filter(([name, { extent }]) => {
      const result = results.get(name);
      return !extent && result && outline({ key: name, ...result }) !== null;
    });
    expect(surplus.map(([name]) => name)).toEqual([]);
  });

  it('an outline is within 1 m for 95 of 100 corners, and within 200 m if PROJ needs no grid', () => {
    expect(offPlaces.length).toBeGreaterThan(150);
    const distances = offPlaces.flatMap(({ metres }) => metres);
    expect(distances.filter((distance) => distance <= 1).length / distances.length).toBeGreaterThan(0.95);
    const wrongPlaces = offPlaces.filter(({ grid, metres }) => Math.max(...metres) > (grid ? 1_000 : 200));
    expect(wrongPlaces.map(({ name }) => name)).toEqual([]);
  });

  it.each('rotated rotated_much sheared south_up mirrored point point_south_up point_rotated'.split(' '))(
    'an outline is exact: %s',
    (name) => {
      const place = offPlaces.find((candidate) => candidate.name === `place_${name}.tif`);
      // The oracle has seven decimals of a degree.
      expect(Math.max(...(place?.metres ?? [Number.NaN]))).toBeLessThan(0.02);
    },
  );
});

it('a LAS file agrees with an independent reader on version, count, box and system', async () => {
  const clouds = saysOf('.las', '.laz');
  expect(clouds.length).toBeGreaterThan(70);
  const cloudResults = clouds.map(async ([name, oracle]) => {
    const head = headOf(name, 'las');
    const bytes = files.get(name) ?? Buffer.alloc(0);
    const file = new FileBytes(bytes.length, async (at, length) => bytes.subarray(at, at + length));
    const [west, south, east, north] = oracle.box ?? [];
    const { version, count, compressed, box } = oracle;
    const corners = box && [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ];
    return [
      name,
      { version, count, compressed, corners, ...systemsOf(oracle) },
      {
        ...{ version: head.version, count: await countPoints(file), compressed: head.compressed },
        corners: head.corners,
        system: coded(head.system),
        vertical: coded(head.vertical),
        nature: head.nature ?? null,
      },
    ] as const;
  });
  expect(compare(await Promise.all(cloudResults)).differ).toEqual([]);
});

it('a grid or picture has its sidecar’s system as GDAL reads it', () => {
  const otherRasters = saysOf('.asc', '.jpg', '.png');
  expect(otherRasters.length).toBeGreaterThan(20);
  const { differ } = compare(
    otherRasters.map(([name, oracle]) => {
      const { system, vertical } = results.get(name)?.sidecarSystem ?? { system: null, vertical: null };
      const theirSystems = systemsOf(oracle);
      return [
        name,
        { system: theirSystems.system, vertical: theirSystems.vertical },
        { system: coded(system), vertical: coded(vertical) },
      ];
    }),
  );
  expect(differ).toEqual([]);
});

describe('an IMAGINE file, a USGS DEM and a plain raster', () => {
  const otherRasters = saysOf('.img', '.dem', '.flt', '.bil');

  it('an IMAGINE file, a USGS DEM and a plain raster agree with GDAL on samples, nodata and corners', () => {
    expect(otherRasters.length).toBeGreaterThan(50);
    const { differ } = compare(
      otherRasters.map(([name, { bands, bits, sample, noData, corners }]) => {
        const head = results.get(name)?.head as Extract<Head, { bits: number; corners: unknown }>;
        const roundedCorners = (corners: RasterSays['corners']) =>
          corners?.flat().map((value) => value.toFixed(6)) ?? null;
        return [
          name,
          { bands, bits, sample, noData, corners: roundedCorners(corners) },
          {
            ...{ bands: head.bands, bits: head.bits, sample: head.sample },
            ...{ noData: head.noData ?? null, corners: roundedCorners(head.corners) },
          },
        ];
      }),
    );
    expect(differ).toEqual([]);
  });

  it('an IMAGINE file, a USGS DEM and a plain raster have a system when GDAL has one', () => {
    const hasSystem = ([name]: (typeof otherRasters)[number]) => {
      const { head, sidecarSystemName } = results.get(name) ?? {};
      return sidecarSystemName != null || (head && 'system' in head ? head.system !== null : false);
    };
    expect(
      otherRasters
        .filter((raster) => hasSystem(raster) !== (raster[1].system !== null))
        .map(([name]) => name),
    ).toEqual([]);
  });

  it('an IMAGINE file, a USGS DEM and a plain raster are placed within 200 m of GDAL in 95 of 100 cases', () => {
    const misplaced = otherRasters.filter(([name, { extent }]) => {
      const result = results.get(name);
      const ring = (result && outline({ key: name, ...result })) ?? null;
      if (!extent || !ring) return extent !== ring;
      return extent.some((corner) => Math.min(...ring.map((point) => metresBetween(corner, point))) > 200);
    });
    const names = misplaced.map(([name]) => name);
    expect(names.length / otherRasters.length, names.join()).toBeLessThanOrEqual(0.05);
  });
});
