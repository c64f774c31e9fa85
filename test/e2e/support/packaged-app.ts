import { join } from 'node:path';
import { executableOf, outputs, unpackedApp } from '../../../scripts/package/unpacked-app.mjs';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * The packaged executable that tests drive: the shipping build but for the one fuse that Playwright needs.
 * Throws when it was not packed yet.
 */
export const packagedExecutable = () => executableOf(unpackedApp(join(root, outputs.forTests)));

/** The packaged executable as it ships. */
export const shippingExecutable = () => executableOf(unpackedApp(join(root, outputs.shipping)));

/** A root account can't use Chromium's sandbox; tests that run as root give it up, the product never does. */
export const sandboxArguments: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
