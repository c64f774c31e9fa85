/** Copies the shipping build and enables the fuse for Playwright, the only difference in end-to-end tests. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readFuses, setFuses, testFuse } from './fuses.mjs';
import { executableOf, outputs, unpackedApp } from './unpacked-app.mjs';

const root = join(import.meta.dirname, '..', '..');
const shipping = unpackedApp(join(root, outputs.shipping));
const output = join(root, outputs.forTests);
const twinFolder = join(output, basename(shipping));
rmSync(output, { recursive: true, force: true });
mkdirSync(output);
cpSync(shipping, twinFolder, { recursive: true, verbatimSymlinks: true });
const fuses = Object.entries(await readFuses(executableOf(shipping)));
await setFuses(
  executableOf(twinFolder),
  fuses.map(([name, isEnabled]) => [name, isEnabled || name === testFuse]),
);
