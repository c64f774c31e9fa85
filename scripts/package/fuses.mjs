import { FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';

/**
 * All of Electron's fuses in wire order, with their state in a shipping build. Electron only checks the
 * archive's integrity on macOS and Windows.
 * @param {NodeJS.Platform} platform
 * @returns {readonly (readonly [name: string, on: boolean])[]}
 */
export const shippingFuses = (platform) => [
  ['RunAsNode', false],
  ['EnableCookieEncryption', true],
  ['EnableNodeOptionsEnvironmentVariable', false],
  ['EnableNodeCliInspectArguments', false],
  ['EnableEmbeddedAsarIntegrityValidation', platform === 'darwin' || platform === 'win32'],
  ['OnlyLoadAppFromAsar', true],
  ['LoadBrowserProcessSpecificV8Snapshot', false],
  ['GrantFileProtocolExtraPrivileges', false],
  // Electron's default: guard pages for WebAssembly, which our pages don't use.
  ['WasmTrapHandlers', true],
];

/** The only fuse that differs in the build for tests: Playwright needs it to reach the main process. */
export const testFuse = 'EnableNodeCliInspectArguments';

const enabledByte = '1'.charCodeAt(0);
const disabledByte = '0'.charCodeAt(0);

/**
 * An executable's fuses by name. Throws for an unknown fuse, so that no new fuse of Electron ships undecided.
 * @param {string} executable
 * @returns {Promise<Record<string, boolean>>}
 */
export async function readFuses(executable) {
  const { version, ...wire } = await getCurrentFuseWire(executable);
  if (version !== FuseVersion.V1) throw new Error(`Electron’s fuse wire has version ${version}, not 1`);
  const names = shippingFuses(process.platform).map(([name]) => name);
  const states = Object.values(wire);
  if (states.length !== names.length)
    throw new Error(`Electron has ${states.length} fuses, and ${names.length} are decided on here`);
  return Object.fromEntries(
    states.map((state, place) => {
      const name = names[place] ?? '';
      if (state !== enabledByte && state !== disabledByte)
        throw new Error(`The fuse ${name} is neither on nor off`);
      return [name, state === enabledByte];
    }),
  );
}

/**
 * Sets an executable's fuses and verifies them.
 * @param {string} executable
 * @param {readonly (readonly [name: string, on: boolean])[]} wantedFuses all fuses in wire order
 */
export async function setFuses(executable, wantedFuses) {
  const wire = Object.fromEntries(wantedFuses.map(([, state], place) => [place, state]));
  await flipFuses(executable, {
    version: FuseVersion.V1,
    // A changed executable needs a new ad-hoc signature; the real signing follows after packing.
    resetAdHocDarwinSignature: process.platform === 'darwin',
    ...wire,
  });
  const actualFuses = await readFuses(executable);
  const wrongFuses = wantedFuses.filter(([name, state]) => actualFuses[name] !== state).map(([name]) => name);
  if (wrongFuses.length > 0) throw new Error(`These fuses could not be set: ${wrongFuses.join(', ')}`);
}
