import { expect, it } from 'vitest';
import { TileGrid } from '../../../../main/inspect/findings/tile-grid.ts';
import type { Head } from '../../../../main/inspect/formats/read-file.ts';
import { cornersOfBox } from '../../../../main/inspect/formats/systems/coordinate-system.ts';

const utm = 'EPSG:25832';
type Box = readonly [west: number, south: number, east: number, north: number];
type Added = readonly [key: string, box: Box | null, system?: string | null];

const kilometre = (column: number, row: number): Box => [
  550_000 + column * 1_000,
  5_800_000 + row * 1_000,
  551_000 + column * 1_000,
  5_801_000 + row * 1_000,
];
/** Without the middle tile. */
const ring: readonly Added[] = [0, 1, 2].flatMap((column) =>
  [0, 1, 2].flatMap((row) =>
    column === 1 && row === 1 ? [] : [[`${column}_${row}.asc`, kilometre(column, row)] as const],
  ),
);
const twins: readonly Added[] = [...ring, ['a.asc', kilometre(0, 0)]];

function findIn(added: readonly Added[], duplicates: readonly string[] = []) {
  const grid = new TileGrid();
  for (const [key, box, system = utm] of added) {
    const head: Head | null = box && { kind: 'grid', corners: cornersOfBox(...box) };
    grid.add({ key, head }, system);
  }
  return grid.find((key) => duplicates.includes(key));
}

it('TileGrid reports a missing tile among others', () => {
  expect(findIn(ring)).toEqual([{ id: 'gaps', values: { missing: 1 }, count: 8, keys: [] }]);
});

it('TileGrid reports tiles in one place unless they are duplicates', () => {
  expect(findIn(twins)[0]).toEqual({ id: 'overlaps', count: 2, keys: ['0_0.asc', 'a.asc'] });
  expect(findIn(twins, ['0_0.asc', 'a.asc']).map(({ id }) => id)).toEqual(['gaps']);
  // A third one is another file.
  const third = findIn([...twins, ['b.asc', kilometre(0, 0)]], ['0_0.asc', 'a.asc']);
  expect(third[0]).toMatchObject({ id: 'overlaps', count: 3 });
});

it('TileGrid tolerates small overlaps', () => {
  const wideTiles = ring.map(([key, box]): Added => [key, box && [box[0], box[1] - 1, box[2] + 1, box[3]]]);
  expect(findIn(wideTiles).map(({ id }) => id)).toEqual(['gaps']);
});

it.each<readonly [string, Added]>([
  ['one that could not be read', ['x.tif', null]],
  ['one without a place', ['x.png', null]],
  ['one of another system', ['x.asc', kilometre(3, 0), 'EPSG:25833']],
  ['one without a system', ['x.asc', kilometre(3, 0), null]],
  ['one of another size', ['x.asc', [553_000, 5_800_000, 553_500, 5_801_000]]],
  ['one beside its place', ['x.asc', [553_100, 5_800_000, 554_100, 5_801_000]]],
])('TileGrid reports nothing with %s', (_what, otherTile) => {
  expect(findIn([...twins, otherTile])).toEqual([]);
  expect(findIn([otherTile, ...twins])).toEqual([]);
});

it('TileGrid reports nothing for rotated tiles', () => {
  const grid = new TileGrid();
  for (const [key, box] of ring) {
    const [west, south] = box ?? kilometre(0, 0);
    const corners = [
      [west + 500, south],
      [west + 1_000, south + 500],
      [west + 500, south + 1_000],
      [west, south + 500],
    ] as const;
    grid.add({ key, head: { kind: 'grid', corners } }, utm);
  }
  expect(grid.find(() => false)).toEqual([]);
});

it('TileGrid ignores other files', () => {
  const furtherTiles: readonly Added[] = [
    ['a.xml', null],
    ['outline.shp', null],
    ['a_hillshade.tif', kilometre(0, 0)],
  ];
  expect(findIn([...ring, ...furtherTiles]).map(({ id }) => id)).toEqual(['gaps']);
});

it('TileGrid tolerates a deliberate hole', () => {
  const tilesAround = (side: number, hole: number): readonly Added[] =>
    Array.from({ length: side * side }, (_, at) => [at % side, Math.floor(at / side)] as const)
      .filter(([column, row]) => [column, row].some((position) => position < 2 || position >= 2 + hole))
      .map(([column, row]) => [`${column}_${row}.asc`, kilometre(column, row)]);
  expect(findIn(tilesAround(20, 5))).toEqual([]);
  expect(findIn(tilesAround(20, 4))).toMatchObject([{ id: 'gaps', values: { missing: 16 } }]);
});

it('TileGrid handles 100,000 tiles, and no sparse grid', () => {
  const manyTiles = (count: number) =>
    Array.from({ length: count }, (_, at): Added => {
      const skippedIndex = at >= 500 * 20 + 20 ? at + 1 : at;
      return [`${at}.asc`, kilometre(skippedIndex % 500, Math.floor(skippedIndex / 500))];
    });
  expect(findIn(manyTiles(100_000))).toMatchObject([{ id: 'gaps', values: { missing: 1 } }]);
  expect(findIn(manyTiles(100_001))).toEqual([]);
  expect(findIn([...ring, ['far.asc', kilometre(1_000_000, 1_000_000)]])).toEqual([]);
});
