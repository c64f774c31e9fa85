import { field, numbersIn, toList } from '../base/json.ts';
import { type Corners, cornersOfBox, type NamedSystem, noSystem } from '../systems/coordinate-system.ts';
import { majorAxis, nearSurface } from '../systems/earth-centred.ts';
import { PointExtent } from '../systems/extent.ts';

/** Facts from a tileset (OGC 3D Tiles 1.1). */
export interface TilesetHead extends NamedSystem {
  readonly kind: 'tileset';
  /** The root's; absent if not on earth. */
  readonly corners?: Corners;
  /** No tile has content. */
  readonly isEmpty?: true;
}

/** Checks the two required members. */
export const isTileset = (document: unknown): boolean =>
  typeof field(document, 'asset') === 'object' && typeof field(document, 'root') === 'object';

/** Regions are in EPSG:4979, boxes and spheres relative to a transform. */
export function headOfTileset(document: unknown): TilesetHead {
  const root = field(document, 'root');
  const volume = field(root, 'boundingVolume');
  const corners =
    cornersOfRegion(numbersIn(field(volume, 'region'), 6)) ??
    cornersOfSolid(volume, numbersIn(field(root, 'transform'), 16) ?? identity);
  return {
    kind: 'tileset',
    ...noSystem,
    ...(corners && { corners, system: 'EPSG:4979' }),
    ...(!hasContent(document) && { isEmpty: true as const }),
  };
}

const degree = Math.PI / 180;

function cornersOfRegion(region: readonly number[] | null): Corners | null {
  if (!region) return null;
  const [west = 0, south = 0, east = 0, north = 0] = region.map((angle) => angle / degree);
  return cornersOfBox(west, south, east < west ? east + 360 : east, north);
}

type Vector = readonly [x: number, y: number, z: number];

const identity: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
/** Metres; larger boxes aren't mapped. */
const maxRadius = 1_000_000;

function cornersOfSolid(volume: unknown, transform: readonly number[]): Corners | null {
  const boxNumbers = numbersIn(field(volume, 'box'), 12);
  const solid = boxNumbers ?? numbersIn(field(volume, 'sphere'), 4);
  if (!solid) return null;
  const [, , , sphereRadius = 0] = solid;
  const [x, y, z] = boxNumbers
    ? [vectorAt(boxNumbers, 3), vectorAt(boxNumbers, 6), vectorAt(boxNumbers, 9)]
    : [[sphereRadius, 0, 0] as const, [0, sphereRadius, 0] as const, [0, 0, sphereRadius] as const];
  const axes = [transformVector(transform, x), transformVector(transform, y), transformVector(transform, z)];
  const middle = sumOf([transformVector(transform, vectorAt(solid, 0)), vectorAt(transform, 12)]);
  const [longitude, latitude] = nearSurface(middle) ?? [];
  const radius = Math.hypot(...axes.flat());
  if (longitude === undefined || latitude === undefined || !(radius <= maxRadius)) return null;
  if (!boxNumbers) return cornersAround(longitude, latitude, radius / Math.sqrt(3));
  const extent = new PointExtent();
  for (let corner = 0; corner < 8; corner++) {
    const signs = [0, 1, 2].map((bit) => (corner & (1 << bit) ? 1 : -1));
    const offsets = axes.map(([x, y, z], axis) => {
      const axisSign = signs[axis] ?? 1;
      return [x * axisSign, y * axisSign, z * axisSign] as const;
    });
    const [east, north] = nearSurface(sumOf([middle, ...offsets])) ?? [];
    if (east === undefined || north === undefined) return cornersAround(longitude, latitude, radius);
    // Stays on the middle's side of the date line.
    extent.add(longitude + ((((east - longitude + 180) % 360) + 360) % 360) - 180, north);
  }
  return extent.corners;
}

function vectorAt(numbers: readonly number[], startIndex: number): Vector {
  const [x = 0, y = 0, z = 0] = numbers.slice(startIndex, startIndex + 3);
  return [x, y, z];
}

/** Column-major. */
const transformVector = (matrix: readonly number[], [x, y, z]: Vector): Vector =>
  vectorAt(
    [0, 1, 2].map((row) => (matrix[row] ?? 0) * x + (matrix[row + 4] ?? 0) * y + (matrix[row + 8] ?? 0) * z),
    0,
  );

const sumOf = (vectors: readonly Vector[]): Vector =>
  vectors.reduce(([a, b, c], [x, y, z]) => [a + x, b + y, c + z], [0, 0, 0]);

/** `radius`: metres. */
function cornersAround(longitude: number, latitude: number, radius: number): Corners | null {
  const north = radius / (majorAxis * degree);
  const east = north / Math.max(Math.cos(latitude * degree), 0.01);
  return cornersOfBox(
    longitude - east,
    Math.max(latitude - north, -90),
    longitude + east,
    Math.min(latitude + north, 90),
  );
}

/**
 * Returns the URIs of contents, tilesets, the metadata schema, and the root subtree of implicit tilings,
 * without query and fragment. `limit`: how many at most.
 */
export function contentsOf(document: unknown, limit: number): readonly string[] {
  const names = new Set<string>();
  const addName = (uri: unknown) => {
    const path = typeof uri === 'string' && !/^(?:data|blob):/i.test(uri) ? uri.split(/[?#]/, 1)[0] : '';
    if (path) names.add(path);
  };
  addName(field(document, 'schemaUri'));
  for (const { uris, extensions, tile } of tilesIn(document)) {
    for (const uri of uris) addName(uri);
    const implicit = field(tile, 'implicitTiling') ?? field(extensions, '3DTILES_implicit_tiling');
    const subtrees = field(field(implicit, 'subtrees'), 'uri');
    if (typeof subtrees === 'string') addName(subtrees.replaceAll(/\{(?:level|x|y|z)\}/g, '0'));
    if (names.size >= limit) break;
  }
  return [...names];
}

function hasContent(document: unknown): boolean {
  for (const { uris } of tilesIn(document))
    if (uris.some((uri) => typeof uri === 'string' && uri !== '')) return true;
  return false;
}

function* tilesIn(document: unknown) {
  const tiles = [field(document, 'root')];
  while (tiles.length > 0) {
    const tile = tiles.pop();
    const extensions = field(tile, 'extensions');
    const multipleContents = field(extensions, '3DTILES_multiple_contents');
    const contents = [
      field(tile, 'content'),
      ...[
        field(tile, 'contents'),
        field(multipleContents, 'contents'),
        field(multipleContents, 'content'),
      ].flatMap(toList),
    ];
    // 3D Tiles 0.0 and many exporters use `url`.
    yield {
      tile,
      extensions,
      uris: contents.map((content) => field(content, 'uri') ?? field(content, 'url')),
    };
    for (const child of toList(field(tile, 'children'))) tiles.push(child);
  }
}
