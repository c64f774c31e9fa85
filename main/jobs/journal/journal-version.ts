import type { DatabaseSync } from 'node:sqlite';
import { schema } from './journal-schema.ts';

/** `PRAGMA user_version` of `schema`. Lower numbers are development versions. */
const firstVersion = 30;

/** Append only. */
const migrations: readonly string[] = [];

/** The journal has tables or columns of a later version. */
export class LaterVersion extends Error {
  override readonly name = 'LaterVersion';
}

/** A development version wrote the journal. */
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

/** One transaction: nothing is half migrated after a kill. */
export function migrate(database: DatabaseSync, steps: readonly string[] = migrations): void {
  const version = versionOf(database);
  const dueSteps = version === 0 ? [schema, ...steps] : steps.slice(version - firstVersion);
  if (dueSteps.length === 0) return;
  const target = currentVersion(steps);
  database.exec(`BEGIN IMMEDIATE; ${dueSteps.join(';\n')}; PRAGMA user_version = ${target}; COMMIT`);
}

/** Whether the database has exactly this version's tables. */
export function isCurrent(database: DatabaseSync): boolean {
  return versionOf(database) === currentVersion();
}

function currentVersion(steps: readonly string[] = migrations): number {
  return firstVersion + steps.length;
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}
