import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../../errno.ts';
import type { ClaimOwner } from '../claims/claim-model.ts';
import { type AgePlace, ageFileName, ageIn, ageText } from './age-place.ts';

export interface OwnAges {
  readonly journalPath: string;
  /** A folder of the system's own for what programs keep apart from the user's data; null where there is none, and then nothing is noticed by it. */
  readonly state: string | null;
  readonly owner: ClaimOwner;
}

/**
 * The places on this computer. The one beside the journal tells when the journal alone was put back, and is put back with the whole folder of the user's data; the one in the
 * system's own place tells of that.
 */
export function ownAges({ journalPath, state, owner }: OwnAges): readonly AgePlace[] {
  const beside = ageFile(join(dirname(journalPath), 'journal-age.json'));
  return state === null ? [beside] : [beside, ageFile(join(state, 'ages', ageFileName(owner)))];
}

/** Only one process holds the journal, so that only one writes here. */
function ageFile(path: string): AgePlace {
  return {
    read: async () => {
      try {
        return ageIn(await readFile(path, 'utf8'));
      } catch (error) {
        if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM')) return null;
        throw error;
      }
    },
    write: async (sources) => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const made = `${path}.new`;
      const file = await open(made, 'w', 0o600);
      try {
        await file.writeFile(ageText(sources));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(made, path);
    },
  };
}
