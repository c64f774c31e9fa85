import type { FileBytes } from '../base/file-bytes.ts';
import type { Opened } from '../base/format.ts';
import { plyEnd, plySizes } from '../points/points.ts';
import { headOf, type ModelHead, maxPoints, type Point, probeLength } from './model.ts';
import { isSplatCloud, type SplatHead, splatHead } from './splats.ts';

interface Property {
  readonly name: string;
  readonly type: string;
  /** Bytes from the start of a vertex. */
  readonly offset: number;
}

/** PLY: reads vertices if they come first, in single precision and without lists. */
export async function readPly(file: FileBytes): Promise<Opened<ModelHead | SplatHead>> {
  const start = await file.readStart(probeLength);
  const text = start.toString('latin1');
  const headerEnd = text.indexOf('\nend_header');
  const bodyOffset = headerEnd < 0 ? 0 : text.indexOf('\n', headerEnd + 1) + 1;
  if (!text.startsWith('ply') || bodyOffset === 0) return { head: null, end: plyEnd };
  const lines = text.slice(0, headerEnd).split('\n');
  const format = lines.find((line) => line.startsWith('format '))?.split(' ')[1];
  const vertex = vertexOf(lines);
  if (isSplatCloud((vertex?.properties ?? []).map(({ name }) => name)))
    return { head: splatHead, end: plyEnd };
  const axes = ['x', 'y', 'z'].flatMap(
    (name) => vertex?.properties.find((property) => property.name === name) ?? [],
  );
  if (!vertex || axes.length < 3 || axes.some(({ type }) => type !== 'float' && type !== 'float32'))
    return { head: null, end: plyEnd };
  const points =
    format === 'ascii'
      ? textPoints(
          text.slice(bodyOffset),
          axes.map((axis) => vertex.properties.indexOf(axis)),
          vertex.count,
        )
      : binaryPoints(start.subarray(bodyOffset), axes, vertex, format === 'binary_little_endian');
  return { head: headOf(points, true), end: plyEnd };
}

interface Vertex {
  readonly properties: readonly Property[];
  readonly count: number;
  /** Bytes per vertex. */
  readonly size: number;
}

function vertexOf(lines: readonly string[]): Vertex | null {
  const firstElement = lines.findIndex((line) => line.startsWith('element '));
  const [, name, count] = lines[firstElement]?.trim().split(/\s+/) ?? [];
  if (name !== 'vertex') return null;
  const properties: Property[] = [];
  let size = 0;
  for (const line of lines.slice(firstElement + 1)) {
    const [keyword, type = '', propertyName = ''] = line.trim().split(/\s+/);
    if (keyword === 'element') break;
    if (keyword !== 'property') continue;
    const bytes = plySizes[type];
    if (bytes === undefined) return null;
    properties.push({ name: propertyName, type, offset: size });
    size += bytes;
  }
  return { properties, count: Math.min(Number(count) || 0, maxPoints), size };
}

function binaryPoints(
  bytes: Buffer,
  axes: readonly Property[],
  { count, size }: Vertex,
  littleEndian: boolean,
): readonly Point[] {
  const readCoordinate = (vertex: number, axis: number) => {
    const offset = vertex * size + (axes[axis]?.offset ?? 0);
    return littleEndian ? bytes.readFloatLE(offset) : bytes.readFloatBE(offset);
  };
  const completeCount = Math.min(count, Math.floor(bytes.length / size));
  return Array.from(
    { length: completeCount },
    (_, vertex) => [readCoordinate(vertex, 0), readCoordinate(vertex, 1), readCoordinate(vertex, 2)] as const,
  );
}

function textPoints(text: string, [x = 0, y = 0, z = 0]: readonly number[], count: number): readonly Point[] {
  // The last line may be cut.
  return text
    .split('\n')
    .slice(0, -1)
    .slice(0, count)
    .map((line) => {
      const coordinates = line.trim().split(/\s+/).map(Number);
      return [
        coordinates[x] ?? Number.NaN,
        coordinates[y] ?? Number.NaN,
        coordinates[z] ?? Number.NaN,
      ] as const;
    });
}
