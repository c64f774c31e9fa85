import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron as electron, type Page } from 'playwright';
import { scenarios } from '../../gallery/scenarios.ts';
import type { CallName } from '../../preload/contract.ts';
import { ensureElectron } from '../../scripts/setup/electron.mjs';
import { sandboxArguments } from '../e2e/support/packaged-app.ts';
import { perform, settled } from './perform.ts';

export type Theme = 'light' | 'dark';
/** In CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The served gallery in a window of the product's engine. */
export interface Gallery {
  readonly page: Page;
  /**
   * Opens a state, `screen/state`, and does what has to be done by hand to get there. Throws with the page's
   * complaint when it has one.
   */
  show(name: string, size: Size, language?: string): Promise<void>;
  /** Changes theme or size of the shown state. Resolves when it is drawn. */
  dress(theme: Theme, size?: Size): Promise<void>;
  close(): Promise<void>;
}

/** The page of all components, in light and dark. */
export const components = 'components';

/** Scenarios without animation, which alone can be compared. */
export const stillScenarios: readonly string[] = [...scenarios.keys()].filter((name) => !isMoving(name));

function isMoving(name: string): boolean {
  return scenarios.get(name)?.scenario().moving ?? false;
}

/** @param address of `serveGallery` */
export async function openGallery(address: string): Promise<Gallery> {
  const { executable } = await ensureElectron();
  const userData = await mkdtemp(join(tmpdir(), 'tilelift-gallery-'));
  const app = await electron.launch({
    executablePath: executable,
    // Drawn over what was there before, edges come out a shade different.
    args: [
      ...sandboxArguments,
      '--disable-partial-raster',
      `--user-data-dir=${userData}`,
      join(import.meta.dirname, 'window.mjs'),
    ],
    // Electron warns about the empty page, which has no Content Security Policy.
    env: { ...environment(), TZ: 'Europe/Berlin', ELECTRON_DISABLE_SECURITY_WARNINGS: 'true' },
  });
  const page = await app.firstWindow();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const devTools = await page.context().newCDPSession(page);
  // In one step; Playwright would style the page several times.
  const resize = async (size: Size) => {
    if (size === shownSize) return;
    await devTools.send('Emulation.setDeviceMetricsOverride', {
      ...size,
      deviceScaleFactor: 1,
      mobile: false,
    });
    shownSize = size;
  };
  /** The language of the loaded page if other scenarios can be shown in it. */
  let heldLanguage: string | undefined;
  let shownTheme: Theme | undefined;
  let shownSize: Size | undefined;
  const setTheme = async (theme: Theme) => {
    if (theme === shownTheme) return;
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    shownTheme = theme;
  };

  return {
    page,
    async show(name, size, language = 'en') {
      const query = name === components ? `?${name}` : `?scenario=${name}`;
      const isStill = name !== components && !isMoving(name);
      const isLoaded = isStill && language === heldLanguage;
      // Empty pages are resized for nothing.
      await (isLoaded ? page.evaluate('leaveScenario()') : page.goto('about:blank'));
      // The pointer's position may cause a hover style.
      await page.mouse.move(0, 0);
      await setTheme('light');
      await resize(size);
      complaints.length = 0;
      await (isLoaded
        ? page.evaluate(`showScenario('${query}')`)
        : page.goto(`${address}${query}&language=${language}`));
      heldLanguage = isStill ? language : undefined;
      await settled(page);
      for (const step of scenarios.get(name)?.steps ?? []) {
        await perform(page, step);
        await settled(page);
      }
      if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('; ')}`);
    },
    async dress(theme, size) {
      if (theme === shownTheme && (size ?? shownSize) === shownSize) return;
      await setTheme(theme);
      if (size) await resize(size);
      await settled(page);
    },
    async close() {
      await app.close();
      await rm(userData, { recursive: true, force: true });
    },
  };
}

/** Records the inputs of a call from now on, until another state is shown. */
export async function recordCalls(page: Page, name: CallName): Promise<() => Promise<readonly unknown[]>> {
  await page.evaluate(`{
    const { call } = window.tilelift;
    const inputs = (window['${name}'] = []);
    window.tilelift.call = (called, input) => {
      if (called === '${name}') inputs.push(input);
      return call(called, input);
    };
  }`);
  return () => page.evaluate(`window['${name}']`);
}

function environment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== 'NODE_OPTIONS',
  );
  return Object.fromEntries(entries);
}
