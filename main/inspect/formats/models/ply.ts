import type { FileBytes } from '../base/file-bytes.ts';
import type { Opened } from '../base/format.ts';
import { plyEnd, plySizes } from '../points/points.ts';
import { headOf, type ModelHead, maxPlaces, type Place, reach } from './model.ts';
import { isOfSplats, type SplatHead, splats } from './splats.ts';

interface Property {
  readonly name: string;
  readonly type: string;
  /** Bytes from the start of a vertex. */
  readonly offset: number;
}

/** PLY: reads vertices if they come first, in single precision and without lists. */
export async function readPly(file: FileBytes): Promise<Opened<ModelHead | SplatHead>> {
  const start = await file.first(reach);
  const text = start.toString('latin1');
  const mark = text.indexOf('\nend_header');
  const begin = mark < 0 ? 0 : text.indexOf('\n', mark + 1) + 1;
  if (!text.startsWith('ply') || begin === 0) return { head: null, end: plyEnd };
  const lines = text.slice(0, mark).split('\n');
  const format = lines.find((line) => line.startsWith('format '))?.split(' ')[1];
  const vertex = vertexOf(lines);
  if (isOfSplats((vertex?.properties ?? []).map(({ name }) => name))) return { head: splats, end: plyEnd };
  const axes = ['x', 'y', 'z'].flatMap((name) => vertex?.properties.find((one) => one.name === name) ?? []);
  if (!vertex || axes.length < 3 || axes.some(({ type }) => type !== 'float' && type !== 'float32'))
    return { head: null, end: plyEnd };
  const places =
    format === 'ascii'
      ? inLines(
          text.slice(begin),
          axes.map((axis) => vertex.properties.indexOf(axis)),
          vertex.count,
        )
      : inBytes(start.subarray(begin), axes, vertex, format === 'binary_little_endian');
  return { head: headOf(places, true), end: plyEnd };
}

interface Vertex {
  readonly properties: readonly Property[];
  readonly count: number;
  /** Bytes per vertex. */
  readonly size: number;
}

function vertexOf(lines: readonly string[]): Vertex | null {
  const first = lines.findIndex((line) => line.startsWith('element '));
  const [, name, count] = lines[first]?.trim().split(/\s+/) ?? [];
  if (name !== 'vertex') return null;
  const properties: Property[] = [];
  let size = 0;
  for (const line of lines.slice(first + 1)) {
    const [keyword, type = '', own = ''] = line.trim().split(/\s+/);
    if (keyword === 'element') break;
    if (keyword !== 'property') continue;
    const bytes = plySizes[type];
    if (bytes === undefined) return null;
    properties.push({ name: own, type, offset: size });
    size += bytes;
  }
  return { properties, count: Math.min(Number(count) || 0, maxPlaces), size };
}

function inBytes(
  bytes: Buffer,
  axes: readonly Property[],
  { count, size }: Vertex,
  isLittle: boolean,
): readonly Place[] {
  const at = (vertex: number, axis: number) => {
    const place = vertex * size + (axes[axis]?.offset ?? 0);
    return isLittle ? bytes.readFloatLE(place) : bytes.readFloatBE(place);
  };
  const whole = Math.min(count, Math.floor(bytes.length / size));
  return Array.from({ length: whole }, (_, vertex) => [at(vertex, 0), at(vertex, 1), at(vertex, 2)] as const);
}

function inLines(text: string, [x = 0, y = 0, z = 0]: readonly number[], count: number): readonly Place[] {
  // The last line may be cut.
  return text
    .split('\n')
    .slice(0, -1)
    .slice(0, count)
    .map((line) => {
      const words = line.trim().split(/\s+/).map(Number);
      return [words[x] ?? Number.NaN, words[y] ?? Number.NaN, words[z] ?? Number.NaN] as const;
    });
}
