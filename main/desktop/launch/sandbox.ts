/**
 * Whether Chromium's sandbox keeps pages apart from this computer. The starter of an AppImage (electron-builder's AppRun) gives it up in silence, by `--no-sandbox`, where the system lets nobody make user
 * namespaces: Ubuntu from 24.04 on, by AppArmor, which lets installed programs alone. Without the sandbox a fault in Chromium is a fault in everything that the person may do.
 */

export interface SandboxFacts {
  readonly isPackaged: boolean;
  /** Of Chromium's command line. */
  readonly hasSwitch: (name: string) => boolean;
  /** As in `refusedSwitch`: a build for tests, which often run as root, where there is no sandbox. */
  readonly inspectorAddress: string | undefined;
}

/** True where the person has to be told. Pure. */
export function runsUnsandboxed({ isPackaged, hasSwitch, inspectorAddress }: SandboxFacts): boolean {
  if (!isPackaged || inspectorAddress !== undefined) return false;
  // Chromium takes the second way where it can't go the first.
  const bothWays = ['disable-namespace-sandbox', 'disable-setuid-sandbox'];
  return hasSwitch('no-sandbox') || bothWays.every(hasSwitch);
}
