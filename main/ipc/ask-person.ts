import { type BrowserWindow, dialog } from 'electron';

export interface Question {
  readonly message: string;
  readonly detail: string;
  /** What the two buttons say. The second one is what Enter and Escape give. */
  readonly yes: string;
  readonly no: string;
}

/** Asks by a dialog of the system's, which no page can answer in the person's place. */
export async function askPerson(window: BrowserWindow | undefined, question: Question): Promise<boolean> {
  const { message, detail, yes, no } = question;
  const options = {
    type: 'warning' as const,
    ...{ message, detail },
    buttons: [yes, no],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  };
  const { response } = window
    ? await dialog.showMessageBox(window, options)
    : await dialog.showMessageBox(options);
  return response === 0;
}
