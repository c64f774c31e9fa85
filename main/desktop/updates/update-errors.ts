import { codeOf } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';

/** By which electron-updater says that a release is not what its feed or its signature says (`AppUpdater`, `NsisUpdater`, `HttpExecutor`). */
const refusals: ReadonlySet<unknown> = new Set([
  'ERR_CHECKSUM_MISMATCH',
  'ERR_UPDATER_INVALID_SIGNATURE',
  'ERR_UPDATER_NO_CHECKSUM',
  'ERR_UPDATER_WEB_INSTALLER_DISABLED',
]);

/** What the file system says of a file that can't be written. */
const unwritable: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS']);

/** What went wrong with an update, in our words. `host`: of the feed. */
export function toUpdateError(thrown: unknown, host: string, version: string): TileliftError {
  if (thrown instanceof TileliftError) return thrown;
  const code = codeOf(thrown);
  if (refusals.has(code)) return new TileliftError('update-refused', { subject: version, cause: thrown });
  if (unwritable.has(code)) return new TileliftError('update-not-kept', { subject: version, cause: thrown });
  return new TileliftError('update-unreachable', { subject: host, cause: thrown });
}
