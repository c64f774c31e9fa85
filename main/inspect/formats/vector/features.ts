import { field, numbersIn, toList } from '../base/json.ts';
import {
  type Corners,
  cornersOfBox,
  type NamedSystem,
  systemOfSrsName,
} from '../systems/coordinate-system.ts';
import { nearSurface } from '../systems/earth-centred.ts';
import { PointExtent } from '../systems/extent.ts';

/** Facts from GeoJSON, TopoJSON and CZML. */
export interface FeaturesHead extends NamedSystem {
  readonly kind: 'features';
  /** Absent without coordinates. */
  readonly corners?: Corners;
}

/** RFC 7946, section 4, and the CZML guide. */
const worldSystem: NamedSystem = { system: 'EPSG:4326', vertical: null };

const geometries = new Set([
  ...['Feature', 'FeatureCollection', 'GeometryCollection', 'Point', 'MultiPoint'],
  ...['LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'],
]);

/** Null for other documents. */
export function headOfFeatures(document: unknown): FeaturesHead | null {
  const type = field(document, 'type');
  if (Array.isArray(document))
    return headOf(isCzml(document) ? czmlCorners(document) : undefined, worldSystem);
  if (type === 'Topology') return headOf(topologyCorners(document), systemIn(document));
  return geometries.has(String(type)) ? headOf(geometryCorners(document), systemIn(document)) : null;
}

function headOf(corners: Corners | null | undefined, system: NamedSystem): FeaturesHead | null {
  return corners === undefined ? null : { kind: 'features', ...system, ...(corners && { corners }) };
}

const isCzml = ([firstPacket]: readonly unknown[]): boolean => field(firstPacket, 'id') === 'document';

/** GeoJSON 2008, section 3: `crs`, which GDAL writes and RFC 7946 removed; `null` means none. */
function systemIn(document: unknown): NamedSystem {
  const crs = field(document, 'crs');
  const name = field(field(crs, 'properties'), 'name');
  if (crs === null) return { system: null, vertical: null };
  return typeof name !== 'string' || /CRS:?84/i.test(name) ? worldSystem : systemOfSrsName(name);
}

function cornersOf(bbox: unknown): Corners | null {
  const numbers = numbersIn(bbox, 4);
  const dimensions = numbers?.length === 6 ? 3 : 2;
  if (!numbers || numbers.length !== 2 * dimensions) return null;
  const [west = 0, south = 0, east = 0, north = 0] = [0, 1, dimensions, dimensions + 1].map(
    (index) => numbers[index],
  );
  // RFC 7946, section 5.2: across the date line.
  return cornersOfBox(west, south, east < west ? east + 360 : east, north);
}

function geometryCorners(document: unknown): Corners | null {
  const boundingBox = cornersOf(field(document, 'bbox'));
  if (boundingBox) return boundingBox;
  const extent = new PointExtent();
  const pendingValues = [document];
  while (pendingValues.length > 0) {
    const value = pendingValues.pop();
    if (Array.isArray(value)) {
      const [x, y] = value;
      if (typeof x === 'number') extent.add(x, y);
      else for (const element of value) pendingValues.push(element);
      continue;
    }
    for (const name of ['features', 'geometry', 'geometries', 'coordinates']) {
      const child = field(value, name);
      if (typeof child === 'object' && child !== null) pendingValues.push(child);
    }
  }
  return extent.corners;
}

/** Arcs with a transform are relative to their first point (TopoJSON 1.0, 2.1.2). */
function topologyCorners(document: unknown): Corners | null {
  const boundingBox = cornersOf(field(document, 'bbox'));
  if (boundingBox) return boundingBox;
  const transform = field(document, 'transform');
  const [transformScale, transformShift] = [
    numbersIn(field(transform, 'scale'), 2),
    numbersIn(field(transform, 'translate'), 2),
  ];
  const extent = new PointExtent();
  for (const arc of toList(field(document, 'arcs'))) {
    let [sumX, sumY] = [0, 0];
    for (const point of toList(arc)) {
      const [x, y] = numbersIn(point, 2) ?? [];
      if (x === undefined || y === undefined) continue;
      [sumX, sumY] = transformScale ? [sumX + x, sumY + y] : [x, y];
      extent.add(
        sumX * (transformScale?.[0] ?? 1) + (transformShift?.[0] ?? 0),
        sumY * (transformScale?.[1] ?? 1) + (transformShift?.[1] ?? 0),
      );
    }
  }
  return extent.corners;
}

const degreesPerRadian = 180 / Math.PI;
/** Name, numbers per position, and conversion to degrees. */
const positionProperties = [
  ['cartographicDegrees', 3, (x: number, y: number) => [x, y]],
  ['cartographicRadians', 3, (x: number, y: number) => [x * degreesPerRadian, y * degreesPerRadian]],
  ['cartesian', 3, (x: number, y: number, z: number) => nearSurface([x, y, z])],
  ['wsenDegrees', 2, (x: number, y: number) => [x, y]],
  ['wsen', 2, (x: number, y: number) => [x * degreesPerRadian, y * degreesPerRadian]],
] as const;

function czmlCorners(document: unknown): Corners | null {
  const extent = new PointExtent();
  const pendingValues = [document];
  while (pendingValues.length > 0) {
    const value = pendingValues.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, size, toDegrees] of positionProperties) {
      const numbers = numbersIn(field(value, name), size);
      if (!numbers) continue;
      // An epoch means that a time precedes each position; plain lists are in `positionProperties`.
      const isTimed = numbers.length > size && field(value, 'epoch') !== undefined;
      const step = isTimed ? size + 1 : size;
      for (let index = isTimed ? 1 : 0; index + size <= numbers.length; index += step) {
        const [x = 0, y = 0, z = 0] = numbers.slice(index, index + size);
        const [longitude, latitude] = toDegrees(x, y, z) ?? [];
        extent.add(longitude, latitude);
      }
    }
    for (const child of Object.values(value)) if (typeof child === 'object') pendingValues.push(child);
  }
  return extent.corners;
}
