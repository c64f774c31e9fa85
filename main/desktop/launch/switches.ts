/**
 * Switches that let other programs control the pages and so the user's accounts: Chromium's remote debugging
 * and Node's inspector.
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
  /** Uses Chromium's command line, which knows all spellings. */
  readonly hasSwitch: (name: string) => boolean;
  /**
   * The address of Node's inspector. A fuse disables it in the shipping build and nothing outside the program
   * can change that; only the build for tests can be inspected.
   */
  readonly inspectorAddress: string | undefined;
}

/** Returns the switch that prevents the start, else null. Builds for tests allow inspection anyway. Pure. */
export function refusedSwitch({ isPackaged, hasSwitch, inspectorAddress }: StartFacts): string | null {
  if (!isPackaged || inspectorAddress !== undefined) return null;
  return debuggers.find(hasSwitch) ?? null;
}

/**
 * Whether to warn that Chromium runs without its sandbox. AppImages (electron-builder's AppRun) disable it by
 * `--no-sandbox` if the system forbids user namespaces, as Ubuntu's AppArmor does for uninstalled programs
 * since 24.04. A fault in Chromium then exposes the user's account. Pure.
 */
export function runsUnsandboxed({ isPackaged, hasSwitch, inspectorAddress }: StartFacts): boolean {
  if (!isPackaged || inspectorAddress !== undefined) return false;
  // Chromium needs only one of the two sandboxes.
  const bothWays = ['disable-namespace-sandbox', 'disable-setuid-sandbox'];
  return hasSwitch('no-sandbox') || bothWays.every(hasSwitch);
}
