/**
 * What a release takes (docs/release.md): `npm run release -- <patch|minor|major|version> [--dry-run]` makes
 * a version, `… -- sign <folder>` signs what updates are made of, `… -- public-key` shows the public half of
 * the key in the environment.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { releaseKeys } from '../../main/desktop/updates/release-signature.ts';
import { root } from '../../scripts/setup/packages.mjs';
import { release } from './release.ts';
import { publicKeyOf, signFeeds } from './sign-feeds.ts';

const usage = `npm run release -- <patch | minor | major | version> [--dry-run]
npm run release -- sign <folder with installers>     TILELIFT_RELEASE_KEY holds the private key
npm run release -- public-key                        likewise`;
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  const [wanted, folder, ...more] = positionals;
  if (wanted === undefined || more.length > 0) throw new Error(usage);
  if (wanted === 'sign') {
    if (folder === undefined) throw new Error(usage);
    const names = await signFeeds({ folder: resolve(folder), key: keyInEnvironment(), trusted: releaseKeys });
    say(`Signed ${names.join(', ')}.`);
  } else if (folder !== undefined) {
    throw new Error(usage);
  } else if (wanted === 'public-key') {
    say(publicKeyOf(keyInEnvironment()));
  } else {
    const date = new Date().toISOString().slice(0, 10);
    release({ root, wanted, date, dryRun: values['dry-run'], say });
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** Never an argument: those can be read by every program of this computer. */
function keyInEnvironment(): string {
  const key = process.env.TILELIFT_RELEASE_KEY;
  if (!key) throw new Error('TILELIFT_RELEASE_KEY is not set (docs/release.md).');
  return key;
}
