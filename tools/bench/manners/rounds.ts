/**
 * Measures Tilelift on the current desktop: processor use while uploading under a limit with a visible and a
 * closed window, messages to a hidden page, and memory in the tray compared to a bare window. Writes JSON.
 * Arguments: seconds of each measurement, a folder.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureElectron } from '../../../scripts/setup/electron.mjs';
import { beginJourney, dropAndUpload, signIn } from '../../../test/e2e/support/journey.ts';
import { sandboxArguments } from '../../../test/e2e/support/packaged-app.ts';
import type { TileliftProgram } from '../../../test/e2e/support/tilelift-window.ts';
import { makeBareWindow } from '../launch/bare-window.ts';
import { gibibyte } from '../work.ts';
import { corePercentOf, memoryOf, officeRate } from './process-tree.ts';

const [given = '10', folder = ''] = process.argv.slice(2);
const seconds = Number(given);
const root = join(import.meta.dirname, '..', '..', '..');
/** Excludes the cleanup after a change, ms. */
const settleMs = 3_000;
/** Threads and caches of the start have been released after this, ms. */
const restMs = 15_000;
const maxWaitMs = 60_000;

const settings = { bandwidth: { limit: officeRate, timetable: [] }, background: { keepRunning: true } };
async function begin() {
  const journey = await beginJourney({ keepObjects: 'discard' });
  await mkdir(journey.userData, { recursive: true });
  await writeFile(join(journey.userData, 'settings.json'), JSON.stringify(settings));
  return journey;
}

const pidOf = ({ app }: TileliftProgram) => app.process().pid ?? 0;

const closeApp = ({ app }: TileliftProgram) =>
  app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close();
  });

const countMessages = ({ app }: TileliftProgram) =>
  app.evaluate(({ BrowserWindow }) => {
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      const send = webContents.send.bind(webContents);
      Object.assign(globalThis, { toldPage: 0 });
      webContents.send = (channel: string, ...args: unknown[]) => {
        Object.assign(globalThis, { toldPage: Number(Reflect.get(globalThis, 'toldPage')) + 1 });
        send(channel, ...args);
      };
    }
  });
const messages = ({ app }: TileliftProgram) =>
  app.evaluate(() => Number(Reflect.get(globalThis, 'toldPage')));

/**
 * Counts messages because a hidden page's processor use can't be measured: a driven page believes that it is
 * visible.
 */
async function whileUploading() {
  const journey = await begin();
  try {
    const window = await journey.launch();
    await signIn(journey, window);
    const source = join(journey.folder, 'Ortho');
    await mkdir(source);
    await writeFile(join(source, 'ortho.tif'), '');
    await truncate(join(source, 'ortho.tif'), 40 * gibibyte);
    await dropAndUpload(window, source);
    await window.page.getByText(/left$/).first().waitFor({ timeout: maxWaitMs });
    await countMessages(window);
    const visiblePercent = await corePercentOf(pidOf(window), seconds);
    await window.app.evaluate(({ BrowserWindow }) => {
      for (const openWindow of BrowserWindow.getAllWindows()) openWindow.hide();
    });
    await pause(settleMs);
    const messagesBefore = await messages(window);
    await pause(2 * seconds * 1_000);
    const messagesPerSecond = ((await messages(window)) - messagesBefore) / (2 * seconds);
    await closeApp(window);
    await pause(settleMs);
    const tray = await corePercentOf(pidOf(window), seconds);
    return { corePercent: { seen: visiblePercent, tray }, messagesPerSecond };
  } finally {
    await journey.end();
  }
}

async function atRest(): Promise<number> {
  const journey = await begin();
  try {
    const window = await journey.launch();
    await window.page.getByRole('radio', { name: 'Embedded service' }).waitFor();
    // The first screen appears before the notice that keeps the program in the tray.
    await window.page.evaluate(`tilelift.call('app.notices', null)`);
    await closeApp(window);
    await pause(restMs);
    return memoryOf(pidOf(window));
  } finally {
    await journey.end();
  }
}

async function bareWindow(): Promise<number> {
  const bare = join(folder, 'bare');
  await makeBareWindow(bare, join(root, 'out', 'renderer'));
  const { executable } = await ensureElectron();
  const args = [bare, ...sandboxArguments, `--user-data-dir=${join(folder, 'bare-data')}`];
  const child = spawn(executable, args, { stdio: 'ignore' });
  const childClosed = once(child, 'close');
  try {
    await pause(restMs);
    return memoryOf(child.pid ?? 0);
  } finally {
    child.kill();
    await childClosed;
  }
}

const uploadFigures = await whileUploading();
const memoryBytes = { tray: await atRest(), bare: await bareWindow() };
process.stdout.write(`${JSON.stringify({ ...uploadFigures, memoryBytes })}\n`);
