import type { Page } from 'playwright';
import { z } from 'zod';
import { eventNames } from '../../../preload/contract.ts';

const seenFrames = z.object({
  /** Between frames, ms. */
  gaps: z.array(z.number()),
  /** Tasks over 50 ms, ms. */
  longTasks: z.array(z.number()),
  /** Longest script of a slow frame, ms; 0 without slow frames. */
  longestScript: z.number(),
  messages: z.record(z.string(), z.number()),
  maxRows: z.number(),
  /** px. */
  travelled: z.number(),
  ms: z.number(),
});

type SeenFrames = z.infer<typeof seenFrames>;

/** Scrolls down and up again, a step per frame. */
export async function watchFrames(page: Page, frames: number): Promise<SeenFrames> {
  const request = JSON.stringify({ frames, names: eventNames });
  return seenFrames.parse(await page.evaluate(`(${inPage})(${request})`));
}

/** Runs in the page, whose globals TypeScript doesn't know here. */
const inPage = `async function ({ frames, names }) {
  let box = document.querySelector('[data-testid=job]');
  while (box.scrollHeight <= box.clientHeight || getComputedStyle(box).overflowY !== 'auto')
    box = box.parentElement;
  const messages = {};
  const stops = names.map((name) =>
    window.tilelift.on(name, () => {
      messages[name] = (messages[name] ?? 0) + 1;
    }),
  );
  const longTasks = [];
  let longestScript = 0;
  const observer = new PerformanceObserver((entries) => {
    for (const entry of entries.getEntries()) {
      if (entry.entryType === 'longtask') longTasks.push(entry.duration);
      else for (const { duration } of entry.scripts) longestScript = Math.max(longestScript, duration);
    }
  });
  observer.observe({ type: 'longtask' });
  observer.observe({ type: 'long-animation-frame' });
  const nextFrame = () => new Promise(requestAnimationFrame);
  const began = performance.now();
  const gaps = [];
  let last = await nextFrame();
  let maxRows = 0;
  let travelled = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    const before = box.scrollTop;
    box.scrollTop += Math.floor(frame / 150) % 2 === 0 ? 90 : -90;
    travelled += Math.abs(box.scrollTop - before);
    const now = await nextFrame();
    gaps.push(now - last);
    last = now;
    maxRows = Math.max(maxRows, document.querySelectorAll('[data-testid=job]').length);
  }
  observer.disconnect();
  for (const stop of stops) stop();
  return { gaps, longTasks, longestScript, messages, maxRows, travelled, ms: performance.now() - began };
}`;
