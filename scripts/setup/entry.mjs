/**
 * What `npm start` runs, below `scripts/`, and what it is given: `--check` looks into data and needs neither
 * service nor display; else the main job in the window, or in the terminal.
 * @param {readonly string[]} args
 * @param {boolean} hasDisplay
 * @returns {{ script: 'terminal/check.ts' | 'terminal/main.ts' | 'window/main.ts', args: string[] }}
 */
export function entryOf(args, hasDisplay) {
  const rest = args.filter((argument) => argument !== '--terminal');
  if (args.some((argument) => /^--check(?:=|$)/.test(argument)))
    return { script: 'terminal/check.ts', args: rest };
  const inTerminal = args.includes('--terminal') || !hasDisplay;
  return { script: inTerminal ? 'terminal/main.ts' : 'window/main.ts', args: rest };
}
