/** What SQLite's result codes mean here (sqlite.org/rescode.html). The low byte is the primary code. */
const sqlError = 1;
const busy = 5;
const corrupt = 11;
const full = 13;
const constraint = 19;
const notADatabase = 26;

/** The disk, or whatever limits it, has no room for what was to be written. */
export function isDiskFull(thrown: unknown): boolean {
  return primaryCode(thrown) === full;
}

/** Another connection holds the lock that is wanted. */
export function isBusy(thrown: unknown): boolean {
  return primaryCode(thrown) === busy;
}

/** The file can be read, but what it holds is no sound database, or lacks tables that its version has. */
export function isDamage(thrown: unknown): boolean {
  const code = primaryCode(thrown);
  return code === corrupt || code === notADatabase || code === sqlError;
}

/** A row that its table does not take: a type, a check, a key that is there already. */
export function isRefusal(thrown: unknown): boolean {
  return primaryCode(thrown) === constraint;
}

function primaryCode(thrown: unknown): number | null {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number') return null;
  return thrown.errcode & 0xff;
}
