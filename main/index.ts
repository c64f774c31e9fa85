import { join } from 'node:path';
import { commandArguments } from './desktop/launch/command-launch.ts';

const command = commandArguments(process.argv);
if (command === null) {
  const { launchDesktop } = await import('./desktop/launch/launch-desktop.ts');
  launchDesktop(join(import.meta.dirname, '..'));
} else {
  // As Node would have it. Electron is ready only when this file has been run: the command ends before, and
  // neither display nor any other process is ever asked for.
  process.argv = [process.execPath, 'tilelift', ...command];
  await import('./cli/main.ts');
}
