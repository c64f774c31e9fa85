import { expect, it } from 'vitest';
import { entryOf } from '../../../scripts/setup/entry.mjs';

it.each([
  ['nothing, with a display', [], true, 'scripts/window/main.ts', []],
  ['nothing, without a display', [], false, 'scripts/terminal/main.ts', []],
  ['--terminal', ['--terminal', '--json'], true, 'scripts/terminal/main.ts', ['--json']],
  ['--check, with a display', ['--check', 'a'], true, 'main/command.ts', ['check', 'a']],
  ['--check, without a display', ['--check=a', 'b'], false, 'main/command.ts', ['check', 'a', 'b']],
  [
    'a path that is called so',
    ['--source', 'a--check'],
    true,
    'scripts/window/main.ts',
    ['--source', 'a--check'],
  ],
] as const)('npm start with %s selects the right entry', (_what, args, hasDisplay, script, furtherArgs) => {
  expect(entryOf(args, hasDisplay)).toEqual({ script, args: furtherArgs });
});
