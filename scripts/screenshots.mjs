/** `npm run screenshots`: takes pictures of every state of every screen; `-- --only text` takes some alone. */
import { join } from 'node:path';
import { ensurePackages, projectEnvironment, projectNode, root } from './setup/packages.mjs';
import { run } from './setup/run.mjs';
import { say } from './setup/say.mjs';
import { ensureSystem } from './setup/system.mjs';
import { desktopSession } from './test/desktop-session.mjs';

await ensurePackages();
const missing = await ensureSystem(['display', 'electron', 'keychain']);
if (missing.length > 0) {
  say(`System packages are missing: ${missing.map((group) => group.missing.join(' ')).join(' ')}`);
  process.exit(1);
}
const session = desktopSession([
  projectNode(),
  join(root, 'test', 'gallery', 'screenshots.ts'),
  ...process.argv.slice(2),
]);
const [command = '', ...args] = session.run;
const { code } = await run(command, args, { cwd: root, env: projectEnvironment(session.env) });
process.exitCode = code;
