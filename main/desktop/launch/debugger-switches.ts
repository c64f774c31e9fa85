/**
 * Switches by which whoever starts the program would speak to its pages, to their bridge and so to the person's accounts, from another program: Chromium's remote debugging, and Node's
 * inspector.
 */
const switches = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-socket-name',
  'inspect',
  'inspect-brk',
  'inspect-brk-node',
  'inspect-port',
  'inspect-wait',
  'debug-port',
  'wait-for-debugger',
  'wait-for-debugger-children',
  'auto-open-devtools-for-tabs',
] as const;

export interface StartFacts {
  readonly isPackaged: boolean;
  /** Of Chromium's command line, which knows every spelling of a switch. */
  readonly hasSwitch: (name: string) => boolean;
  /** Where Node's inspector listens. The shipping build has a fuse that keeps it from ever listening; the build for tests differs in that fuse. Nothing outside the program changes it. */
  readonly inspectorAddress: string | undefined;
}

/** The switch for which the program does not start, null for none. A build that lets itself be inspected is for tests, and hides nothing. Pure. */
export function refusedSwitch({ isPackaged, hasSwitch, inspectorAddress }: StartFacts): string | null {
  if (!isPackaged || inspectorAddress !== undefined) return null;
  return switches.find(hasSwitch) ?? null;
}
