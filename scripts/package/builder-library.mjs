import { createRequire } from 'node:module';

const ofBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'));

/** Requires electron-builder's own dependencies, in the versions that it uses. */
export const ofLibrary = createRequire(ofBuilder.resolve('app-builder-lib/package.json'));
