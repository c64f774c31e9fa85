/**
 * Chooses the script of `npm start` and its arguments: `tilelift check` for `--check`, which needs neither
 * service nor display; otherwise the main job in the window or in the terminal.
 * @param {readonly string[]} args
 * @param {boolean} hasDisplay
 * @returns {{ args: string[], script: 'main/command.ts' | 'scripts/terminal/main.ts' |
 * 'scripts/window/main.ts' }}
 */
export function entryOf(args, hasDisplay) {
  const otherArguments = args.filter((argument) => argument !== '--terminal');
  if (otherArguments.some((argument) => /^--check(?:=|$)/.test(argument))) {
    const paths = otherArguments.filter((argument) => argument !== '--check');
    return {
      script: 'main/command.ts',
      args: ['check', ...paths.map((path) => path.replace(/^--check=/, ''))],
    };
  }
  const inTerminal = args.includes('--terminal') || !hasDisplay;
  return { script: inTerminal ? 'scripts/terminal/main.ts' : 'scripts/window/main.ts', args: otherArguments };
}
