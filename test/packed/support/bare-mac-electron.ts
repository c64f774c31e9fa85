import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { requireLibrary } from '../../../scripts/package/builder-library.mjs';

const { build } = requireLibrary('plist');

/** Electron's Info.plist for any app. */
const electronsOwn = {
  CFBundleExecutable: 'Electron',
  CFBundleIconFile: 'electron.icns',
  CFBundleIdentifier: 'com.github.Electron',
  CFBundleName: 'Electron',
  CFBundlePackageType: 'APPL',
  LSMinimumSystemVersion: '12.0',
  NSAppTransportSecurity: { NSAllowsArbitraryLoads: true },
  NSBluetoothAlwaysUsageDescription: 'This app needs access to Bluetooth',
  NSCameraUsageDescription: 'This app needs access to the camera',
  NSHighResolutionCapable: true,
  NSMicrophoneUsageDescription: 'This app needs access to the microphone',
  NSPrincipalClass: 'AtomApplication',
  NSSupportsAutomaticGraphicsSwitching: true,
};

const helpers = ['', ' (GPU)', ' (Plugin)', ' (Renderer)'].map((kind) => `Electron Helper${kind}`);

/**
 * Beginning of the fuses in a binary: this text, the format version and the length. One character per fuse
 * follows.
 */
const fuseWire = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('101100110'),
]);

/** Chromium's texts below `Contents`, by language. */
export const frameworkResources = 'Frameworks/Electron Framework.framework/Versions/A/Resources';

/**
 * Creates what the packer needs of Electron for macOS: folders and property lists, without programs. This
 * shows what the packer writes for us.
 */
export async function bareMacElectron(folder: string): Promise<void> {
  const contents = join(folder, 'Electron.app', 'Contents');
  const writeContent = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(contents, path)), { recursive: true });
    await writeFile(join(contents, path), content);
  };
  await writeContent('Info.plist', build(electronsOwn));
  await writeContent('MacOS/Electron', '');
  await writeContent('Resources/electron.icns', '');
  await writeContent('Frameworks/Electron Framework.framework/Electron Framework', fuseWire);
  for (const language of ['de', 'en', 'en_GB', 'fr'])
    await writeContent(`${frameworkResources}/${language}.lproj/locale.pak`, '');
  for (const helper of helpers) {
    await writeContent(`Frameworks/${helper}.app/Contents/Info.plist`, build({ CFBundleExecutable: helper }));
    await writeContent(`Frameworks/${helper}.app/Contents/MacOS/${helper}`, '');
  }
}
