import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { Phrase } from '../strings/phrase.ts';

/** Keys and indexes from the root to a value. */
export type JsonPath = readonly (string | number)[];

/** Syntax tree with positions, which `JSON.parse` doesn't give. */
export type JsonTree = Node;

/** A syntax error (RFC 8259), or nesting that is too deep. */
interface JsonFault {
  readonly offset: number;
  /** Follows the position in a message: “a comma is missing”. */
  readonly what: Phrase;
}

export type PositionedJson =
  | { readonly fault: null; readonly tree: JsonTree; readonly value: unknown }
  | { readonly fault: JsonFault };

/** Recursive parsers overflow at some thousands. */
const maxDepth = 100;

/** Parses without throwing. Comments are faults in the strict dialect. */
export function readJson(text: string, dialect: 'strict' | 'with-comments' = 'strict'): PositionedJson {
  const tooDeep = offsetTooDeep(text);
  if (tooDeep !== null) return { fault: { offset: tooDeep, what: { key: 'jsonFault.tooDeep' } } };
  const faults: ParseError[] = [];
  const tree = parseTree(text, faults, { disallowComments: dialect === 'strict', allowTrailingComma: false });
  const fault = tellingFault(faults);
  if (fault)
    return {
      fault: { offset: Math.min(fault.offset, text.trimEnd().length), what: faultPhrase(fault, text) },
    };
  if (!tree) return { fault: { offset: 0, what: { key: 'jsonFault.value' } } };
  return { fault: null, tree, value: getNodeValue(tree) };
}

/** An unterminated string is one token; otherwise each quotation mark in it restarts the scan (quadratic). */
const stringOrBracket = /"(?:[^"\\\n]|\\.)*"?|[{}[\]]/g;

/** Like `readJson`, but a duplicate key is a fault. */
export function readStrictJson(text: string): PositionedJson {
  const json = readJson(text);
  const [doubleKey] = json.fault ? [] : doubleKeys(json.tree);
  if (!doubleKey) return json;
  const faultPhrase: Phrase = { key: 'jsonFault.twice', values: { key: String(doubleKey.path.at(-1)) } };
  return { fault: { offset: doubleKey.offset, what: faultPhrase } };
}

function offsetTooDeep(text: string): number | null {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(stringOrBracket)) {
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth > maxDepth) return index;
  }
  return null;
}

/** Returns the first fault, except that an unquoted key is reported as an invalid value first. */
function tellingFault([firstFault, secondFault]: readonly ParseError[]): ParseError | undefined {
  const names = [firstFault, secondFault].map((fault) => fault && printParseErrorCode(fault.error));
  return names[0] === 'InvalidSymbol' && names[1] === 'PropertyNameExpected' ? secondFault : firstFault;
}

const describeMissing = (sign: string): Phrase => ({ key: 'jsonFault.missing', values: { sign } });

/** The keys are the parser's error names. */
const faultPhrases: Readonly<Record<string, Phrase>> = {
  PropertyNameExpected: { key: 'jsonFault.key' },
  ValueExpected: { key: 'jsonFault.value' },
  ColonExpected: describeMissing(':'),
  CommaExpected: describeMissing(','),
  CloseBraceExpected: describeMissing('}'),
  CloseBracketExpected: describeMissing(']'),
  UnexpectedEndOfString: { key: 'jsonFault.quotationMark' },
  InvalidCharacter: { key: 'jsonFault.controlCharacter' },
  InvalidEscapeCharacter: { key: 'jsonFault.escape' },
  InvalidUnicode: { key: 'jsonFault.escape' },
  EndOfFileExpected: { key: 'jsonFault.after' },
  InvalidCommentToken: { key: 'jsonFault.comment' },
  UnexpectedEndOfComment: { key: 'jsonFault.comment' },
};
const maxQuoted = 40;

function faultPhrase({ error, offset, length }: ParseError, text: string): Phrase {
  const quoted = text.slice(offset, offset + Math.min(length, maxQuoted));
  return faultPhrases[printParseErrorCode(error)] ?? { key: 'jsonFault.invalid', values: { text: quoted } };
}

/** A key that occurs twice in an object: readers would silently drop one value. */
interface DoubleKey {
  readonly path: JsonPath;
  readonly offset: number;
}

/** In document order. */
export function doubleKeys(node: JsonTree, path: JsonPath = []): readonly DoubleKey[] {
  const doubleEntries: DoubleKey[] = [];
  const names = new Set<string>();
  for (const [index, child] of (node.children ?? []).entries()) {
    if (node.type === 'array') doubleEntries.push(...doubleKeys(child, [...path, index]));
    if (node.type !== 'object') continue;
    const [key, value] = child.children ?? [];
    const name = String(key?.value);
    if (key && names.has(name)) doubleEntries.push({ path: [...path, name], offset: key.offset });
    names.add(name);
    if (value) doubleEntries.push(...doubleKeys(value, [...path, name]));
  }
  return doubleEntries;
}

/** Returns the offset of a value's key, or of its nearest existing parent. */
export function offsetOf(tree: JsonTree, path: JsonPath): number {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return tree.offset;
}

/** Returns line and column, from 1. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
