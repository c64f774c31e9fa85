import type { FileBytes } from '../base/file-bytes.ts';
import type { Opened, Verdict } from '../base/format.ts';
import { headOf, type ModelHead, maxPoints, type Point, probeLength } from './model.ts';
import { isSplatCloud, type SplatHead, splatHead } from './splats.ts';

/** Bytes per type. */
const sizes: Readonly<Record<string, number>> = {
  ...{ char: 1, uchar: 1, int8: 1, uint8: 1, short: 2, ushort: 2, int16: 2, uint16: 2 },
  ...{ int: 4, uint: 4, int32: 4, uint32: 4, float: 4, float32: 4, double: 8, float64: 8 },
};
/** Lines of a header; splats have about 70. */
const maxHeaderLines = 2_000;
const maxWords = 1_000;
/** Bytes; shorter ASCII files are read whole to count lines. */
const maxCounted = 512 * 1024;

interface Property {
  readonly name: string;
  readonly type: string;
  /** Bytes from the start of an element, if it has no lists. */
  readonly offset: number;
}

interface Element {
  readonly name: string;
  readonly count: number;
  readonly properties: Property[];
  /** Minimum per element. */
  bytes: number;
  wordCount: number;
}

interface Header {
  readonly format: string | undefined;
  readonly elements: readonly Element[];
  readonly bodyOffset: number;
}

/** PLY: reads vertices if they come first, in single precision and without lists. */
export async function readPly(file: FileBytes): Promise<Opened<ModelHead | SplatHead>> {
  const start = await file.readStart(probeLength);
  const text = start.toString('latin1');
  const header = headerOf(text, file.size);
  if (header === null || typeof header === 'string') return { head: null, end: () => header };
  const end = () => endOf(file, header);
  const { format, bodyOffset } = header;
  const [vertex] = header.elements;
  const hasLists = vertex?.properties.some(({ type }) => type === 'list');
  if (vertex?.name !== 'vertex' || hasLists) return { head: null, end };
  if (isSplatCloud(vertex.properties.map(({ name }) => name))) return { head: splatHead, end };
  const axes = ['x', 'y', 'z'].flatMap(
    (name) => vertex.properties.find((property) => property.name === name) ?? [],
  );
  if (axes.length < 3 || axes.some(({ type }) => type !== 'float' && type !== 'float32'))
    return { head: null, end };
  const count = Math.min(vertex.count, maxPoints);
  const points =
    format === 'ascii'
      ? textPoints(
          text.slice(bodyOffset),
          axes.map((axis) => vertex.properties.indexOf(axis)),
          count,
        )
      : binaryPoints(
          start.subarray(bodyOffset),
          axes,
          vertex.bytes,
          count,
          format?.includes('little') === true,
        );
  return { head: headOf(points, true), end };
}

/** Null if it is too long or has unknown types. */
function headerOf(text: string, fileSize: number): Header | Verdict {
  if (!/^ply[\n\r]/.test(text))
    return 'ply'.startsWith(text) ? 'tooShort' : text.startsWith('ply') ? null : 'otherFormat';
  const end = /\nend_header[^\S\n\r]*(\r\n|\n|\r(?!\n))/.exec(text.replaceAll(/\r(?!\n)/g, '\n'));
  if (!end) return fileSize > probeLength ? null : 'tooShort';
  const lines = text.slice(0, end.index).split(/[\r\n]+/, maxHeaderLines + 1);
  if (lines.length > maxHeaderLines) return null;
  const elements = elementsOf(lines);
  const format = lines.find((line) => line.startsWith('format '))?.split(/\s+/)[1];
  return elements && { format, elements, bodyOffset: end.index + end[0].length };
}

function elementsOf(lines: readonly string[]): readonly Element[] | null {
  const elements: Element[] = [];
  for (const line of lines) {
    const [keyword, word1 = '', word2 = '', word3 = '', listName = ''] = line.trim().split(/\s+/, 5);
    if (keyword === 'element') {
      const count = Math.max(0, Number(word2) || 0);
      elements.push({ name: word1, count, properties: [], bytes: 0, wordCount: 0 });
    }
    const element = elements.at(-1);
    if (keyword !== 'property' || !element) continue;
    const isList = word1 === 'list';
    // Faces have at least three corners; the length of other lists is unknown.
    const faceCorners = isList && (listName === 'vertex_indices' || listName === 'vertex_index') ? 3 : 0;
    const [fixedSize, itemSize] = isList ? [sizes[word2], sizes[word3]] : [sizes[word1], 0];
    if (fixedSize === undefined || itemSize === undefined) return null;
    element.properties.push({ name: isList ? listName : word2, type: word1, offset: element.bytes });
    element.bytes += fixedSize + faceCorners * itemSize;
    element.wordCount += 1 + faceCorners;
  }
  return elements;
}

/** Requires all elements in the header. */
async function endOf(file: FileBytes, { format, elements, bodyOffset }: Header): Promise<Verdict> {
  if (format !== 'ascii') {
    file.requireRange(
      bodyOffset,
      elements.reduce((sum, { count, bytes }) => sum + count * bytes, 0),
    );
    return null;
  }
  // At least one character and one space per word.
  file.requireRange(
    bodyOffset,
    Math.max(0, elements.reduce((sum, { count, wordCount }) => sum + count * wordCount * 2, 0) - 1),
  );
  if (file.size - bodyOffset > maxCounted) return null;
  const bodyLines = (await file.read(bodyOffset, file.size - bodyOffset))
    .toString('latin1')
    .trimEnd()
    .split(/\r\n|\n|\r/);
  const lineElements = elements.filter(({ wordCount }) => wordCount > 0);
  const lineCount = lineElements.reduce((sum, { count }) => sum + count, 0);
  if (lineCount === 0) return null;
  const lastLine = bodyLines[lineCount - 1];
  const wordCount = lineElements.findLast(({ count }) => count > 0)?.wordCount ?? 0;
  return lastLine === undefined || lastLine.trim().split(/\s+/).length < wordCount ? 'tooShort' : null;
}

function binaryPoints(
  bytes: Buffer,
  axes: readonly Property[],
  vertexSize: number,
  count: number,
  littleEndian: boolean,
): readonly Point[] {
  const readCoordinate = (vertex: number, axis: number) => {
    const offset = vertex * vertexSize + (axes[axis]?.offset ?? 0);
    return littleEndian ? bytes.readFloatLE(offset) : bytes.readFloatBE(offset);
  };
  const completeCount = Math.min(count, Math.floor(bytes.length / vertexSize));
  return Array.from(
    { length: completeCount },
    (_, vertex) => [readCoordinate(vertex, 0), readCoordinate(vertex, 1), readCoordinate(vertex, 2)] as const,
  );
}

function textPoints(text: string, [x = 0, y = 0, z = 0]: readonly number[], count: number): readonly Point[] {
  // The last line may be cut.
  const end = text.lastIndexOf('\n');
  const lines = end < 0 ? [] : text.slice(0, end).split('\n', count);
  return lines.map((line) => {
    const coordinates = line.trim().split(/\s+/, maxWords).map(Number);
    return [
      coordinates[x] ?? Number.NaN,
      coordinates[y] ?? Number.NaN,
      coordinates[z] ?? Number.NaN,
    ] as const;
  });
}
