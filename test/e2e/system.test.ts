import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { beginJourney, dropAndUpload, type Journey, signIn } from './support/journey.ts';
import type { TileliftProgram, TileliftWindow } from './support/tilelift-window.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

/** As an earlier run left them. */
async function keepSettings(settings: object): Promise<void> {
  await mkdir(journey.userData, { recursive: true });
  await writeFile(join(journey.userData, 'settings.json'), JSON.stringify(settings));
}

const mebibyte = 1024 ** 2;

/** Creates a folder with files of one size. */
async function source(name: string, files = 1, bytes = 1): Promise<string> {
  const folder = join(journey.folder, name);
  await mkdir(folder);
  for (let file = 0; file < files; file += 1)
    await writeFile(join(folder, `ortho-${file}.tif`), Buffer.alloc(bytes, file));
  return folder;
}

/** Starts an upload that takes some seconds. */
async function beginUpload(window: TileliftWindow): Promise<void> {
  await signIn(journey, window);
  journey.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1_000 },
    action: { kind: 'throttle', bytesPerSecond: mebibyte },
  });
  await dropAndUpload(window, await source('Flight', 12, mebibyte));
  await jobThatIs(window.page, 'uploading').waitFor();
}

const jobThatIs = (page: Page, status: string) => page.locator(`[data-testid=job][data-status=${status}]`);
const isComplete = (page: Page) => jobThatIs(page, 'complete').waitFor({ timeout: 60_000 });

/** A shortcut, by the system's own way to the menu; on Windows and Linux its bar is hidden meanwhile. */
const press = ({ app }: TileliftProgram, keyCode: string) =>
  app.evaluate(
    ({ BrowserWindow }, { key, modifier }) => {
      const [window] = BrowserWindow.getAllWindows();
      window?.webContents.sendInputEvent({ type: 'keyDown', keyCode: key, modifiers: [modifier] });
    },
    { key: keyCode, modifier: process.platform === 'darwin' ? ('meta' as const) : ('control' as const) },
  );

const choose = ({ app }: TileliftProgram, id: string) =>
  app.evaluate(({ Menu }, itemId) => Menu.getApplicationMenu()?.getMenuItemById(itemId)?.click(), id);

const isEnabled = ({ app }: TileliftProgram, id: string) =>
  app.evaluate(({ Menu }, itemId) => Menu.getApplicationMenu()?.getMenuItemById(itemId)?.enabled, id);

/**
 * Waits for two answers of the page: it has handled the event before the first and its effects before the
 * second.
 */
async function hasTaken(page: Page): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await page.evaluate(`tilelift.call('app.info', null)`);
}

const rolesOfMenu = ({ app }: TileliftProgram) =>
  app.evaluate(
    ({ Menu }) =>
      Menu.getApplicationMenu()?.items.flatMap(
        ({ submenu }) => submenu?.items.map(({ role }) => role) ?? [],
      ) ?? [],
  );

/** Chooses an item of a menu by its words. */
const chooseWords = ({ app }: TileliftProgram, menu: string, words: string) =>
  app.evaluate(
    ({ Menu }, path) => {
      const topMenu = Menu.getApplicationMenu()?.items.find(({ label }) => label.endsWith(path.menu));
      topMenu?.submenu?.items.find(({ label }) => label === path.words)?.click();
    },
    { menu, words },
  );

