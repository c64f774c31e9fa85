import { join } from 'node:path';
import { commandArguments } from './desktop/launch/command-launch.ts';

const command = commandArguments(process.argv);
if (command === null) {
  const { launchDesktop } = await import('./desktop/launch-desktop.ts');
  launchDesktop(join(import.meta.dirname, '..'));
} else {
  // Node's form. The command ends before Electron is ready, so it needs no display.
  process.argv = [process.execPath, 'tilelift', ...command];
  await import('./command.ts');
}
