import { chromium } from 'playwright';

/** Draws an SVG as a square PNG, `side` pixels wide, on transparency. `ink`: its `currentColor`. */
type Draw = (svg: string, side: number, ink?: string) => Promise<Buffer>;

/** Lets `work` draw with the system's Chromium. */
export async function withDrawings(work: (draw: Draw) => Promise<void>): Promise<void> {
  // A root account can't use Chromium's sandbox.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: sandbox });
  try {
    await work(async (svg, side, ink = 'black') => {
      const page = await browser.newPage({ viewport: { width: side, height: side } });
      await page.setContent(
        `<style>body { margin: 0; color: ${ink} } svg { display: block; width: 100vw; height: 100vh }</style>${svg}`,
      );
      const png = await page.screenshot({ omitBackground: true });
      await page.close();
      return png;
    });
  } finally {
    await browser.close();
  }
}
