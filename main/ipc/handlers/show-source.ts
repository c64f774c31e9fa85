import { access } from 'node:fs/promises';
import { TileliftError } from '../../errors.ts';

/**
 * Shows the first path of a source in the file manager, which a job names, never a page.
 *
 * @param paths undefined of a job that is gone
 * @param show the system's own way
 * @throws TileliftError `job-unknown`; `source-missing` where nothing is there any more
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
