import { join } from 'node:path';
import { executableOf, outputs, unpackedApp } from '../../../scripts/package/unpacked-app.mjs';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * Executable of the packaged app for tests: the shipping build with Playwright's fuse. Throws if it wasn't
 * packed.
 */
export const packagedExecutable = () => executableOf(unpackedApp(join(root, outputs.forTests)));

/** Executable of the shipping build. */
export const shippingExecutable = () => executableOf(unpackedApp(join(root, outputs.shipping)));

/** Chromium's sandbox doesn't support root; only tests that run as root disable it, never the product. */
export const sandboxArguments: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
