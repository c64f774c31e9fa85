import parse, { type WktList } from 'wkt-parser/parser.js';

/** A part of WKT: `NAME["…", …]`. */
export interface WktNode {
  readonly keyword: string;
  readonly parent: WktNode | null;
  name?: string;
  /** An identifier's code. */
  second?: string;
  readonly otherValues: string[];
  /** `EPSG:25832` */
  id?: string;
}

/** Real WKT nests up to eight levels. Callers walk up from each node. */
const maxDepth = 24;

/** Parents before children; none if it isn't WKT. The caller limits the length (`maxWktLength`). */
export function nodesOf(text: string): readonly WktNode[] {
  const parsableText = text
    .replaceAll('\0', ' ')
    .replace(/^\uFEFF/, '')
    .replace(unsupportedSyntax, replaceSyntax);
  const nodes: WktNode[] = [];
  try {
    // ESRI writes the vertical system after the horizontal one.
    const [, ...roots] = parse(`WKT[${parsableText}]`);
    for (const root of roots) if (Array.isArray(root)) addNode(root, null, 1, nodes);
    return nodes;
  } catch {
    return [];
  }
}

/** WKT allows these brackets and exponents, but the parser doesn't. */
const unsupportedSyntax = /"[^"]*"|[()]|(?<=[\d.])e/g;
const replaceSyntax = (matchedText: string): string =>
  ({ '(': '[', ')': ']', e: 'E' })[matchedText] ?? matchedText;

function addNode(list: WktList, parent: WktNode | null, depth: number, nodes: WktNode[]): void {
  if (depth > maxDepth) throw new RangeError('The text is nested deeper than any system.');
  const [keyword, ...values] = list;
  const node: WktNode = { keyword: keyword.toUpperCase(), parent, otherValues: [] };
  nodes.push(node);
  for (const value of values)
    if (Array.isArray(value)) addNode(value, node, depth + 1, nodes);
    else addValue(node, String(value).slice(0, 200));
  identify(node);
}

function addValue(node: WktNode, value: string): void {
  if (node.name === undefined) node.name = value;
  else if (node.second === undefined) node.second = value;
  else node.otherValues.push(value);
}

/** An identifier belongs to its parent. */
function identify({ keyword, parent, name, second = '' }: WktNode): void {
  const isEpsg = (keyword === 'AUTHORITY' || keyword === 'ID') && name?.toUpperCase() === 'EPSG';
  if (isEpsg && parent && /^\d{4,6}$/.test(second)) parent.id = `EPSG:${second}`;
}
