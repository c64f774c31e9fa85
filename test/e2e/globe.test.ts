import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, it } from 'vitest';
import { beginJourney, type Journey, signIn } from './support/journey.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney({ beyondContract: true });
});
afterEach(() => journey.end());

it('shows an asset', async () => {
  const types = ['3DTILES', 'IMAGERY', 'TERRAIN', 'GEOJSON', 'KML', 'CZML'];
  for (const type of types) journey.service.control.seedAsset({ name: `Asset ${type}`, type });
  const window = await journey.launch({ args: ['--enable-unsafe-swiftshader'] });
  await window.app.evaluate(({ app }) => {
    app.on('web-contents-created', (_e, contents) => {
      contents.on('console-message', (e) => console.log('PAGE', e.level, e.message));
    });
  });
  window.app.process().stdout?.on('data', (d) => { if (String(d).includes('PAGE')) console.log(String(d)); });
  await signIn(journey, window);
  await window.page.getByRole('button', { name: 'Assets' }).click();
  for (const type of types) {
    await window.page.getByText(`Asset ${type}`).first().click();
    await window.page.getByRole('button', { name: 'View', exact: true }).click();
    await new Promise((r) => setTimeout(r, 9000));
    for (const n of [0, 1]) {
      const [png, status] = await window.app.evaluate(async ({ BrowserWindow }, n) => {
        const w = BrowserWindow.getAllWindows().find((x) => x.webContents.getURL().includes('globe'))!;
        if (n) {
          await w.webContents.executeJavaScript(`for (let i = 0; i < 14; i++) document.querySelector('canvas').dispatchEvent(new KeyboardEvent('keydown', {key: '-'}))`);
          await new Promise((r) => setTimeout(r, 4000));
        }
        const out = [(await w.webContents.capturePage()).toPNG().toString('base64'), await w.webContents.executeJavaScript('document.getElementById("status").textContent')];
        if (n) w.destroy();
        return out;
      }, n);
      writeFileSync(`/tmp/globe-${type}-${n}.png`, Buffer.from(png, 'base64'));
      console.log(type, n, status);
    }
  }
});
