import { describe, expect, it } from 'vitest';
import { metresBetween } from '../../../../main/inspect/crs/distance.ts';
import { outlines } from '../../../../main/inspect/crs/footprints.ts';
import { loadSystems } from '../../../../main/inspect/crs/systems.ts';
import { FileBytes } from '../../../../main/inspect/formats/base/file-bytes.ts';
import { countPoints } from '../../../../main/inspect/formats/points/las.ts';
import type { Head } from '../../../../main/inspect/formats/read-file.ts';
import { files, lookAtAll, type RasterSays, saysOf } from './corpus.ts';

const looks = await lookAtAll();
const outline = outlines(await loadSystems());

type Facts = Readonly<Record<string, unknown>>;
const headOf = <Kind extends Head['kind']>(name: string, kind: Kind) => {
  const head = looks.get(name)?.head;
  expect(head?.kind, name).toBe(kind);
  return head as Extract<Head, { kind: Kind }>;
};

/** `name: fact` for all that differ, and how many facts there are. */
function compare(each: readonly (readonly [name: string, theirs: Facts, ours: Facts])[]) {
  const all = each.flatMap(([name, theirs, ours]) =>
    Object.keys(theirs).map((fact) => ({
      what: `${name}: ${fact}`,
      same: JSON.stringify(theirs[fact]) === JSON.stringify(ours[fact]),
    })),
  );
  const differ = all.filter(({ same }) => !same).map(({ what }) => what);
  return { differ, share: 1 - differ.length / all.length };
}

/** What has no code of EPSG is told by some name. */
const coded = (system: string | null | undefined) =>
  system == null ? null : /^EPSG:/.test(system) ? system : 'by name';
const systemsOf = ({ system, coded: isCoded, vertical, nature }: Partial<RasterSays>) => ({
  system: system == null ? null : isCoded ? system : 'by name',
  vertical: coded(vertical),
  nature: nature ?? null,
});

