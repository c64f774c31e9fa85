import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { hasCode } from '../../errno.ts';
import type { ClaimOwner } from '../claims/claim-model.ts';
import { carefully, type HeldFolder } from '../folder/held-folder.ts';
import { holdOwnFolder } from '../folder/own-folder.ts';
import { type AgePlace, ageFileName, ageIn, ageText, largestAge } from './age-place.ts';

/** In a shared folder, where no backup and no snapshot of the user's data reaches. Others may write there too. Throws `watch-own-folder-foreign` as well. */
export function sharedAge(folder: string, owner: ClaimOwner): AgePlace {
  return {
    read: async () => {
      await using ages = await holdOwnFolder(folder, 'ages');
      const text = await textOf(ages, ageFileName(owner));
      await ages.check();
      return text === null ? null : ageIn(text);
    },
    write: async (sources) => {
      await using ages = await holdOwnFolder(folder, 'ages');
      const made = `${randomUUID()}.new`;
      const file = await open(ages.at(made), 'wx');
      try {
        await file.writeFile(ageText(sources));
        await file.sync();
      } finally {
        await file.close();
      }
      try {
        await rename(ages.at(made), ages.at(ageFileName(owner)));
      } catch (error) {
        await unlink(ages.at(made)).catch(() => {});
        throw error;
      }
      await ages.check();
    },
  };
}

async function textOf(ages: HeldFolder, name: string): Promise<string | null> {
  try {
    await using file = await open(ages.at(name), constants.O_RDONLY | carefully);
    const stats = await file.stat();
    if (!stats.isFile() || stats.nlink > 1 || stats.size > largestAge) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(largestAge), 0, largestAge, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP', 'EISDIR', 'ENXIO', 'EACCES', 'EPERM')) return null;
    throw error;
  }
}
