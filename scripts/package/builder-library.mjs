import { createRequire } from 'node:module';

const ofBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'));

/** Gives the packages that electron-builder itself stands on, in the versions that it works with. */
export const ofLibrary = createRequire(ofBuilder.resolve('app-builder-lib/package.json'));
