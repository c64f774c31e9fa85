import type { Random } from './random.ts';

/** Bytes; larger inputs only take longer. */
export const longestInput = 256 * 1024;
const maxChanges = 6;

/** Words with a meaning in most formats. */
const everywhere = [
  ...[
    '\0',
    '"',
    "'",
    '\\',
    '\\\\',
    '/',
    '../',
    '..\\',
    '//',
    ':',
    ';',
    ',',
    '=',
    '&',
    '%',
    '%00',
    '%2e%2e%2f',
    '\n',
    '\r\n',
    '\t',
    ' ',
  ],
  ...[
    '<',
    '>',
    '<!--',
    '-->',
    '<!DOCTYPE a [',
    '<!ENTITY a "b">',
    '&a;',
    '&#x41;',
    '<![CDATA[',
    ']]>',
    '</',
    '{',
    '}',
    '[',
    ']',
    'null',
    'true',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '1e999',
    '-1',
    '0',
    '9007199254740993',
    '1e21',
    'NaN',
    '\u202e',
    '\ufeff',
    '\ud800',
    'é',
    'e\u0301',
  ],
  ...[
    'C:\\',
    '\\\\server\\share',
    'file:///',
    'javascript:',
    'http://[',
    'CON',
    '*',
    '**/',
    '?',
    '$&',
    '(',
    ')',
    '+',
    '|',
    '^',
    '$',
  ],
];
const tellingBytes = [0, 1, 0x7f, 0x80, 0xff, 0x20, 0x0a, 0x22, 0x2f, 0x5c];
const tellingNumbers = [
  0n,
  1n,
  0x7fn,
  0xffn,
  0x7fffn,
  0xffffn,
  0x7fff_ffffn,
  0xffff_ffffn,
  0x7fff_ffff_ffff_ffffn,
  0xffff_ffff_ffff_ffffn,
];
/** Many repetitions reveal superlinear run times. */
const repeats = [2, 8, 100, 2_000, 30_000];

type Change = (
  input: Buffer,
  random: Random,
  words: readonly string[],
  otherInputs: readonly Buffer[],
) => Buffer;

const replaceRange = (input: Buffer, start: number, end: number, replacement: Uint8Array): Buffer =>
  Buffer.concat([input.subarray(0, start), replacement, input.subarray(end)]);

/** A random, mostly short range. */
function piece(input: Buffer, random: Random): readonly [from: number, to: number] {
  const start = random.below(input.length + 1);
  const maxLength = random.pickOne([1, 4, 16, 64, 1024]);
  return [start, Math.min(input.length, start + random.below(maxLength + 1))];
}

const changes: readonly Change[] = [
  (input, random) => {
    const copy = Buffer.from(input);
    if (copy.length > 0)
      copy[random.below(copy.length)] = random.pickOne([random.below(256), ...tellingBytes]);
    return copy;
  },
  (input, random) => {
    const [size, number] = [random.pickOne([2, 4, 8]), random.pickOne(tellingNumbers)];
    const bytes = Buffer.alloc(8);
    if (random.below(2) === 0) bytes.writeBigUInt64LE(number);
    else bytes.writeBigUInt64BE((number << BigInt(64 - size * 8)) & 0xffff_ffff_ffff_ffffn);
    const at = random.below(input.length + 1);
    return replaceRange(input, at, Math.min(input.length, at + size), bytes.subarray(0, size));
  },
  (input, random, words) => {
    const [start, end] =
      random.below(2) === 0 ? piece(input, random) : [random.below(input.length + 1), null];
    return replaceRange(input, start, end ?? start, Buffer.from(random.pickOne(words)));
  },
  (input, random) => {
    const [start, end] = piece(input, random);
    return replaceRange(input, start, end, Buffer.alloc(0));
  },
  (input, random) => {
    const [start, end] = piece(input, random);
    const copies = Array.from({ length: random.pickOne(repeats) }, () => input.subarray(start, end));
    return replaceRange(input, end, end, Buffer.concat(copies).subarray(0, longestInput));
  },
  (input, random, words) => {
    const at = random.below(input.length + 1);
    const word = random.pickOne(words).repeat(random.pickOne(repeats));
    return replaceRange(input, at, at, Buffer.from(word).subarray(0, longestInput));
  },
  (input, random, _words, otherInputs) => {
    const otherInput = random.pickOne(otherInputs);
    const [start, to] = piece(input, random);
    const [begin, end] = piece(otherInput, random);
    return replaceRange(input, start, to, otherInput.subarray(begin, end));
  },
  (input, random) => input.subarray(0, random.below(input.length + 1)),
];

/** Applies a few random changes. `otherInputs`: inputs to splice in. */
export function mutate(
  input: Buffer,
  random: Random,
  words: readonly string[],
  otherInputs: readonly Buffer[],
): Buffer {
  const candidates = random.below(2) === 0 && words.length > 0 ? words : everywhere;
  let changed = input;
  for (let count = 1 + random.below(maxChanges); count > 0; count -= 1) {
    changed = random.pickOne(changes)(changed, random, candidates, otherInputs);
  }
  return changed.subarray(0, longestInput);
}
