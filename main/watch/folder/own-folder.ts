import { TileliftError } from '../../errors.ts';
import { ownFolder } from '../survey/left-out.ts';
import { type HeldFolder, holdFolder, InTheWay } from './held-folder.ts';

/**
 * Tilelift's own folder in a watched one, or one in it. It is made when missing, but the watched folder is not: where a drive is away, nothing may be made in its
 * place. It counts only as a real folder on the drive of the watched one: what others put in its place is not followed.
 *
 * @throws TileliftError `watch-own-folder-foreign`; the system's own errors
 */
export async function holdOwnFolder(folder: string, ...below: readonly string[]): Promise<HeldFolder> {
  try {
    await using watched = await holdFolder(folder, []);
    const held = await holdFolder(folder, [ownFolder, ...below], { made: [] });
    if (held.device === watched.device) return held;
    await held[Symbol.asyncDispose]();
    throw new InTheWay(`${ownFolder} lies on another drive`);
  } catch (cause) {
    if (cause instanceof InTheWay)
      throw new TileliftError('watch-own-folder-foreign', { subject: folder, cause });
    throw cause;
  }
}
