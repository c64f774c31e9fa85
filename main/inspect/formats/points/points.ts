import { type FileBytes, readUint } from '../base/file-bytes.ts';
import type { Verdict } from '../base/format.ts';

/** ASTM E2807: the header states the length in whole pages and locates the XML. */
export async function e57End(file: FileBytes): Promise<Verdict> {
  if (!(await file.startsWith('ASTM-E57'))) return 'otherFormat';
  const header = await file.read(0, 48);
  const [length, xmlAt, xmlLength] = [
    readUint(header, 16, 8),
    readUint(header, 24, 8),
    readUint(header, 32, 8),
  ];
  if (length === 0 || xmlAt === 0) return 'noDirectory';
  file.requireRange(0, length);
  file.requireRange(xmlAt, xmlLength);
  return null;
}

/** Bytes per type. */
export const plySizes: Readonly<Record<string, number>> = {
  char: 1,
  uchar: 1,
  int8: 1,
  uint8: 1,
  short: 2,
  ushort: 2,
  int16: 2,
  uint16: 2,
  int: 4,
  uint: 4,
  int32: 4,
  uint32: 4,
  float: 4,
  float32: 4,
  double: 8,
  float64: 8,
};
const maxHeaderLength = 64 * 1024;
/** Bytes; shorter ASCII files are read whole to count lines. */
const maxCounted = 512 * 1024;

interface Element {
  readonly count: number;
  /** Minimum per element. */
  bytes: number;
  wordCount: number;
}

/**
 * PLY: requires all elements in the header. Faces have at least three corners; the length of other lists is
 * unknown.
 */
export async function plyEnd(file: FileBytes): Promise<Verdict> {
  const start = (await file.readStart(4)).toString('latin1');
  if (start !== 'ply\n' && start !== 'ply\r')
    return 'ply'.startsWith(start) ? 'tooShort' : start.startsWith('ply') ? null : 'otherFormat';
  const header = (await file.readStart(maxHeaderLength)).toString('latin1');
  const end = /\nend_header[^\S\n\r]*(\r\n|\n|\r(?!\n))/.exec(header.replaceAll(/\r(?!\n)/g, '\n'));
  if (!end) return file.size > maxHeaderLength ? null : 'tooShort';
  const bodyOffset = end.index + end[0].length;
  const lines = header.slice(0, end.index).split(/[\r\n]+/);
  const format = lines.find((line) => line.startsWith('format '))?.split(/\s+/)[1];
  const elements = elementsOf(lines);
  if (elements === null) return null;
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

function elementsOf(lines: readonly string[]): readonly Element[] | null {
  const elements: Element[] = [];
  for (const line of lines) {
    const [keyword, word1 = '', word2 = '', word3 = '', name = ''] = line.trim().split(/\s+/);
    if (keyword === 'element')
      elements.push({ count: Math.max(0, Number(word2) || 0), bytes: 0, wordCount: 0 });
    const element = elements.at(-1);
    if (keyword !== 'property' || !element) continue;
    const isList = word1 === 'list';
    const faceCorners = isList && (name === 'vertex_indices' || name === 'vertex_index') ? 3 : 0;
    const [fixedSize, itemSize] = isList ? [plySizes[word2], plySizes[word3]] : [plySizes[word1], 0];
    if (fixedSize === undefined || itemSize === undefined) return null;
    element.bytes += fixedSize + faceCorners * itemSize;
    element.wordCount += 1 + faceCorners;
  }
  return elements;
}
