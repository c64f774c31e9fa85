import parse, { type WktList } from 'wkt-parser/parser.js';

/** A part of a well-known text: `NAME["…", …]`. */
export interface WktNode {
  readonly keyword: string;
  readonly parent: WktNode | null;
  name?: string;
  /** Its second value: of an identifier, its number. */
  second?: string;
  /** The values after the second. */
  readonly further: string[];
  /** `EPSG:25832` */
  id?: string;
}

/** Real texts nest eight levels. Callers walk up from each node. */
const maxDepth = 24;

/**
 * The parts of a well-known text, each before the parts that it contains; none of any other text.
 *
 * @param text whole, of a length that its caller limits (`longestWkt`)
 */
export function nodesOf(text: string): readonly WktNode[] {
  const plain = text
    .replaceAll('\0', ' ')
    .replace(/^\uFEFF/, '')
    .replace(unlikeParser, asParsed);
  const nodes: WktNode[] = [];
  try {
    // In one list, because ESRI writes the system of heights behind the horizontal one.
    const [, ...roots] = parse(`WKT[${plain}]`);
    for (const root of roots) if (Array.isArray(root)) addNode(root, null, 1, nodes);
    return nodes;
  } catch {
    // The parser throws at what is no well-known text.
    return [];
  }
}

/** Brackets and exponents that WKT allows and the parser doesn't take; quoted words stay as they are. */
const unlikeParser = /"[^"]*"|[()]|(?<=[\d.])e/g;
const asParsed = (part: string): string => ({ '(': '[', ')': ']', e: 'E' })[part] ?? part;

function addNode(list: WktList, parent: WktNode | null, depth: number, nodes: WktNode[]): void {
  if (depth > maxDepth) throw new RangeError('The text is nested deeper than any system.');
  const [keyword, ...values] = list;
  const node: WktNode = { keyword: keyword.toUpperCase(), parent, further: [] };
  nodes.push(node);
  for (const value of values)
    if (Array.isArray(value)) addNode(value, node, depth + 1, nodes);
    else addValue(node, String(value).slice(0, 200));
  identify(node);
}

function addValue(node: WktNode, value: string): void {
  if (node.name === undefined) node.name = value;
  else if (node.second === undefined) node.second = value;
  else node.further.push(value);
}

/** An identifier belongs to the part that contains it. */
function identify({ keyword, parent, name, second = '' }: WktNode): void {
  const isEpsg = (keyword === 'AUTHORITY' || keyword === 'ID') && name?.toUpperCase() === 'EPSG';
  if (isEpsg && parent && /^\d{4,6}$/.test(second)) parent.id = `EPSG:${second}`;
}
