/** `npm run screenshots`: takes pictures of every state of every screen; `-- --only text` takes some alone. */
import { join } from 'node:path';
import { ensurePackages, projectEnvironment, projectNode, root } from '../../scripts/setup/packages.mjs';
import { run } from '../../scripts/setup/run.mjs';
import { say } from '../../scripts/setup/say.mjs';
import { ensureSystem } from '../../scripts/setup/system.mjs';
import { desktopSession } from '../../scripts/test/desktop-session.mjs';

await ensurePackages();
const missing = await ensureSystem(['display', 'electron', 'keychain']);
if (missing.length > 0) {
  say(`System packages are missing: ${missing.map((group) => group.missing.join(' ')).join(' ')}`);
  process.exit(1);
}
const session = desktopSession([
  projectNode(),
  join(root, 'tools', 'screenshots', 'main.ts'),
  ...process.argv.slice(2),
]);
const [command = '', ...args] = session.run;
const { code } = await run(command, args, { cwd: root, env: projectEnvironment(session.env) });
process.exitCode = code;
