/** `npm run release -- <patch|minor|major|version> [--dry-run]`: makes a version (docs/release.md). */
import { parseArgs } from 'node:util';
import { root } from '../../scripts/setup/packages.mjs';
import { release } from './release.ts';

const usage = 'npm run release -- <patch | minor | major | version> [--dry-run]';

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  const [wanted, ...more] = positionals;
  if (wanted === undefined || more.length > 0) throw new Error(usage);
  const date = new Date().toISOString().slice(0, 10);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  release({ root, wanted, date, dryRun: values['dry-run'], say });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
