import { FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';

/**
 * Every fuse of Electron, in the order of its wire, and how a shipping build has it. Integrity of the archive
 * is something that Electron checks on macOS and Windows only.
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
  // Electron's default: WebAssembly, which our pages do not use, keeps its guard pages.
  ['WasmTrapHandlers', true],
];

/** The one fuse in which the build for tests differs: Playwright reaches the main process through it. */
export const testFuse = 'EnableNodeCliInspectArguments';

const on = '1'.charCodeAt(0);
const off = '0'.charCodeAt(0);

/**
 * What the wire of an executable says, by name. A fuse that this file does not name is an error: an Electron
 * that has grown a new one must not ship with it undecided.
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
      if (state !== on && state !== off) throw new Error(`The fuse ${name} is neither on nor off`);
      return [name, state === on];
    }),
  );
}

/**
 * Sets the fuses of an executable and reads them back: what could not be set is an error.
 * @param {string} executable
 * @param {readonly (readonly [name: string, on: boolean])[]} wanted all of them, in the order of the wire
 */
export async function setFuses(executable, wanted) {
  const wire = Object.fromEntries(wanted.map(([, state], place) => [place, state]));
  await flipFuses(executable, {
    version: FuseVersion.V1,
    // An executable that is changed needs its ad-hoc signature again; a real one comes after packing.
    resetAdHocDarwinSignature: process.platform === 'darwin',
    ...wire,
  });
  const found = await readFuses(executable);
  const wrong = wanted.filter(([name, state]) => found[name] !== state).map(([name]) => name);
  if (wrong.length > 0) throw new Error(`These fuses could not be set: ${wrong.join(', ')}`);
}
