/**
 * Switches by which whoever starts the program would speak to its pages, to their bridge and so to the
 * person's accounts, from another program: Chromium's remote debugging, and Node's inspector.
 */
const debuggers = [
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

interface StartFacts {
  readonly isPackaged: boolean;
  /** Of Chromium's command line, which knows every spelling of a switch. */
  readonly hasSwitch: (name: string) => boolean;
  /**
   * Where Node's inspector listens. The shipping build has a fuse that keeps it from ever listening; the
   * build for tests, which often run as root, differs in that fuse. Nothing outside the program changes it.
   */
  readonly inspectorAddress: string | undefined;
}

/**
 * The switch for which the program does not start, null for none. A build that lets itself be inspected is
 * for tests, and hides nothing. Pure.
 */
export function refusedSwitch({ isPackaged, hasSwitch, inspectorAddress }: StartFacts): string | null {
  if (!isPackaged || inspectorAddress !== undefined) return null;
  return debuggers.find(hasSwitch) ?? null;
}

/**
 * Whether the person has to be told that Chromium's sandbox does not keep pages apart from this computer. The
 * starter of an AppImage (electron-builder's AppRun) gives it up in silence, by `--no-sandbox`, where the
 * system lets nobody make user namespaces: Ubuntu from 24.04 on, by AppArmor, which lets installed programs
 * alone. Without the sandbox a fault in Chromium is a fault in everything that the person may do. Pure.
 */
export function runsUnsandboxed({ isPackaged, hasSwitch, inspectorAddress }: StartFacts): boolean {
  if (!isPackaged || inspectorAddress !== undefined) return false;
  // Chromium takes the second way where it can't go the first.
  const bothWays = ['disable-namespace-sandbox', 'disable-setuid-sandbox'];
  return hasSwitch('no-sandbox') || bothWays.every(hasSwitch);
}
