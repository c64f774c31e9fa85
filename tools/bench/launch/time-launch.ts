import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright';
import { z } from 'zod';

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** Reused by all launches, because the very first start isn't measured. */
  readonly userData: string;
}

/** Delay before the result is read, ms; a launch takes far less, and earlier reading would slow it down. */
const lookAfterMs = 3_000;
const maxMs = 30_000;

const paintedSchema = z.object({ drawnAt: z.number(), buttons: z.number() });

/**
 * Time from the start of the process to the first usable screen, ms. Read afterwards from Chromium's record
 * of its largest paint, so it costs nothing.
 */
export async function timeLaunch({ file, args, userData }: Program): Promise<number> {
  const portFile = join(userData, 'DevToolsActivePort');
  await rm(portFile, { force: true });
  const startedAt = performance.timeOrigin + performance.now();
  const child = spawn(file, [...args, `--user-data-dir=${userData}`, '--remote-debugging-port=0'], {
    stdio: 'ignore',
  });
  const childClosed = once(child, 'close');
  try {
    await sleep(lookAfterMs);
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${await portIn(portFile)}`);
    const page = browser.contexts().flatMap((context) => context.pages())[0];
    if (!page) throw new Error(`${file} shows no page`);
    const { drawnAt, buttons } = paintedSchema.parse(await page.evaluate(lastPaint));
    await browser.close();
    if (buttons === 0) throw new Error(`${file} shows nothing to press after ${lookAfterMs} ms`);
    return drawnAt - startedAt;
  } finally {
    child.kill();
    await childClosed;
  }
}

/** Runs in the page. */
const lastPaint = `new Promise((resolve) => {
  new PerformanceObserver((entries) => {
    const last = entries.getEntries().at(-1);
    resolve({
      drawnAt: performance.timeOrigin + last.startTime,
      buttons: document.querySelectorAll('button:not(:disabled)').length,
    });
  }).observe({ type: 'largest-contentful-paint', buffered: true });
})` satisfies Parameters<Page['evaluate']>[0];

async function portIn(file: string): Promise<number> {
  for (const deadline = Date.now() + maxMs; ; await sleep(50)) {
    const [line] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    if (line) return Number(line);
    if (Date.now() > deadline) throw new Error(`no ${file} after ${maxMs} ms`);
  }
}
