/** Installs missing dependencies, then runs a script on the project's Node. Runs on Node 20 or later. */
import { join } from 'node:path';
import { ensurePackages, projectEnvironment, projectNode, root } from './setup/packages.mjs';
import { run } from './setup/run.mjs';
import { say } from './setup/say.mjs';

const [script = '', ...args] = process.argv.slice(2);
try {
  await ensurePackages();
  const { code } = await run(projectNode(), [join(root, script), ...args], { env: projectEnvironment() });
  process.exitCode = code;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
