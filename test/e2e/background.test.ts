import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BackgroundChoices } from '../../preload/contract.ts';
import { backgroundSwitches } from '../../shared/background.ts';
import { eventually } from './support/eventually.ts';
import { beginJourney, dropAndUpload, type Journey, signIn } from './support/journey.ts';
import { packagedExecutable } from './support/packaged-app.ts';
import type { TileliftProgram } from './support/tilelift-window.ts';

const execute = promisify(execFile);
const usual = { startAtLogin: false, keepRunning: true, ...backgroundSwitches };

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

const setBackground = (page: Page, choices: BackgroundChoices) =>
  page.evaluate(`tilelift.call('background.set', ${JSON.stringify(choices)})`);

const windows = ({ app }: TileliftProgram) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

/** As a person closes it: by its frame. */
const closeWindow = ({ app }: TileliftProgram) =>
  app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close();
  });

const isClosed = (program: TileliftProgram) => eventually(async () => expect(await windows(program)).toBe(0));

/** The window that a second launch without further words brings back. */
async function showAgain(program: TileliftProgram): Promise<Page> {
  const opened = program.app.waitForEvent('window');
  await program.openAddress();
  return opened;
}

const hasEnded = ({ app }: TileliftProgram) => app.process().exitCode !== null;

/** Its exit code; waits for it. */
async function end(program: TileliftProgram, how: () => Promise<unknown> | unknown): Promise<number | null> {
  const child = program.app.process();
  const exit = once(child, 'exit');
  // The process may end before it answers.
  await Promise.all([exit, Promise.resolve(how()).catch(() => {})]);
  return child.exitCode;
}

/** An upload that takes a few seconds. */
async function beginUpload(window: Awaited<ReturnType<Journey['launch']>>): Promise<void> {
  const source = join(journey.folder, 'Flight');
  await mkdir(source);
  await writeFile(join(source, 'ortho.tif'), Buffer.alloc(4 * 1024 ** 2, 7));
  await signIn(journey, window);
  journey.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1_000 },
    action: { kind: 'throttle', bytesPerSecond: 2 * 1024 ** 2 },
  });
  await dropAndUpload(window, source);
  // The asset exists: an earlier kill would rightly leave an orphan.
  const isSending = () => journey.service.control.requests().some(({ room }) => room === 'storage');
  await eventually(() => expect(isSending()).toBe(true));
}

const tiled = () =>
  eventually(() => expect(journey.service.control.assets()).toMatchObject([{ status: 'COMPLETE' }]), 60_000);

describe('desktop with the window closed', () => {
  it('keeps running if the user chose so, notifies once, and reopens with the next launch', async () => {
    const window = await journey.launch();
    await setBackground(window.page, usual);
    await closeWindow(window);
    await isClosed(window);
    const settings = join(journey.userData, 'settings.json');
    const { background } = JSON.parse(await readFile(settings, 'utf8'));
    expect(background).toMatchObject({ keepRunning: true, toldOfTray: true });

    const page = await showAgain(window);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await windows(window)).toBe(1);
  });

  it('quits with the window if no work is left', async () => {
    const window = await journey.launch();
    expect(await end(window, () => closeWindow(window))).toBe(0);
  });

  it('finishes uploads without sending events to the closed window, and lists them when it reopens', async () => {
    const window = await journey.launch();
    await setBackground(window.page, usual);
    await window.app.evaluate(() => {
      const errors: string[] = [];
      Reflect.set(globalThis, 'said', errors);
      for (const event of ['uncaughtException', 'unhandledRejection'])
        process.on(event, (error) => errors.push(String(error)));
    });
    await beginUpload(window);
    await closeWindow(window);
    await tiled();
    expect(hasEnded(window)).toBe(false);
    expect(await window.app.evaluate(() => Reflect.get(globalThis, 'said'))).toEqual([]);

    const page = await showAgain(window);
    await page.getByText('Complete', { exact: true }).first().waitFor();
  });

  it('7 · quits after the last upload if only uploads kept it running, and explains this in the settings', async () => {
    const window = await journey.launch();
    const { page } = window;
    await beginUpload(window);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByText(/^Closing the window leaves Tilelift running until the current uploads/).waitFor();
    const code = await end(window, () => closeWindow(window));
    expect(code).toBe(0);
    expect(journey.service.control.assets()).toMatchObject([{ status: 'COMPLETE' }]);
  });

  it.each([
    ['the user quits it', ({ app }: TileliftProgram) => app.evaluate(({ app: main }) => main.quit())],
    ['the session ends', ({ app }: TileliftProgram) => app.process().kill('SIGTERM')],
  ])('shuts down cleanly when %s', async (_what, quit) => {
    const window = await journey.launch();
    await setBackground(window.page, usual);
    await beginUpload(window);
    await closeWindow(window);
    await isClosed(window);
    expect(await end(window, () => quit(window))).toBe(0);
    expect(await readLog()).toContain('Tilelift stops');
  });
});

const readLog = () => readFile(join(journey.userData, 'logs', 'tilelift.log'), 'utf8');

describe('desktop started in the background', () => {
  it('opens no window until the user asks for one', async () => {
    const program = await journey.launchInBackground();
    await program.openAddress('--background');
    expect(await windows(program)).toBe(0);
    const page = await showAgain(program);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('resumes uploads without a window', async () => {
    const window = await journey.launch();
    await beginUpload(window);
    window.kill();
    const program = await journey.launchInBackground();
    await tiled();
    expect(await windows(program)).toBe(0);
    expect(hasEnded(program)).toBe(false);
  });

  it('loads its tray icon from the package', async () => {
    const { app } = await journey.launchInBackground();
    const sizes = await app.evaluate(({ app: main, nativeImage }) =>
      ['linux', 'windows', 'macTemplate'].map((name) =>
        nativeImage.createFromPath(`${main.getAppPath()}/build/tray/${name}.png`).getSize(),
      ),
    );
    expect(sizes.map(({ width }) => width)).toEqual([24, 16, 18]);
  });
});

describe.skipIf(process.platform !== 'linux')('start at login', () => {
  it('writes an autostart entry that desktops accept, and removes it when switched off', async () => {
    const config = join(journey.folder, 'config of somebody');
    const { page } = await journey.launch({ env: { XDG_CONFIG_HOME: config } });
    const entry = join(config, 'autostart', 'tilelift.desktop');

    const on = await setBackground(page, { ...usual, startAtLogin: true });
    expect(on).toMatchObject({ value: { startAtLogin: true, canStartAtLogin: true } });
    expect(await readFile(entry, 'utf8')).toContain(`Exec="${packagedExecutable()}" "--background"\n`);
    await execute('desktop-file-validate', [entry]);

    const off = await setBackground(page, usual);
    expect(off).toMatchObject({ value: { startAtLogin: false } });
    await expect(access(entry)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
