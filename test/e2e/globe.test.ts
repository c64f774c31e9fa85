import axe from 'axe-core';
import type { ElectronApplication } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { globePolicy } from '../../main/desktop/globe/globe-policy.ts';
import { eventually } from './support/eventually.ts';
import { beginJourney, dropAndUpload, type Journey, signIn, writeSource } from './support/journey.ts';
import { confined, confinementOf, inPage } from './support/other-pages.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';

let journey: Journey;

/** The virtual display has no graphics card. */
const drawnBySoftware = ['--enable-unsafe-swiftshader'];
/** Without one, a globe takes half a minute on a busy machine. */
const drawingMs = 60_000;
const globeOrigin = 'app://globe';

async function view(window: TileliftWindow, name: string): Promise<void> {
  const { page } = window;
  await page.getByRole('button', { name: 'Assets' }).click();
  await page.getByText(name, { exact: true }).first().click();
  await page.getByRole('button', { name: 'View', exact: true }).click();
}

const inGlobe = (app: ElectronApplication, script: string) => inPage(app, globeOrigin, script);

/** Area and centre of the model in the globe's picture, which has no other red. Pixels. */
const modelIn = (app: ElectronApplication) =>
  app.evaluate(async ({ webContents }) => {
    const globe = webContents.getAllWebContents().find((page) => page.getURL().startsWith('app://globe/'));
    const picture = await globe?.capturePage();
    const { width } = picture?.getSize() ?? { width: 0 };
    const pixels = picture?.toBitmap() ?? Buffer.alloc(0);
    let [area, x, y] = [0, 0, 0];
    for (let at = 0; at < pixels.length; at += 4) {
      if ((pixels[at + 2] ?? 0) < 1.15 * (pixels[at + 1] ?? 0)) continue;
      area += 1;
      x += (at / 4) % width;
      y += Math.floor(at / 4 / width);
    }
    return { area, x: x / area, y: y / area };
  });
type Model = Awaited<ReturnType<typeof modelIn>>;

const press = (app: ElectronApplication, keyCode: string, ...modifiers: 'control'[]) =>
  app.evaluate(
    ({ webContents }, input) => {
      const globe = webContents.getAllWebContents().find((page) => page.getURL().startsWith('app://globe/'));
      for (const type of ['keyDown', 'char', 'keyUp'] as const) globe?.sendInputEvent({ type, ...input });
    },
    { keyCode, modifiers },
  );

describe('a viewed upload', () => {
  let window: TileliftWindow;
  beforeAll(async () => {
    journey = await beginJourney({ beyondContract: true });
    window = await journey.launch({ args: drawnBySoftware });
    await signIn(journey, window);
    await dropAndUpload(window, await writeSource(journey, 'Town hall', { 'a.gml': '<CityModel/>' }));
    await window.page.getByRole('button', { name: 'View: Town hall' }).click();
    // The globe's picture, taken once all is drawn.
    await window.page.getByRole('img', { name: 'Preview of Town hall' }).waitFor({ timeout: drawingMs });
  });
  afterAll(() => journey.end());

  it('S160: shows an asset in a page with its own process and session, without our bridge or other origins', async () => {
    const { app, complaints } = window;
    const { storageUrl, baseUrl, control } = journey.service;
    const paths = () => control.requests().map(({ path, status }) => `${status} ${path}`);
    expect(paths()).toContainEqual(expect.stringMatching(/^200 .*\/box\.glb$/));

    expect(await inGlobe(app, 'typeof tilelift + typeof require + typeof process')).toBe(
      'undefinedundefinedundefined',
    );
    const outside = [`${storageUrl}/outside`, 'app://tilelift/index.html'];
    expect(await confinementOf(app, globeOrigin, outside)).toEqual({
      ...confined,
      policy: globePolicy(baseUrl),
    });
    expect(paths()).not.toContainEqual(expect.stringContaining('/outside'));
    expect(complaints).toEqual([]);
  });

  it('moves by keys, passes axe and shows its texts at 200 % zoom', async () => {
    const { app } = window;
    await press(app, 'Tab');
    await eventually(async () =>
      expect(await inGlobe(app, 'document.activeElement.ariaLabel')).toContain('Town hall'),
    );
    const effects: Readonly<Record<string, (model: Model, previous: Model) => boolean>> = {
      '+': ({ area }, previous) => area > previous.area * 1.1,
      '-': ({ area }, previous) => area < previous.area * 0.9,
      Left: ({ x }, previous) => x > previous.x + 10,
      Right: ({ x }, previous) => x < previous.x - 10,
      Up: ({ y }, previous) => y > previous.y + 10,
      Down: ({ y }, previous) => y < previous.y - 10,
    };
    for (const [key, hasMoved] of Object.entries(effects)) {
      const previous = await modelIn(app);
      await press(app, key);
      await eventually(async () => expect(hasMoved(await modelIn(app), previous), key).toBe(true));
    }

    const violations = 'axe.run().then((results) => results.violations.map(({ id }) => id))';
    expect(await inGlobe(app, `${axe.source}; ${violations}`)).toEqual([]);

    for (let times = 0; times < 8; times += 1) await press(app, '+', 'control');
    await eventually(async () => expect(await inGlobe(app, 'innerWidth')).toBeCloseTo(550, -1));
    const cutOff = `['name', 'status', 'credits'].filter((id) => {
      const { left, top, right, bottom } = document.getElementById(id).getBoundingClientRect();
      return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
    })`;
    expect(await inGlobe(app, cutOff)).toEqual([]);
  });
});

