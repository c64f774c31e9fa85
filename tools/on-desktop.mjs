/**
 * `node tools/on-desktop.mjs SCRIPT …`: installs dependencies and runs a script on its own desktop session.
 */
import { join } from 'node:path';
import { ensurePackages, projectEnvironment, projectNode, root } from '../scripts/setup/packages.mjs';
import { run } from '../scripts/setup/run.mjs';
import { say } from '../scripts/setup/say.mjs';
import { ensureSystem } from '../scripts/setup/system.mjs';
import { desktopSession } from '../scripts/test/desktop-session.mjs';

const [script = '', ...args] = process.argv.slice(2);
await ensurePackages();
const missingGroups = await ensureSystem(['display', 'electron', 'keychain']);
if (missingGroups.length > 0) {
  say(`System packages are missing: ${missingGroups.map((group) => group.missing.join(' ')).join(' ')}`);
  process.exit(1);
}
const session = desktopSession([projectNode(), join(root, script), ...args]);
const [command = '', ...commandArgs] = session.run;
const { code } = await run(command, commandArgs, { cwd: root, env: projectEnvironment(session.env) });
process.exitCode = code;
