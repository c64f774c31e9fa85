#!/usr/bin/env node
/**
 * Replaces fpm (electron-builder's `CUSTOM_FPM_PATH`) if it can't be downloaded: makes the same package with
 * the system's packers.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDeb } from '../../scripts/package/deb.mjs';
import { stage } from '../../scripts/package/stage.mjs';
import { readFpmArguments } from './fpm-arguments.mjs';
import { makeRpm } from './rpm.mjs';

const work = mkdtempSync(join(tmpdir(), 'tilelift-installer-'));
try {
  const order = readFpmArguments(process.argv.slice(2));
  const folder = join(work, 'root');
  stage(order.contents, folder);
  const [postinst, postrm] = /** @type {[string, string]} */ (
    [order.afterInstall, order.afterRemove].map((script) => readFileSync(script, 'utf8'))
  );
  if (order.type === 'deb') await makeDeb(order, folder, { postinst, postrm });
  else await makeRpm(order, work, folder, { post: postinst, postun: postrm });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
