/**
 * `npm start`: sets up what is missing, then the main job on the embedded service: in the window where there
 * is a display, else (or with `--terminal`) in the terminal. With `--check` it looks into data instead. Runs
 * on any Node since 20; what it starts runs on the project's Node.
 */
import { join } from 'node:path';
import { entryOf } from './setup/entry.mjs';
import { ensurePackages, projectEnvironment, projectNode, root } from './setup/packages.mjs';
import { run } from './setup/run.mjs';
import { say } from './setup/say.mjs';

const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
const { script, args } = entryOf(process.argv.slice(2), hasDisplay);

try {
  await ensurePackages();
  if (script === 'terminal/main.ts' && !process.argv.includes('--terminal'))
    say('No display here: the same job runs in the terminal.');
  const { code } = await run(projectNode(), [join(root, 'scripts', script), ...args], {
    env: projectEnvironment(),
  });
  process.exitCode = code;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  // Of a check, 1 would say that something was found.
  process.exitCode = script === 'terminal/check.ts' ? 3 : 1;
}
