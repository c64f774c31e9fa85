/** `npm run pictures`: takes the README's pictures of the packaged app again. */
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
const packed = await run(projectNode(), [join(root, 'scripts', 'package.mjs'), '--for-tests']);
const session = desktopSession([projectNode(), join(root, 'tools', 'pictures', 'main.ts')]);
const [command = '', ...args] = session.run;
const taken =
  packed.code === 0 ? await run(command, args, { cwd: root, env: projectEnvironment(session.env) }) : packed;
process.exitCode = taken.code;
