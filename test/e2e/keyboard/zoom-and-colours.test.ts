import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { beginJourney, type Journey } from '../support/journey.ts';
import { answerPicker, signInByKeys, townSource, uploadByKeys } from '../support/keyboard-journey.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
  journey.service.control.seedAsset({ name: 'Harbour', type: 'IMAGERY' });
});
afterEach(() => journey.end());

const screens = ['Uploads', 'Watched folders', 'Assets', 'Settings'] as const;

type Signed = Awaited<ReturnType<typeof signInByKeys>>;

/**
 * Every stop of every screen, of a menu and of both sheets; at each the focus has to show and to be in sight.
 */
async function goThroughAll({ window, keys }: Signed): Promise<void> {
  const { page } = window;
  await uploadByKeys(keys, window, await townSource(journey, 'Town'));
  await page.locator('[data-testid=job][data-status=complete]').waitFor({ timeout: 60_000 });
  for (const [index, name] of screens.entries()) {
    await keys.shortcut(String(index + 1));
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await keys.tabTo(/^Uploads/, 'button');
    await keys.round();
  }
  await keys.shortcut('N');
  await keys.arriveAt('Choose a folder…', 'menuitem');
  await keys.arrowTo('Choose files…');
  await keys.press('Escape');
  await answerPicker(window, await townSource(journey, 'Old_Town'));
  await keys.shortcut('O');
  await keys.arriveAt('Name', 'textbox');
  await keys.round();
  await keys.tabTo('Change…', 'button');
  await keys.press('Enter');
  await keys.pick('Types…');
  await keys.tabTo(/^Asset type/);
  await keys.press('Enter');
  await keys.arriveAt('3D Tiles', 'option');
  await keys.press('Escape', 'Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await keys.shortcut('O', 'shift');
  await keys.arriveAt('Folder', 'textbox');
  await keys.round();
}

describe('focus indicator', () => {
  it('shows the focus on every control at 200 % zoom', async () => {
    const signed = await signInByKeys(journey);
    const { app } = signed.window;
    const factor = () =>
      app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomFactor());
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(1440, 900));
    for (let times = 0; times < 8; times += 1) await signed.keys.shortcut('=');
    await eventually(async () => expect(await factor()).toBeCloseTo(2, 2));
    await goThroughAll(signed);
  });

  it('shows the focus on every control in forced colours', async () => {
    const signed = await signInByKeys(journey);
    await signed.window.page.emulateMedia({ forcedColors: 'active' });
    await goThroughAll(signed);
  });
});

it('animates nothing under reduced motion', async () => {
  const { window, keys } = await signInByKeys(journey);
  const { page } = window;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await answerPicker(window, await townSource(journey, 'Town'));
  await keys.shortcut('O');
  await keys.arriveAt('Name', 'textbox');
  const longest = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('*')].flatMap((element) => {
        const { animationName, animationDuration, transitionDuration } = getComputedStyle(element);
        const seconds = [...(animationName === 'none' ? [] : [animationDuration]), transitionDuration];
        return seconds.flatMap((list) => list.split(',').map((time) => Number.parseFloat(time)));
      }),
    ),
  );
  expect(longest).toBeLessThan(0.001);
});

it('shows switches and the current screen in forced colours', async () => {
  const { window, keys } = await signInByKeys(journey);
  const { page } = window;
  await page.emulateMedia({ forcedColors: 'active' });
  await keys.shortcut('4');
  await keys.tabTo('Notifications', 'switch');
  const ground = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  const on = await ground('[role=switch][aria-checked=true]');
  expect(on).not.toBe(await ground('[role=switch][aria-checked=false]'));
  for (const mark of ['nav [aria-current=page]', '[role=radio][aria-checked=true]'])
    expect(await ground(mark)).toBe(on);
  expect(await ground('nav button:not([aria-current])')).not.toBe(on);
});
