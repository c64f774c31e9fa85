import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/setup/packages.mjs';

/** The size of a package in docs/release.md, bytes. */
function documentedSize(name: string): number {
  const text = readFileSync(join(root, 'docs', 'release.md'), 'utf8');
  const row = text.split('\n').find((line) => line.startsWith(`| ${name} | `));
  const [, megabytes] = /\| ([\d.]+) MB \|/.exec(row ?? '') ?? [];
  if (megabytes === undefined) throw new Error(`docs/release.md has no size of ${name}`);
  return Number(megabytes) * 1e6;
}

/** The relative difference between a measured size and the documented one. */
export function differenceFromDocumented(name: string, bytes: number): number {
  process.stdout.write(`${name}: ${(bytes / 1e6).toFixed(1)} MB\n`);
  return Math.abs(bytes / documentedSize(name) - 1);
}

/** Total size of the files below a folder, bytes. */
export function sizeBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
