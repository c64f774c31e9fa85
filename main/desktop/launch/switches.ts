/**
 * They let other programs control the pages and so the accounts: Chromium's remote debugging and Node's
 * inspector.
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
  /** From Chromium, which knows all spellings. */
  readonly hasSwitch: (name: string) => boolean;
  /** A fuse disables the inspector in the shipping build; the build for tests can be inspected. */
  readonly inspectorAddress: string | undefined;
}

/** Null for none, and in builds for tests. Pure. */
export function refusedSwitch({ isPackaged, hasSwitch, inspectorAddress }: StartFacts): string | null {
  if (!isPackaged || inspectorAddress !== undefined) return null;
  return debuggers.find(hasSwitch) ?? null;
}

/**
 * AppImages (electron-builder's AppRun) pass `--no-sandbox` if the system forbids user namespaces, as Ubuntu
 * does for uninstalled programs since 24.04. The user must know. Pure.
 */
export function runsUnsandboxed({ isPackaged, hasSwitch, inspectorAddress }: StartFacts): boolean {
  if (!isPackaged || inspectorAddress !== undefined) return false;
  // Chromium needs only one of them.
  const bothWays = ['disable-namespace-sandbox', 'disable-setuid-sandbox'];
  return hasSwitch('no-sandbox') || bothWays.every(hasSwitch);
}
