/**
 * Writes the WebAssembly behind `main/source/sums/md5-lanes.ts`: MD5 (RFC 1321) of four texts side by side,
 * one in each 32-bit lane of a vector. All 64 steps stand one after the other, since a loop over them would
 * look up what each of them knows: that is why it is written by a program.
 */

const states = ['a', 'b', 'c', 'd'] as const;
const lanes = [0, 1, 2, 3] as const;
/** By how many bits is rotated, in each round in turn. */
const rotations = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;

/**
 * Where what each step adds is read from, since V8 puts a constant of a vector together anew each time:
 * behind the states.
 */
const sinesAt = 64;

const get = (name: string) => `(local.get $${name})`;
const set = (name: string, value: string) => `(local.set $${name} ${value})`;
const plus = (one: string, other: string) => `(i32x4.add ${one} ${other})`;
const xor = (one: string, other: string) => `(v128.xor ${one} ${other})`;
const and = (one: string, other: string) => `(v128.and ${one} ${other})`;
const rotated = (name: string, bits: number) =>
  `(v128.or (i32x4.shl ${get(name)} (i32.const ${bits})) (i32x4.shr_u ${get(name)} (i32.const ${32 - bits})))`;

/** The whole module: `md5x4(state, from 0, …, from 3, blocks)`, all of them addresses but the last. */
export function md5LanesText(): string {
  const words = Array.from({ length: 16 }, (_, at) => `w${at}`);
  const before = states.map((name) => `${name}Before`);
  const pairs = lanes.flatMap((lane) => [`in${lane}`, `pair${lane}`]);
  const locals = [...states, ...before, ...pairs, ...words].map((name) => `(local $${name} v128)`);
  const froms = lanes.map((lane) => `(param $from${lane} i32)`);
  return `(module
  (import "md5" "memory" (memory 1))
  (data (i32.const ${sinesAt}) "${sines()}")
  (func (export "md5x4") (param $state i32) ${froms.join(' ')} (param $blocks i32)
    (local $zero i32) ${locals.join(' ')}
    ${states.map((name, at) => set(name, `(v128.load offset=${at * 16} ${get('state')})`)).join('\n    ')}
    (loop $next
      ${states.map((name) => set(`${name}Before`, get(name))).join('\n      ')}
      ${loads().join('\n      ')}
      ${steps().join('\n      ')}
      ${states.map((name) => set(name, plus(get(name), get(`${name}Before`)))).join('\n      ')}
      ${lanes.map((lane) => set(`from${lane}`, `(i32.add ${get(`from${lane}`)} (i32.const 64))`)).join('\n      ')}
      (br_if $next (local.tee $blocks (i32.sub ${get('blocks')} (i32.const 1)))))
    ${states.map((name, at) => `(v128.store offset=${at * 16} ${get('state')} ${get(name)})`).join('\n    ')}))
`;
}

/** What each step adds, four times, as bytes: the sine of its number. */
function sines(): string {
  const bytes = Buffer.alloc(64 * 16);
  for (let at = 0; at < 64 * 4; at++)
    bytes.writeUInt32LE(Math.floor(Math.abs(Math.sin((at >> 2) + 1)) * 2 ** 32), at * 4);
  return bytes.toString('hex').replaceAll(/../g, '\\$&');
}

/** A block of 16 words from each place, turned: the first word of all four, then the second, ... */
function loads(): string[] {
  return [0, 4, 8, 12].flatMap((word) => [
    ...lanes.map((lane) => set(`in${lane}`, `(v128.load offset=${word * 4} ${get(`from${lane}`)})`)),
    set('pair0', shuffled('in0', 'in1', [0, 4, 1, 5])),
    set('pair1', shuffled('in0', 'in1', [2, 6, 3, 7])),
    set('pair2', shuffled('in2', 'in3', [0, 4, 1, 5])),
    set('pair3', shuffled('in2', 'in3', [2, 6, 3, 7])),
    set(`w${word}`, shuffled('pair0', 'pair2', [0, 1, 4, 5])),
    set(`w${word + 1}`, shuffled('pair0', 'pair2', [2, 3, 6, 7])),
    set(`w${word + 2}`, shuffled('pair1', 'pair3', [0, 1, 4, 5])),
    set(`w${word + 3}`, shuffled('pair1', 'pair3', [2, 3, 6, 7])),
  ]);
}

function shuffled(one: string, other: string, words: readonly number[]): string {
  const bytes = words.flatMap((word) => [0, 1, 2, 3].map((byte) => word * 4 + byte));
  return `(i8x16.shuffle ${bytes.join(' ')} ${get(one)} ${get(other)})`;
}

/** RFC 1321, 3.4. */
function steps(): string[] {
  return Array.from({ length: 64 }, (_, step) => {
    const round = step >> 4;
    const [a, b, c, d] = lanes.map((at) => states[(at + 64 - step) % 4] as string) as [
      string,
      string,
      string,
      string,
    ];
    const word = [step, 5 * step + 1, 3 * step + 5, 7 * step][round] as number;
    const added = plus(get(`w${word % 16}`), `(v128.load offset=${sinesAt + step * 16} (local.get $zero))`);
    // The second could be told as the first is; so what waits for the step before, b, is ready sooner.
    const mixed = [
      [xor(get(d), and(get(b), xor(get(c), get(d))))],
      [`(v128.andnot ${get(c)} ${get(d)})`, and(get(b), get(d))],
      [xor(get(b), xor(get(c), get(d)))],
      [xor(get(c), `(v128.or ${get(b)} (v128.not ${get(d)}))`)],
    ][round] as string[];
    const bits = rotations[round]?.[step % 4] as number;
    return [set(a, mixed.reduce(plus, plus(get(a), added))), set(a, plus(get(b), rotated(a, bits)))].join(
      '\n      ',
    );
  });
}
