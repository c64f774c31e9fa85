import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { Phrase } from '../strings/phrase.ts';

/**
 * JSON texts of people, and where everything stands in them: `JSON.parse` tells neither the place of a value
 * nor, always, that of a fault. Pure.
 */

/** Keys and indexes that lead to a value from the whole. */
export type JsonPath = readonly (string | number)[];

/** What stands where in a text. */
export type JsonTree = Node;

/** The text is no JSON (RFC 8259), or can't be read. */
interface JsonFault {
  readonly offset: number;
  /** To stand after its place: “a comma is missing”. */
  readonly what: Phrase;
}

export type PositionedJson =
  | { readonly fault: null; readonly tree: JsonTree; readonly value: unknown }
  | { readonly fault: JsonFault };

/** Deeper than anything people write here. A recursive reader of JSON fails at some thousands. */
const maxDepth = 100;

/** Never throws. Comments are faults unless they are allowed. */
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

/**
 * A string that never ends is one token too: were it none, the rest would be scanned again from each
 * quotation mark in it.
 */
const stringOrBracket = /"(?:[^"\\\n]|\\.)*"?|[{}[\]]/g;

/** Likewise, but that a key that is there twice is a fault. */
export function readStrictJson(text: string): PositionedJson {
  const json = readJson(text);
  const [twice] = json.fault ? [] : doubleKeys(json.tree);
  if (!twice) return json;
  const what: Phrase = { key: 'jsonFault.twice', values: { key: String(twice.path.at(-1)) } };
  return { fault: { offset: twice.offset, what } };
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

/** The first; of a key without quotes the parser says first that it is no value. */
function tellingFault([first, second]: readonly ParseError[]): ParseError | undefined {
  const names = [first, second].map((fault) => fault && printParseErrorCode(fault.error));
  return names[0] === 'InvalidSymbol' && names[1] === 'PropertyNameExpected' ? second : first;
}

const missing = (sign: string): Phrase => ({ key: 'jsonFault.missing', values: { sign } });

/** What the parser says, in its own names. */
const faultPhrases: Readonly<Record<string, Phrase>> = {
  PropertyNameExpected: { key: 'jsonFault.key' },
  ValueExpected: { key: 'jsonFault.value' },
  ColonExpected: missing(':'),
  CommaExpected: missing(','),
  CloseBraceExpected: missing('}'),
  CloseBracketExpected: missing(']'),
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

/** A key that an object has twice: of two values one would be passed over in silence. */
interface DoubleKey {
  readonly path: JsonPath;
  /** Of the second. */
  readonly offset: number;
}

/** In the order in which they stand. */
export function doubleKeys(node: JsonTree, path: JsonPath = []): readonly DoubleKey[] {
  const found: DoubleKey[] = [];
  const seen = new Set<string>();
  for (const [index, child] of (node.children ?? []).entries()) {
    if (node.type === 'array') found.push(...doubleKeys(child, [...path, index]));
    if (node.type !== 'object') continue;
    const [key, value] = child.children ?? [];
    const name = String(key?.value);
    if (key && seen.has(name)) found.push({ path: [...path, name], offset: key.offset });
    seen.add(name);
    if (value) found.push(...doubleKeys(value, [...path, name]));
  }
  return found;
}

/** Of the key of a value, or of what should hold it. */
export function offsetOf(tree: JsonTree, path: JsonPath): number {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return tree.offset;
}

/** Line and column, from 1. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