describe('a listed asset', () => {
  afterEach(() => journey.end());

  it('S161: gives each viewed asset a session of its own and sends only its own token', async () => {
    journey = await beginJourney({ beyondContract: true });
    const { control, baseUrl } = journey.service;
    const names = ['Harbour', 'Town hall'];
    const tokens = names.map((name) => {
      const id = control.seedAsset({ name, type: '3DTILES' });
      const accessToken = control.makeAccessToken(['assets:read']);
      const endpoint = { type: '3DTILES', url: `${baseUrl}/tiles/${id}/tileset.json`, accessToken };
      control.addFault({
        match: { room: 'api', path: `/v1/assets/${id}/endpoint$` },
        action: {
          kind: 'status',
          status: 200,
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...endpoint, attributions: [] }),
        },
      });
      return { id, accessToken };
    });
    const window = await journey.launch({ args: drawnBySoftware });
    await signIn(journey, window);
    /** Adds the headers of each page's requests to other origins to its window in the main process. */
    await window.app.evaluate(({ app, webContents }) => {
      app.on('session-created', (session) =>
        session.webRequest.onSendHeaders({ urls: ['http://*/*'] }, (request) => {
          const page = webContents.fromId(request.webContentsId ?? 0);
          const sent = `${request.requestHeaders.Authorization} ${new URL(request.url).pathname}`;
          if (page && request.method !== 'OPTIONS')
            Object.assign(page, { sent: [...((page as { sent?: string[] }).sent ?? []), sent] });
        }),
      );
    });
    for (const name of names) await view(window, name);
    const globes = () =>
      window.app.evaluate(async ({ webContents }) => {
        const pages = webContents
          .getAllWebContents()
          .filter((page) => page.getURL().startsWith('app://globe/'))
          .sort((a, b) => a.id - b.id);
        const url = 'http://cookies.example/';
        for (const { session } of pages.slice(1))
          await session.cookies.set({ url, name: 'of', value: 'another' });
        return Promise.all(
          pages.map(async (page) => ({
            state: await page.executeJavaScript('document.body.dataset.state'),
            sent: (page as { sent?: string[] }).sent,
            cookies: (await page.session.cookies.get({})).length,
          })),
        );
      });
    const expected = tokens.map(({ id, accessToken }, index) => ({
      state: 'shown',
      sent: ['tileset.json', 'box.glb'].map((file) => `Bearer ${accessToken} /tiles/${id}/${file}`),
      cookies: index,
    }));
    await eventually(async () => expect(await globes()).toEqual(expected), drawingMs);
  });

  it('opens the asset’s page in the browser if the service has no tiles for viewers', async () => {
    journey = await beginJourney();
    const id = journey.service.control.seedAsset({ name: 'Town hall', type: '3DTILES' });
    const window = await journey.launch();
    await signIn(journey, window);
    await view(window, 'Town hall');
    expect(await journey.browser.opened(2)).toBe(`${journey.service.authUrl}/assets/${id}`);
  });
});
