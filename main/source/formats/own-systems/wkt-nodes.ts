/** A part of a well-known text: `NAME["…", …]`. */
export interface WktNode {
  readonly keyword: string;
  readonly parent: WktNode | null;
  name?: string;
  /** Its second value: of an identifier, its number. */
  second?: string;
  /** What stands behind the second. */
  readonly further: string[];
  /** `EPSG:25832` */
  id?: string;
}

/** Real ones stand eight deep; whoever looks for what is within what walks up. */
const maxDepth = 24;
/** Of a part: seven numbers of a shift. */
const maxValues = 8;
/** Parts: real texts have up to 200. Words and numbers: a few for each. */
const [maxNodes, maxTokens] = [1_000, 6_000];

/**
 * The parts of a well-known text in the order in which they begin; a text that is cut off gives those that
 * have begun.
 */
export function nodesOf(text: string): readonly WktNode[] {
  const nodes: WktNode[] = [];
  const start = text.replaceAll('\0', ' ').replace(/^\uFEFF/, '');
  if (!/^\s*[A-Za-z_]{1,30}\s*[[(]/.test(start)) return nodes;
  let top = null as WktNode | null;
  let word = '';
  let depth = 0;
  let tokens = 0;
  for (const [index, piece] of start.split('"').entries()) {
    // Every second piece stands in quotes.
    if (index % 2 === 1) addValue(top, piece);
    else
      for (const token of piece.match(/[A-Za-z_]\w*|[[\]()]|[-+.\d][-+.\w]*/g) ?? []) {
        tokens += 1;
        if (tokens > maxTokens || nodes.length > maxNodes) return nodes;
        if (token === '[' || token === '(') {
          if (++depth > maxDepth) return [];
          top = { keyword: word.toUpperCase(), parent: top, further: [] };
          nodes.push(top);
        } else if (token === ']' || token === ')') {
          if (top) identify(top);
          top = top?.parent ?? null;
          depth = Math.max(0, depth - 1);
        } else if (/^[A-Za-z_]/.test(token)) word = token;
        else addValue(top, token);
      }
  }
  return nodes;
}

function addValue(node: WktNode | null, value: string): void {
  if (node && node.name === undefined) node.name = value.slice(0, 200);
  else if (node && node.second === undefined) node.second = value.slice(0, 200);
  else if (node && node.further.length < maxValues) node.further.push(value.slice(0, 200));
}

/** What an identifier says is said of what it stands in. */
function identify({ keyword, parent, name, second = '' }: WktNode): void {
  const isEpsg = (keyword === 'AUTHORITY' || keyword === 'ID') && name?.toUpperCase() === 'EPSG';
  if (isEpsg && parent && /^\d{4,6}$/.test(second)) parent.id = `EPSG:${second}`;
}
