import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allowInBrowser } from '../../service/person.ts';
import type { Journey } from './journey.ts';
import { type Keyboard, keyboardOf } from './keyboard.ts';
import type { TileliftProgram, TileliftWindow } from './tilelift-window.ts';

/** A signed-in window, reached without a pointer. */
export async function signInByKeys(
  journey: Journey,
): Promise<{ readonly window: TileliftWindow; readonly keys: Keyboard }> {
  const window = await journey.launch();
  const keys = await keyboardOf(window);
  await window.page.getByRole('button', { name: 'Sign in' }).waitFor();
  await keys.tabTo('Cesium ion', 'radio');
  await keys.arrowTo('Embedded service');
  await keys.tabTo('Sign in', 'button');
  await keys.press('Enter');
  await window.openAddress(await allowInBrowser(await journey.browser.opened(1)));
  await window.page.getByRole('heading', { name: 'Uploads' }).waitFor();
  return { window, keys };
}

/** Makes the system's file dialog return that path. */
export async function answerPicker({ app }: TileliftProgram, path: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, path);
}

/** Agrees to the system's question about typed folders. */
export async function agreeToTypedFolders({ app }: TileliftProgram): Promise<void> {
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
  });
}

/** A folder with one CityGML file of that size. */
export async function townSource(journey: Journey, name: string, bytes = 12): Promise<string> {
  const folder = join(journey.folder, name);
  await mkdir(folder);
  await writeFile(
    join(folder, 'town.gml'),
    Buffer.concat([Buffer.from('<CityModel/>'), Buffer.alloc(bytes)]),
  );
  return folder;
}

/** Uploads a folder with the suggested settings. */
export async function uploadByKeys(keys: Keyboard, window: TileliftWindow, folder: string): Promise<void> {
  await answerPicker(window, folder);
  await keys.shortcut('O');
  await keys.arriveAt('Name', 'textbox');
  await keys.press('Enter');
  await window.page.getByRole('dialog').waitFor({ state: 'detached' });
}
