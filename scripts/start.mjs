/**
 * `npm start`: sets up what is missing, then the main job on the embedded service: in the window where there
 * is a display, else (or with `--terminal`) in the terminal. Runs on any Node since 20; what it starts runs
 * on the project's Node.
 */
import { join } from 'node:path';
import { ensurePackages, projectEnvironment, projectNode, root } from './setup/packages.mjs';
import { run } from './setup/run.mjs';
import { say } from './setup/say.mjs';

const args = process.argv.slice(2);
const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
const inTerminal = args.includes('--terminal') || !hasDisplay;

try {
  await ensurePackages();
  const script = inTerminal ? 'terminal/main.ts' : 'window/main.ts';
  const rest = args.filter((argument) => argument !== '--terminal');
  if (inTerminal && !args.includes('--terminal')) say('No display here: the same job runs in the terminal.');
  const { code } = await run(projectNode(), [join(root, 'scripts', script), ...rest], {
    env: projectEnvironment(),
  });
  process.exitCode = code;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
