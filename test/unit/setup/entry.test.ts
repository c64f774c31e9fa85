import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../scripts/setup/entry.mjs';

describe('npm start', () => {
  it.each([
    ['nothing, with a display', [], true, 'window/main.ts', []],
    ['nothing, without a display', [], false, 'terminal/main.ts', []],
    ['--terminal', ['--terminal', '--json'], true, 'terminal/main.ts', ['--json']],
    ['--check, with a display', ['--check', 'a'], true, 'terminal/check.ts', ['--check', 'a']],
    ['--check, without a display', ['--check=a'], false, 'terminal/check.ts', ['--check=a']],
    ['a path that is called so', ['--source', 'a--check'], true, 'window/main.ts', ['--source', 'a--check']],
  ] as const)('with %s runs what is meant', (_what, args, hasDisplay, script, rest) => {
    expect(entryOf(args, hasDisplay)).toEqual({ script, args: rest });
  });
});
