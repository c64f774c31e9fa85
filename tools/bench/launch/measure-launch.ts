import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { desktopSession } from '../../../scripts/test/desktop-session.mjs';
import { packagedExecutable } from '../../../test/e2e/support/packaged-app.ts';
import { plainEnvironment } from '../contenders/contender.ts';
import { measure } from '../measure.ts';
import { median } from '../numbers.ts';

/** Time from the start of the process to the first usable screen, ms. */
export interface LaunchFigures {
  readonly oursMs: number;
  readonly bareMs: number;
  readonly ratio: number;
  readonly rounds: { readonly ours: readonly number[]; readonly bare: readonly number[] };
}

const times = z.object({ ours: z.array(z.number()), bare: z.array(z.number()) });

/** Launches the packaged app and a bare window in turns. Returns the reason if that is impossible. */
export async function measureLaunch(rounds: number, folder: string): Promise<LaunchFigures | string> {
  if (!isPackaged()) return 'npm run package -- --for-tests makes what is launched, and it was not run';
  const script = fileURLToPath(new URL('rounds.ts', import.meta.url));
  const { run, env } = desktopSession([process.execPath, script, String(rounds), join(folder, 'launch')]);
  const [file = '', ...args] = run;
  const { output } = await measure({ file, args, env: plainEnvironment(env) });
  const { ours: oursMs, bare } = times.parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''));
  return {
    oursMs: median(oursMs),
    bareMs: median(bare),
    ratio: median(oursMs) / median(bare),
    rounds: { ours: oursMs, bare },
  };
}

/** Whether a packaged app exists that tests can drive. */
export function isPackaged(): boolean {
  try {
    return existsSync(packagedExecutable());
  } catch {
    return false;
  }
}
