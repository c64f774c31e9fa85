import { createRequire } from 'node:module';

const ofBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'));

/** Gives what electron-builder itself stands on, so that what it wrote is read by what it was written with. */
export const ofLibrary = createRequire(ofBuilder.resolve('app-builder-lib/package.json'));
