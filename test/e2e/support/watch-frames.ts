import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { z } from 'zod';
import { eventNames } from '../../../preload/contract.ts';

const seenFrames = z.object({
  /** Between one frame and the next, ms. */
  gaps: z.array(z.number()),
  /** Those over 50 ms, ms. */
  longTasks: z.array(z.number()),
  /** The longest script of a frame that took long, ms; 0 where none did. */
  longestScript: z.number(),
  /** Messages of main, by event. */
  messages: z.record(z.string(), z.number()),
  /** Rows of uploads in the document at once. */
  mostRows: z.number(),
  /** How far it scrolled, px. */
  travelled: z.number(),
  ms: z.number(),
});

/** What the page saw of itself while its list of uploads scrolled. */
export type SeenFrames = z.infer<typeof seenFrames>;

/** Scrolls down and up again, a bit with each frame, for so many frames. */
export async function watchFrames(page: Page, frames: number): Promise<SeenFrames> {
  const script = await readFile(join(import.meta.dirname, 'in-page', 'watch-frames.js'), 'utf8');
  const wanted = JSON.stringify({ frames, names: eventNames });
  return seenFrames.parse(await page.evaluate(`(() => { ${script}\nreturn watchFrames(${wanted}); })()`));
}
