/**
 * `npm run release -- <patch|minor|major|version> [--dry-run]`: makes a version. `npm run release --
 * rehearse`: runs the release workflow here (docs/release.md).
 */
import { parseArgs } from 'node:util';
import { root } from '../../scripts/setup/packages.mjs';
import { rehearse } from './rehearse.ts';
import { release } from './release.ts';

const usage = 'npm run release -- <patch | minor | major | version | rehearse> [--dry-run] [--quick]';

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
  });
  const [wantedVersion, ...excessArgs] = positionals;
  if (wantedVersion === undefined || excessArgs.length > 0) throw new Error(usage);
  const date = new Date().toISOString().slice(0, 10);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (wantedVersion === 'rehearse') process.exitCode = (await rehearse(root, values.quick, say)) ? 0 : 1;
  else release({ root, wanted: wantedVersion, date, dryRun: values['dry-run'], say });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
