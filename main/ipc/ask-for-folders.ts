import type { BrowserWindow } from 'electron';
import { TileliftError } from '../errors.ts';
import { say } from '../say.ts';
import { askPerson } from './dialogs.ts';
import type { FolderField, GrantedPaths } from './granted-paths.ts';

/**
 * Asks the user about folders that a compromised page could have inserted, in a system dialog, which no page
 * can answer. `why`: consequences to show.
 *
 * Throws `path-not-given` if the user refuses.
 */
export async function askForFolders(
  folders: readonly FolderField[],
  why: string,
  { window, granted }: { readonly window: () => BrowserWindow | undefined; readonly granted: GrantedPaths },
): Promise<void> {
  const enteredFolders = [...new Set(await granted.missingPaths(folders.map(({ folder }) => folder)))];
  const [subject] = enteredFolders;
  if (subject === undefined) return;
  const agreed = await askPerson(window(), {
    message: say('dialogs.typedFolders', { count: enteredFolders.length }),
    detail: [...enteredFolders, '', why].join('\n'),
    yes: say('dialogs.useFolders'),
    no: say('dialogs.dontUseFolders'),
  });
  if (!agreed) {
    const field = folders.find(({ folder }) => folder === subject)?.field;
    throw new TileliftError('path-not-given', { subject, ...(field === undefined ? {} : { field }) });
  }
  granted.grant(enteredFolders);
}
