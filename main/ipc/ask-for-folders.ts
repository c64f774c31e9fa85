import type { BrowserWindow } from 'electron';
import { TileliftError } from '../errors.ts';
import { say } from '../say.ts';
import { askPerson } from './dialogs.ts';
import type { FolderField, GrantedPaths } from './granted-paths.ts';

/**
 * Folders that were typed, or stand in a file, rather than chosen could as well have been put in by a page
 * that was taken over: the person is asked where no page can answer. `why`: what there is to know before one
 * agrees.
 *
 * Throws `path-not-given` where they don't agree.
 */
export async function askForFolders(
  folders: readonly FolderField[],
  why: string,
  { window, granted }: { readonly window: () => BrowserWindow | undefined; readonly granted: GrantedPaths },
): Promise<void> {
  const typed = [...new Set(await granted.missing(folders.map(({ folder }) => folder)))];
  const [subject] = typed;
  if (subject === undefined) return;
  const agreed = await askPerson(window(), {
    message: say('dialogs.typedFolders', { count: typed.length }),
    detail: [...typed, '', why].join('\n'),
    yes: say('dialogs.useFolders'),
    no: say('dialogs.dontUseFolders'),
  });
  if (!agreed) {
    const field = folders.find(({ folder }) => folder === subject)?.field;
    throw new TileliftError('path-not-given', { subject, ...(field === undefined ? {} : { field }) });
  }
  granted.grant(typed);
}
