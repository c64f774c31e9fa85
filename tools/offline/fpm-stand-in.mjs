#!/usr/bin/env node
/**
 * Replaces fpm (electron-builder's `CUSTOM_FPM_PATH`) if it can't be downloaded: makes the same package with
 * the system's packers.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDeb } from './deb.mjs';
import { readFpmArguments } from './fpm-arguments.mjs';
import { makeRpm } from './rpm.mjs';

const work = mkdtempSync(join(tmpdir(), 'tilelift-installer-'));
try {
  const order = readFpmArguments(process.argv.slice(2));
  await (order.type === 'deb' ? makeDeb : makeRpm)(order, work);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
