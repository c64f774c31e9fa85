import { chmodSync, closeSync, copyFileSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';

/** What anyone may run and its owner may replace. */
const programMode = 0o755;

/**
 * Puts a program in another one's place, whole or not at all: at no moment, not even that of a power cut, is
 * there none. The running one continues from what it has open. Throws what the file system throws.
 */
export function replaceProgram(place: string, by: string): void {
  const beside = `${place}.new`;
  try {
    copyFileSync(by, beside);
    chmodSync(beside, programMode);
    const file = openSync(beside, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, place);
  } catch (thrown) {
    rmSync(beside, { force: true });
    throw thrown;
  }
  rmSync(by, { force: true });
}
