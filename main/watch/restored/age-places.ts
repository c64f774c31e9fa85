import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../../errno.ts';
import { parseJson } from '../../service/answer.ts';
import { writeWhole } from '../../whole-file.ts';
import type { ClaimOwner } from '../claims/claim-model.ts';
import { carefully, type HeldFolder, holdOwnFolder } from '../folder/held-folder.ts';

/**
 * A place in which it is kept how old this computer's journal was when it last took something: how many
 * sources it had taken by then. A journal that has taken fewer than a place says was put back from a backup.
 * What is there is data: all that it can do is to have a person asked.
 */
export interface AgePlace {
  /** Null where nothing was kept, or it makes no sense. Throws the system's own errors. */
  read(): Promise<number | null>;
  /** In one go: a kill leaves what was there before. Throws the system's own errors. */
  write(sources: number): Promise<void>;
}

/** Bytes; an age needs less than 100. */
const maxAgeBytes = 1_000;

const ageSchema = z.object({ version: z.literal(1), sources: z.number().int().nonnegative() });

const ageText = (sources: number) => JSON.stringify({ version: 1, sources });

function ageIn(text: string): number | null {
  return ageSchema.safeParse(parseJson(text)).data?.sources ?? null;
}

/** One for each computer and place of the user's data: a copy elsewhere neither finds nor changes it. */
function ageFileName({ instance, machine }: ClaimOwner): string {
  const hash = createHash('sha256').update(`age\0${instance}\0${machine ?? ''}`);
  return `${hash.digest('hex').slice(0, 32)}.json`;
}

interface OwnAges {
  readonly journalPath: string;
  /**
   * A folder of the system's own for what programs keep apart from the user's data; null where there is none,
   * and then nothing is noticed by it.
   */
  readonly state: string | null;
  readonly owner: ClaimOwner;
}

/**
 * The places on this computer. The one beside the journal tells when the journal alone was put back, and is
 * put back with the whole folder of the user's data; the one in the system's own place tells of that.
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
      await writeWhole(path, ageText(sources), { mode: 0o600 });
    },
  };
}

/**
 * In a shared folder, where no backup and no snapshot of the user's data reaches. Others may write there too.
 * Throws `watch-own-folder-foreign` as well.
 */
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
      const beside = ages.at(`${randomUUID()}.new`);
      await writeWhole(ages.at(ageFileName(owner)), ageText(sources), { beside });
      await ages.check();
    },
  };
}

async function textOf(ages: HeldFolder, name: string): Promise<string | null> {
  try {
    await using file = await open(ages.at(name), constants.O_RDONLY | carefully);
    const stats = await file.stat();
    if (!stats.isFile() || stats.nlink > 1 || stats.size > maxAgeBytes) return null;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxAgeBytes), 0, maxAgeBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP', 'EISDIR', 'ENXIO', 'EACCES', 'EPERM')) return null;
    throw error;
  }
}
