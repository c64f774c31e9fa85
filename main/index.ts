import { join } from 'node:path';
import { commandArguments } from './desktop/launch/command-launch.ts';

const command = commandArguments(process.argv);
if (command === null) {
  const { launchDesktop } = await import('./desktop/launch/launch-desktop.ts');
  launchDesktop(join(import.meta.dirname, '..'));
} else {
  // Use Node's form of the arguments. Electron becomes ready only after this file, so the command ends before
  // a display or another process is needed.
  process.argv = [process.execPath, 'tilelift', ...command];
  await import('./cli/main.ts');
}
