import type { DatabaseSync } from 'node:sqlite';
import { schema } from './journal-schema.ts';

/**
 * `PRAGMA user_version` of `schema`. Lower numbers are development versions, rescued like damaged journals.
 */
const firstVersion = 29;

/** Each entry migrates a released journal to the next version. Append only. */
const migrations: readonly string[] = [];

/** The journal is from a later version, with unknown tables or columns. */
export class LaterVersion extends Error {
  override readonly name = 'LaterVersion';
}

/** The journal is from a development version. */
export class UnreleasedVersion extends Error {
  override readonly name = 'UnreleasedVersion';
}

/** Throws `LaterVersion` or `UnreleasedVersion` without changes. */
export function refuseOtherVersions(database: DatabaseSync): void {
  const version = versionOf(database);
  if (version > currentVersion())
    throw new LaterVersion(`the journal has version ${version}, known is ${currentVersion()}`);
  if (version > 0 && version < firstVersion)
    throw new UnreleasedVersion(`the journal has version ${version}, the first released is ${firstVersion}`);
}

/**
 * Creates or migrates the tables in one transaction: each would sync, and a kill leaves nothing half
 * migrated.
 */
export function migrate(database: DatabaseSync, steps: readonly string[] = migrations): void {
  const version = versionOf(database);
  const due = version === 0 ? [schema, ...steps] : steps.slice(version - firstVersion);
  if (due.length === 0) return;
  const target = currentVersion(steps);
  database.exec(`BEGIN IMMEDIATE; ${due.join(';\n')}; PRAGMA user_version = ${target}; COMMIT`);
}

export function isCurrent(database: DatabaseSync): boolean {
  return versionOf(database) === currentVersion();
}

function currentVersion(steps: readonly string[] = migrations): number {
  return firstVersion + steps.length;
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}
