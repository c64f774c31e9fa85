import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { eventually } from './eventually.ts';
import { sandboxArguments, shippingExecutable } from './packaged-app.ts';

/** The build as it ships, running: its page only, since nothing reaches its main process. */
export async function openShippingApp(
  userData: string,
): Promise<{ readonly page: Page; close(): Promise<void> }> {
  const args = [...sandboxArguments, `--user-data-dir=${userData}`, '--remote-debugging-port=0'];
  const child = spawn(shippingExecutable(), args, { stdio: 'ignore' });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'close');
  };
  try {
    const port = await eventually(async () => {
      const [line] = (await readFile(join(userData, 'DevToolsActivePort'), 'utf8')).split('\n');
      return Number(line);
    });
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    const page = await eventually(() => {
      const found = browser
        .contexts()
        .flatMap((context) => context.pages())
        .find((one) => one.url().startsWith('app:'));
      if (!found) throw new Error('The shipping build shows no page');
      return found;
    });
    return {
      page,
      close: async () => {
        await browser.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
