import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron as electron, type Page } from 'playwright';
import { build, preview } from 'vite';
import { scenarios } from '../../gallery/scenarios.ts';
import { contentSecurityPolicy } from '../../main/desktop/window/page-files.ts';
import { ensureElectron } from '../../scripts/setup/electron.mjs';
import { sandboxArguments } from '../e2e/support/packaged-app.ts';
import { perform, settled } from './perform.ts';

const root = join(import.meta.dirname, '..', '..');

export type Theme = 'light' | 'dark';
/** In CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The gallery, built and served as the product's pages are, in a window of the product's engine. */
export interface Gallery {
  readonly page: Page;
  /**
   * Opens a state, `screen/state`, and does what has to be done by hand to get there. Throws with the page's
   * complaint when it has one.
   */
  show(name: string, size: Size, language?: string): Promise<void>;
  /** Changes what the system asks for; the state stays. Comes back when it is drawn. */
  dress(theme: Theme, size?: Size): Promise<void>;
  close(): Promise<void>;
}

/** The page of the parts that screens are made of, light beside dark. */
export const components = 'components';

/** States that stand still: those that move are for the eye alone. */
export const stillScenarios: readonly string[] = [...scenarios]
  .filter(([, { scenario }]) => !scenario().moving)
  .map(([name]) => name);

/** @param from where the source is that is shown: this one, or a copy of it with a language more */
export async function openGallery(from = root): Promise<Gallery> {
  const configFile = join(from, 'gallery', 'vite.config.ts');
  await build({ configFile, logLevel: 'error' });
  const server = await preview({
    configFile,
    logLevel: 'error',
    preview: { port: 0, headers: { 'Content-Security-Policy': contentSecurityPolicy } },
  });
  const [address] = server.resolvedUrls?.local ?? [];
  if (address === undefined) throw new Error('The gallery is not served.');
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
    env: { ...environment(), TZ: 'Europe/Berlin' },
  });
  const page = await app.firstWindow();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));

  return {
    page,
    async show(name, size, language = 'en') {
      complaints.length = 0;
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await page.setViewportSize(size);
      await page.goto(`${address}?language=${language}&${name === components ? name : `scenario=${name}`}`);
      await settled(page);
      // Where the screen's own pointer is, or the last press left it, something might look touched.
      await page.mouse.move(0, 0);
      for (const step of scenarios.get(name)?.steps ?? []) {
        await perform(page, step);
        await settled(page);
      }
      if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('; ')}`);
    },
    async dress(theme, size) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      if (size) await page.setViewportSize(size);
      await settled(page);
    },
    async close() {
      await app.close();
      await server.close();
      await rm(userData, { recursive: true, force: true });
    },
  };
}

function environment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== 'NODE_OPTIONS',
  );
  return Object.fromEntries(entries);
}
