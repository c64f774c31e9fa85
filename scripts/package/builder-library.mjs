import { createRequire } from 'node:module';

const requireBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'));

/** Requires electron-builder's own dependencies, in the versions that it uses. */
export const requireLibrary = createRequire(requireBuilder.resolve('app-builder-lib/package.json'));