describe('application menu', () => {
  it('opens every screen and starts every action once signed in', async () => {
    const window = await journey.launch();
    const { page } = window;
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    // The first screen may be there before the menu is, and no other menu is there before.
    // Right after the start, a garbage collection may end an evaluation.
    const roles = await eventually(() => rolesOfMenu(window));
    expect(roles).not.toContain('toggledevtools');
    await eventually(async () => expect(await isEnabled(window, 'settings')).toBe(false));
    await signIn(journey, window);
    await eventually(async () => expect(await isEnabled(window, 'settings')).toBe(true));

    for (const [key, name] of [
      ['2', 'Watched folders'],
      ['3', 'Assets'],
      ['4', 'Settings'],
      ['1', 'Uploads'],
    ] as const) {
      await press(window, key);
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
    await choose(window, 'assets');
    await press(window, 'N');
    await page.getByRole('menuitem', { name: 'Choose a folder…' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
    await page.keyboard.press('Escape');
    await choose(window, 'watch-folder');
    await page.getByRole('dialog').waitFor();
    // Open forms stay.
    await choose(window, 'assets');
    await hasTaken(page);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1, name: 'Watched folders' }).waitFor();
  });

  it('opens the system’s folder dialog and the chosen folder', async () => {
    const window = await journey.launch();
    await signIn(journey, window);
    const folder = await source('Chosen');
    await window.app.evaluate(({ dialog }, path) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
    }, folder);
    await choose(window, 'choose-folder');
    await window.page.getByRole('dialog').getByText('Chosen').first().waitFor();
  });

  it('zooms up to 200 % and back', async () => {
    const window = await journey.launch();
    const factor = () =>
      window.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.getZoomFactor(),
      );
    await eventually(async () => expect(await isEnabled(window, 'settings')).toBe(false));
    for (let times = 0; times < 10; times += 1) await chooseWords(window, 'View', 'Zoom in');
    await eventually(async () => expect(await factor()).toBeCloseTo(2, 2));
    await chooseWords(window, 'View', 'Actual size');
    await eventually(async () => expect(await factor()).toBeCloseTo(1, 2));
  });
});

describe('paths handed over by the system', () => {
  it('open the New asset sheet from a second launch', async () => {
    const window = await journey.launch();
    await signIn(journey, window);
    await window.openAddress('--new-tab', 'relative/path', '/not/there', await source('Given'));
    await window.page.getByRole('dialog').getByText('Given').first().waitFor();
  });

  it('wait for the sign-in if they came with the first launch', async () => {
    const folder = await source('Early bird');
    const window = await journey.launch({ args: [`file://${encodeURI(folder)}`] });
    await signIn(journey, window);
    await window.page.getByRole('dialog').getByText('Early bird').first().waitFor();
  });

  it('ignores paths next to a link', async () => {
    const window = await journey.launch();
    await signIn(journey, window);
    await window.openAddress('tilelift://oauth/callback?code=a&state=b', await source('Smuggled'));
    await window.openAddress(await source('Honest'));
    await window.page.getByRole('dialog').getByText('Honest').first().waitFor();
    expect(await window.page.getByText('Smuggled').count()).toBe(0);
  });
});

/** Answers every question before quitting so; gives how many were asked. */
async function answerQuestions({ app }: TileliftProgram, response: number): Promise<() => Promise<number>> {
  await app.evaluate(({ dialog }, given) => {
    Reflect.set(globalThis, 'asked', 0);
    dialog.showMessageBox = async () => {
      Reflect.set(globalThis, 'asked', Reflect.get(globalThis, 'asked') + 1);
      return { response: given, checkboxChecked: true };
    };
  }, response);
  return () => app.evaluate(() => Reflect.get(globalThis, 'asked'));
}

const quitWords = process.platform === 'win32' ? 'E&xit' : '&Quit';
const quitByMenu = (program: TileliftProgram) => chooseWords(program, 'File', quitWords);
const closeWindow = ({ app }: TileliftProgram) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
const [quitButton, stayButton] = [0, 1];

/** Its exit code; waits for it. */
async function end({ app }: TileliftProgram, how: () => Promise<unknown>): Promise<number | null> {
  // Asked for before: a program that has ended can't be asked for its process.
  const running = app.process();
  const exit = once(running, 'exit');
  await Promise.all([exit, how().catch(() => {})]);
  return running.exitCode;
}

