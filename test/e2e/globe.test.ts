import type { ElectronApplication } from 'playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { beginJourney, dropAndUpload, type Journey, signIn, writeSource } from './support/journey.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';

let journey: Journey;
afterEach(() => journey.end());

interface Preferring {
  getLastWebPreferences(): { readonly preload?: string; readonly sandbox?: boolean };
}

/** The virtual display has no graphics card. */
const drawnBySoftware = ['--enable-unsafe-swiftshader'];

async function view(window: TileliftWindow, name: string): Promise<void> {
  const { page } = window;
  await page.getByRole('button', { name: 'Assets' }).click();
  await page.getByText(name, { exact: true }).first().click();
  await page.getByRole('button', { name: 'View', exact: true }).click();
}

/** Playwright doesn't list windows of other sessions. Runs a script in the globe's page. */
const inGlobe = (app: ElectronApplication, script: string) =>
  app.evaluate(({ webContents }, code) => {
    const globe = webContents.getAllWebContents().find((page) => page.getURL().startsWith('app://globe/'));
    return globe ? globe.executeJavaScript(code) : 'no globe';
  }, script);

beforeEach(async () => {
  journey = await beginJourney({ beyondContract: true });
});

it('S160: shows an asset in a page with its own process and session, without our bridge', async () => {
  const window = await journey.launch({ args: drawnBySoftware });
  await signIn(journey, window);
  await dropAndUpload(window, await writeSource(journey, 'Town hall', { 'a.gml': '<CityModel/>' }));
  const { page } = window;
  await page.getByRole('button', { name: 'View: Town hall' }).click();
  await eventually(async () =>
    expect(await inGlobe(window.app, 'document.body.dataset.state')).toBe('shown'),
  );
  const requests = () => journey.service.control.requests().map(({ path, status }) => `${status} ${path}`);
  await eventually(() => expect(requests()).toContainEqual(expect.stringMatching(/^200 .*\/box\.glb$/)));

  // Its picture becomes the upload's.
  await page.getByRole('img', { name: 'Preview of Town hall' }).waitFor();

  expect(await inGlobe(window.app, 'typeof tilelift + typeof require + typeof process')).toBe(
    'undefinedundefinedundefined',
  );
  const attempt = (address: string) =>
    inGlobe(window.app, `fetch(${JSON.stringify(address)}).then(() => 'loaded', () => 'refused')`);
  expect(await attempt(journey.service.storageUrl)).toBe('refused');
  expect(await attempt('app://tilelift/index.html')).toBe('refused');
  const separation = await window.app.evaluate(({ webContents }) => {
    const [main, globe] = ['app://tilelift/', 'app://globe/'].map((origin) =>
      webContents.getAllWebContents().find((page) => page.getURL().startsWith(origin)),
    );
    if (!main || !globe) return null;
    // Missing in Electron's types.
    const { preload, sandbox } = (globe as unknown as Preferring).getLastWebPreferences();
    return {
      ownProcess: main.getOSProcessId() !== globe.getOSProcessId(),
      ownSession: main.session !== globe.session && !globe.session.isPersistent(),
      preload: preload ?? null,
      sandbox,
    };
  });
  expect(separation).toEqual({ ownProcess: true, ownSession: true, preload: null, sandbox: true });
  expect(window.complaints).toEqual([]);
});

it('opens the asset’s page in the browser if the service has no tiles for viewers', async () => {
  await journey.end();
  journey = await beginJourney();
  const id = journey.service.control.seedAsset({ name: 'Town hall', type: '3DTILES' });
  const window = await journey.launch();
  await signIn(journey, window);
  await view(window, 'Town hall');
  expect(await journey.browser.opened(2)).toBe(`${journey.service.authUrl}/assets/${id}`);
});
