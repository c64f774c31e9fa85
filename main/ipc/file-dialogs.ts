import { type BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron';

/** The system's dialogs for files and folders, over the window where there is one. */

/** What a person chose to open; empty when it was cancelled. */
export async function chooseToOpen(
  window: BrowserWindow | undefined,
  options: OpenDialogOptions,
): Promise<string[]> {
  const { filePaths } = window
    ? await dialog.showOpenDialog(window, options)
    : await dialog.showOpenDialog(options);
  return filePaths;
}

/** Where a person chose to save; null when it was cancelled. */
export async function chooseToSave(
  window: BrowserWindow | undefined,
  options: SaveDialogOptions,
): Promise<string | null> {
  const { filePath } = window
    ? await dialog.showSaveDialog(window, options)
    : await dialog.showSaveDialog(options);
  return filePath || null;
}