describe.skipIf(process.platform === 'darwin')('quitting during an upload', () => {
  it('asks the user, who may stay; the upload resumes at the next start', async () => {
    const window = await journey.launch();
    await beginUpload(window);
    const questions = await answerQuestions(window, stayButton);
    await quitByMenu(window);
    await eventually(async () => expect(await questions()).toBe(1));
    expect(window.app.process().exitCode).toBeNull();

    await answerQuestions(window, quitButton);
    expect(await end(window, () => quitByMenu(window))).toBe(0);
    const { background } = JSON.parse(await readFile(join(journey.userData, 'settings.json'), 'utf8'));
    expect(background.askBeforeQuit).toBe(false);

    const again = await journey.launch();
    await isComplete(again.page);
    expect(journey.service.control.assets()).toMatchObject([{ status: 'COMPLETE' }]);
  });

  it('asks also when closing the window would end the upload', async () => {
    await keepSettings({ background: { keepRunning: false } });
    const window = await journey.launch();
    await beginUpload(window);
    const questions = await answerQuestions(window, stayButton);
    await closeWindow(window);
    await eventually(async () => expect(await questions()).toBe(1));
    await isComplete(window.page);
    // Every upload has ended.
    expect(await end(window, () => closeWindow(window))).toBe(0);
  });
});

describe('desktop whose window is hidden', () => {
  /** Records system calls and hides the window. */
  const lookAway = ({ app }: TileliftProgram) =>
    app.evaluate(({ app: main, BrowserWindow, Notification }) => {
      const bars: unknown[] = [];
      const badges: number[] = [];
      const notices: unknown[] = [];
      Reflect.set(globalThis, 'seen', { bars, badges, notices });
      const [window] = BrowserWindow.getAllWindows();
      if (!window) return;
      window.isFocused = () => false;
      window.setProgressBar = (share, options) => {
        bars.push({ share, mode: options?.mode, at: Date.now() });
      };
      main.setBadgeCount = (count = 0) => {
        badges.push(count);
        return true;
      };
      Notification.isSupported = () => true;
      Notification.prototype.show = function show(this: Electron.Notification) {
        notices.push({ title: this.title, body: this.body });
        Reflect.set(globalThis, 'clickLast', () => this.emit('click'));
      };
    });

  it('shows an upload’s progress in the taskbar and its end in a notification that opens it', async () => {
    const window = await journey.launch();
    await lookAway(window);
    await beginUpload(window);
    await isComplete(window.page);
    const seen = () => window.app.evaluate(() => Reflect.get(globalThis, 'seen'));
    await eventually(async () => expect((await seen()).notices).toHaveLength(1));
    await eventually(async () => expect((await seen()).bars.at(-1)).toMatchObject({ share: -1 }));

    const { bars, badges, notices } = await seen();
    const sent = bars.filter(({ mode }: { mode?: string }) => mode === 'normal');
    const shares = sent.map(({ share }: { share: number }) => share);
    expect(shares.length).toBeGreaterThan(1);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    const span = bars.at(-1).at - bars[0].at;
    expect(bars.length).toBeLessThanOrEqual(4 * Math.ceil(span / 1_000) + 1);
    expect(badges).toEqual([1, 0]);
    const [asset] = journey.service.control.assets();
    expect(notices).toEqual([{ title: '“Flight” is complete', body: `Asset ${asset?.id} is ready.` }]);

    await choose(window, 'settings');
    await window.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await window.app.evaluate(() => Reflect.get(globalThis, 'clickLast')());
    await window.page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
    await window.page.getByRole('button', { name: 'Flight', expanded: true }).waitFor();
  });
});

describe('application window', () => {
  it('loads its icon from the package', async () => {
    const { app } = await journey.launch();
    const size = await app.evaluate(({ app: main, nativeImage }) =>
      nativeImage.createFromPath(`${main.getAppPath()}/build/icons/256x256.png`).getSize(),
    );
    expect(size).toEqual({ width: 256, height: 256 });
  });
});
