import type { DatabaseSync } from 'node:sqlite';
import { schema } from './journal-schema.ts';

/**
 * `PRAGMA user_version` of a journal with `schema`. Lower numbers are those of development versions: their
 * journals are rescued like damaged ones.
 */
const firstVersion = 29;

/** Each entry brings a journal of a release to the next version. Entries are only ever added. */
const migrations: readonly string[] = [];

/** A later version of Tilelift wrote the journal, with tables or columns that this version doesn't know. */
export class LaterVersion extends Error {
  override readonly name = 'LaterVersion';
}

/** A development version wrote the journal; its tables aren't those of any release. */
export class UnreleasedVersion extends Error {
  override readonly name = 'UnreleasedVersion';
}

/** Throws `LaterVersion` or `UnreleasedVersion`, having changed nothing. */
export function refuseOtherVersions(database: DatabaseSync): void {
  const version = versionOf(database);
  if (version > currentVersion())
    throw new LaterVersion(`the journal has version ${version}, known is ${currentVersion()}`);
  if (version > 0 && version < firstVersion)
    throw new UnreleasedVersion(`the journal has version ${version}, the first released is ${firstVersion}`);
}

/**
 * Gives a new journal its tables, and one of an earlier release those that came later. In one transaction:
 * each waits for the disk, and nothing is half migrated after a kill.
 */
export function migrate(database: DatabaseSync, steps: readonly string[] = migrations): void {
  const version = versionOf(database);
  const due = version === 0 ? [schema, ...steps] : steps.slice(version - firstVersion);
  if (due.length === 0) return;
  const target = currentVersion(steps);
  database.exec(`BEGIN IMMEDIATE; ${due.join(';\n')}; PRAGMA user_version = ${target}; COMMIT`);
}

/** Whether the database has exactly the tables of this version. */
export function isCurrent(database: DatabaseSync): boolean {
  return versionOf(database) === currentVersion();
}

function currentVersion(steps: readonly string[] = migrations): number {
  return firstVersion + steps.length;
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}