describe('a TIFF says what GDAL says', () => {
  const tiffs = saysOf('.tif');

  it('of bands, bits, samples, palettes, values without data, and systems: 99 of 100', () => {
    expect(tiffs.length).toBeGreaterThan(150);
    const { differ, share } = compare(
      tiffs.map(([name, says]) => {
        const head = headOf(name, 'tiff');
        const { bands, bits, sample, palette, noData } = says;
        const value = head.noData ?? null;
        return [
          name,
          { bands, bits, sample, palette, noData, ...systemsOf(says) },
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
      // Pairs of numbers are told by the numbers.
      'layout_complex.tif: sample',
      'layout_complex_int.tif: sample',
      // GDAL makes colours for a picture whose white is 0.
      'layout_white_is_zero.tif: palette',
      // GDAL takes what EPSG has put in place of a deprecated code.
      'raw_deprecated_code.tif: system',
      // Its unit contradicts its code, which GDAL then drops.
      'raw_feet_of_own.tif: system',
      // Keys that say only how pixels are meant are no system of a site.
      'raw_only_pixels.tif: nature',
      // Heights of the file's own without a number.
      'raw_own_heights.tif: vertical',
      // Which numbers there are is not known where heads are read.
      'raw_unknown_code.tif: system',
      'raw_unknown_code.tif: nature',
    ]);
    expect(share).toBeGreaterThan(0.99);
  });

  it('of its corners: rotated, south up, points for pixels, told by points or by a file beside it', () => {
    const off = tiffs.filter(([name, { corners }]) => {
      const ours = headOf(name, 'tiff').corners?.flat() ?? null;
      const theirs = corners?.flat() ?? null;
      if (ours === null || theirs === null) return ours !== theirs;
      return ours.some((value, index) => Math.abs(value - (theirs[index] ?? Number.NaN)) > 1e-6);
    });
    expect(off.map(([name]) => name)).toEqual([]);
  });

  it('and is whole', () => {
    expect([...looks].filter(([, { verdict }]) => verdict !== null).map(([name]) => name)).toEqual([]);
  });
});

describe('an outline', () => {
  const placed = saysOf('.tif', '.asc', '.jpg', '.png').filter(([, { corners }]) => corners);

  /** Metres by which the farthest corner is beside the outline. */
  const off = placed.flatMap(([name, { extent, grid }]) => {
    const look = looks.get(name);
    const ring = look ? outline({ key: name, ...look }) : null;
    if (!extent || !ring) return [];
    const metres = extent.map((corner) => Math.min(...ring.map((point) => metresBetween(corner, point))));
    return [{ name, grid, metres }];
  });

  it('is there for every file of which GDAL tells one, and for no other', () => {
    const has = new Set(off.map(({ name }) => name));
    const missing = placed.filter(([name, { extent }]) => extent && !has.has(name)).map(([name]) => name);
    // In a plane through the middle of the earth there are no places.
    expect(missing).toEqual(['raw_geocentric.tif', 'system_epsg_4978.tif']);
    const surplus = saysOf('.tif', '.asc', '.jpg', '.png').filter(([name, { extent }]) => {
      const look = looks.get(name);
      return !extent && look && outline({ key: name, ...look }) !== null;
    });
    expect(surplus.map(([name]) => name)).toEqual([]);
  });

  it('is within a metre for 95 of 100 corners, and within 200 m where PROJ needs no grid', () => {
    expect(off.length).toBeGreaterThan(150);
    const all = off.flatMap(({ metres }) => metres);
    expect(all.filter((one) => one <= 1).length / all.length).toBeGreaterThan(0.95);
    const wrong = off.filter(({ grid, metres }) => Math.max(...metres) > (grid ? 1_000 : 200));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    'rotated',
    'rotated_much',
    'sheared',
    'south_up',
    'mirrored',
    'point',
    'point_south_up',
    'point_rotated',
  ])('is exact: %s', (name) => {
    const found = off.find((one) => one.name === `place_${name}.tif`);
    // The oracle has seven decimals of a degree.
    expect(Math.max(...(found?.metres ?? [Number.NaN]))).toBeLessThan(0.02);
  });
});

it('a LAS file says what a reader of its own says of version, count, box and system', async () => {
  const clouds = saysOf('.las', '.laz');
  expect(clouds.length).toBeGreaterThan(70);
  const each = clouds.map(async ([name, says]) => {
    const head = headOf(name, 'las');
    const bytes = files.get(name) ?? Buffer.alloc(0);
    const file = new FileBytes(bytes.length, async (at, length) => bytes.subarray(at, at + length));
    const [west, south, east, north] = says.box ?? [];
    const { version, count, compressed, box } = says;
    const corners = box && [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ];
    return [
      name,
      { version, count, compressed, corners, ...systemsOf(says) },
      {
        ...{ version: head.version, count: await countPoints(file), compressed: head.compressed },
        corners: head.corners,
        system: coded(head.system),
        vertical: coded(head.vertical),
        nature: head.nature ?? null,
      },
    ] as const;
  });
  expect(compare(await Promise.all(each)).differ).toEqual([]);
});

it('a grid or a picture has the system that stands beside it as GDAL understands it', () => {
  const others = saysOf('.asc', '.jpg', '.png');
  expect(others.length).toBeGreaterThan(20);
  const { differ } = compare(
    others.map(([name, says]) => {
      const { system, vertical } = looks.get(name)?.sidecarSystem ?? { system: null, vertical: null };
      const theirs = systemsOf(says);
      return [
        name,
        { system: theirs.system, vertical: theirs.vertical },
        { system: coded(system), vertical: coded(vertical) },
      ];
    }),
  );
  expect(differ).toEqual([]);
});

describe('an IMAGINE file, a USGS DEM and a plain raster', () => {
  const others = saysOf('.img', '.dem', '.flt', '.bil');

  it('say what GDAL says of samples, values without data and corners', () => {
    expect(others.length).toBeGreaterThan(50);
    const { differ } = compare(
      others.map(([name, { bands, bits, sample, noData, corners }]) => {
        const head = looks.get(name)?.head as Extract<Head, { bits: number; corners: unknown }>;
        const rounded = (all: RasterSays['corners']) => all?.flat().map((value) => value.toFixed(6)) ?? null;
        return [
          name,
          { bands, bits, sample, noData, corners: rounded(corners) },
          {
            ...{ bands: head.bands, bits: head.bits, sample: head.sample },
            ...{ noData: head.noData ?? null, corners: rounded(head.corners) },
          },
        ];
      }),
    );
    expect(differ).toEqual([]);
  });

  it('have a system where GDAL has one', () => {
    const has = ([name]: (typeof others)[number]) => {
      const { head, sidecarSystemName } = looks.get(name) ?? {};
      return sidecarSystemName != null || (head && 'system' in head ? head.system !== null : false);
    };
    expect(others.filter((other) => has(other) !== (other[1].system !== null)).map(([name]) => name)).toEqual(
      [],
    );
  });

  it('lie within 200 m of where GDAL places them, in 95 of 100 cases', () => {
    const misplaced = others.filter(([name, { extent }]) => {
      const look = looks.get(name);
      const ring = (look && outline({ key: name, ...look })) ?? null;
      if (!extent || !ring) return extent !== ring;
      return extent.some((corner) => Math.min(...ring.map((point) => metresBetween(corner, point))) > 200);
    });
    const names = misplaced.map(([name]) => name);
    expect(names.length / others.length, names.join()).toBeLessThanOrEqual(0.05);
  });
});
