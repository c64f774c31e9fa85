import { chromium } from 'playwright';

/** Renders an SVG as a transparent square PNG, `side` pixels wide. `ink`: its `currentColor`. */
type DrawPicture = (svg: string, side: number, ink?: string) => Promise<Buffer>;

/** Runs `work` with the system's Chromium. */
export async function withDrawings(work: (draw: DrawPicture) => Promise<void>): Promise<void> {
  // Chromium's sandbox doesn't support root.
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
