import { access } from 'node:fs/promises';
import { TileliftError } from '../../errors.ts';

/**
 * Shows a source's first path in the file manager. Paths come from jobs, never from a page.
 *
 * @param paths undefined if the job is gone
 * @param show the system's function
 * @throws TileliftError `job-unknown`; `source-missing` if the path no longer exists
 */
export async function showSource(
  paths: readonly string[] | undefined,
  show: (path: string) => void,
): Promise<void> {
  const [path] = paths ?? [];
  if (path === undefined) throw new TileliftError('job-unknown');
  try {
    await access(path);
  } catch (cause) {
    throw new TileliftError('source-missing', { subject: path, cause });
  }
  show(path);
}
