import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonFault, readJson } from '../../../main/policy/json-lines.ts';

function faultLine(text: string): number | null {
  try {
    readJson(text);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(JsonFault);
    return error instanceof JsonFault ? error.line : null;
  }
}

describe('reading JSON with its lines', () => {
  it('gives what JSON.parse gives, however it is written', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(4), (text, indent) => {
        const value: unknown = JSON.parse(text);
        expect(readJson(JSON.stringify(value, undefined, indent)).value).toEqual(value);
      }),
    );
  });

  it('knows the line of each key and element', () => {
    const { lineOf } = readJson(
      '{\n  "watch": {\n    "roots": [\n      "/a",\n\n      "/b"\n    ]\n  },\n  "caFile":\n null }',
    );
    expect(lineOf([])).toBe(1);
    expect(lineOf(['watch'])).toBe(2);
    expect(lineOf(['watch', 'roots'])).toBe(3);
    expect(lineOf(['watch', 'roots', 0])).toBe(4);
    expect(lineOf(['watch', 'roots', 1])).toBe(6);
    expect(lineOf(['caFile'])).toBe(9);
    expect(lineOf(['proxy'])).toBeUndefined();
  });

  it('is not led astray by what stands in strings', () => {
    const { lineOf } = readJson('{"a": "{\\"x\\": [,",\n"b": "\\\\",\n"a.b": 1}');
    expect([lineOf(['a']), lineOf(['b']), lineOf(['a.b'])]).toEqual([1, 2, 3]);
    expect(lineOf(['a', 'b'])).toBeUndefined();
  });

  it.each([
    ['', 1],
    ['{\n"a": 1,\n}', 3],
    ['{\n"a": yes\n}', 2],
    ['{\n"a": 1\n"b": 2\n}', 3],
    ['{\n"a": "1\n}', 2],
    ['{"a"\n: 1}\n\n]', 4],
    ['[1,\n2', 2],
    ['// none\n{}', 1],
    ['{\n1: 2}', 2],
    ["{\n'a': 2}", 2],
    [`${'['.repeat(100)}\n`, 1],
  ])('tells the line of the fault in %j', (text, line) => {
    expect(faultLine(text)).toBe(line);
  });

  it('refuses a key that is there twice, since one of them would be passed over', () => {
    expect(faultLine('{\n"only": true,\n"only": false\n}')).toBe(3);
    expect(faultLine('{"a": {"x": 1}, "b": {"x": 1}}')).toBeNull();
  });

  it('takes __proto__ for a key like any other', () => {
    expect(Object.keys(readJson('{"__proto__": 1}').value as object)).toEqual(['__proto__']);
  });
});
