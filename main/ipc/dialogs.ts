import { type BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron';
import { say } from '../say.ts';

interface Question {
  readonly message: string;
  readonly detail: string;
  /** Button labels. Escape selects the second one. */
  readonly yes: string;
  readonly no: string;
}

/** Asks before a risky action in a system dialog, which no page can answer. Enter means no. */
export async function askPerson(window: BrowserWindow | undefined, question: Question): Promise<boolean> {
  const { message, detail, yes, no } = question;
  const options = {
    ...{ type: 'warning' as const, message, detail, noLink: true },
    ...{ buttons: [yes, no], defaultId: 1, cancelId: 1 },
  };
  const { response } = await (window
    ? dialog.showMessageBox(window, options)
    : dialog.showMessageBox(options));
  return response === 0;
}

/** Asks before assets are deleted on the service, by name. */
export function askToDelete(window: BrowserWindow | undefined, names: readonly string[]): Promise<boolean> {
  return askPerson(window, {
    message: say('dialogs.deleteAssets', { count: names.length }),
    detail: [...names.map(nameLine), '', say('dialogs.deleteAssetsDetail')].join('\n'),
    yes: say('dialogs.deleteYes'),
    no: say('general.cancel'),
  });
}

/** Names are untrusted: one line each. */
function nameLine(name: string): string {
  return name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').slice(0, 200);
}

/** Asks with a checkbox (`dontAsk`: its label) to never ask again. Enter means yes. */
export async function askAgainOrNever(
  window: BrowserWindow | undefined,
  { message, detail, yes, no, dontAsk }: Question & { readonly dontAsk: string },
): Promise<{ readonly yes: boolean; readonly never: boolean }> {
  const options = {
    ...{ type: 'question' as const, message, detail, noLink: true },
    ...{ buttons: [yes, no], defaultId: 0, cancelId: 1, checkboxLabel: dontAsk },
  };
  const { response, checkboxChecked } = await (window
    ? dialog.showMessageBox(window, options)
    : dialog.showMessageBox(options));
  return { yes: response === 0, never: checkboxChecked };
}

/** Returns the chosen paths; empty if cancelled. */
export async function chooseToOpen(
  window: BrowserWindow | undefined,
  options: OpenDialogOptions,
): Promise<string[]> {
  const { filePaths } = await (window
    ? dialog.showOpenDialog(window, options)
    : dialog.showOpenDialog(options));
  return filePaths;
}

/** Returns the chosen path; null if cancelled. */
export async function chooseToSave(
  window: BrowserWindow | undefined,
  options: SaveDialogOptions,
): Promise<string | null> {
  const { filePath } = await (window
    ? dialog.showSaveDialog(window, options)
    : dialog.showSaveDialog(options));
  return filePath || null;
}
