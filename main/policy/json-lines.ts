/** What a JSON text holds, and where. Pure. */
export interface LocatedJson {
  readonly value: unknown;
  /** The line (from 1) on which a key or element stands; undefined for what is not there. The whole is `[]`. */
  lineOf(path: readonly PropertyKey[]): number | undefined;
}

/** The text is no JSON (RFC 8259), or an object in it has one key twice, of which one would be passed over in silence. */
export class JsonFault extends Error {
  /** From 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

interface Token {
  readonly text: string;
  readonly line: number;
}

/** A string that never ends is one token too: were it none, the rest would be looked through again from each quotation mark in it. */
const tokenShape = /"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;
/** Deeper than anything that is read here. */
const deepest = 50;

/**
 * Reads JSON and remembers where everything stands: `JSON.parse` tells neither the line of a value nor, always, that of a fault.
 * @throws JsonFault
 */
export function readJson(text: string): LocatedJson {
  const tokens = tokensOf(text);
  const end: Token = { text: '', line: tokens.at(-1)?.line ?? 1 };
  const lines = new Map<string, number>();
  let at = 0;
  const peek = () => tokens[at] ?? end;
  const take = () => {
    const token = peek();
    at += 1;
    return token;
  };
  const expect = (wanted: string) => {
    const token = take();
    if (token.text !== wanted) throw fault(token, `“${wanted}” is missing`);
  };

  function value(path: readonly string[]): unknown {
    const token = take();
    if (path.length > deepest) throw fault(token, 'too deep');
    // A key's own line counts, not that of its value.
    if (!lines.has(placeOf(path))) lines.set(placeOf(path), token.line);
    if (token.text === '{') return object(path);
    if (token.text === '[') return array(path);
    return scalar(token);
  }

  function object(path: readonly string[]): unknown {
    const entries: [string, unknown][] = [];
    if (!closes('}'))
      do {
        const token = take();
        const key = scalar(token);
        if (typeof key !== 'string') throw fault(token, 'a key is missing');
        const place = [...path, key];
        if (lines.has(placeOf(place))) throw fault(token, `“${key}” is there twice`);
        lines.set(placeOf(place), token.line);
        expect(':');
        entries.push([key, value(place)]);
      } while (goesOn('}'));
    // `__proto__` is a key like any other here.
    return Object.fromEntries(entries);
  }

  function array(path: readonly string[]): unknown {
    const items: unknown[] = [];
    if (!closes(']'))
      do {
        items.push(value([...path, String(items.length)]));
      } while (goesOn(']'));
    return items;
  }

  function closes(bracket: string): boolean {
    const is = peek().text === bracket;
    if (is) at += 1;
    return is;
  }

  function goesOn(bracket: string): boolean {
    const token = take();
    if (token.text === bracket) return false;
    if (token.text === ',') return true;
    throw fault(token, `“,” or “${bracket}” is missing`);
  }

  const whole = value([]);
  if (at < tokens.length) throw fault(peek(), 'something follows the end');
  return { value: whole, lineOf: (path) => lines.get(placeOf(path)) };
}

/** No two paths have the same, whatever their keys hold. */
function placeOf(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let before = 0;
  for (const { 0: token, index } of text.matchAll(tokenShape)) {
    line += text.slice(before, index).split('\n').length - 1;
    before = index;
    tokens.push({ text: token, line });
  }
  return tokens;
}

/** A string, number, `true`, `false` or `null`. */
function scalar(token: Token): unknown {
  try {
    return JSON.parse(token.text);
  } catch {
    throw fault(token, token.text === '' ? 'the end is missing' : `“${token.text}” is no JSON`);
  }
}

function fault({ line }: Token, message: string): JsonFault {
  return new JsonFault(line, message);
}
