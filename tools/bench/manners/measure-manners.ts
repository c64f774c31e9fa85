import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { desktopSession } from '../../../scripts/test/desktop-session.mjs';
import { plainEnvironment } from '../contenders/contender.ts';
import { clientCommand } from '../contenders/node-clients.ts';
import { makeSparse } from '../fixtures.ts';
import { isPackaged } from '../launch/measure-launch.ts';
import { measure } from '../measure.ts';
import type { Sink } from '../sink/launch.ts';
import { gibibyte } from '../work.ts';

const appSchema = z.object({
  /** All processes of the app while it uploads at 20 Mbit/s: with a visible window and with a closed one. */
  corePercent: z.object({ seen: z.number(), tray: z.number() }),
  messagesPerSecond: z.number(),
  /** All processes at rest: the app in the tray, and a bare Electron window. */
  memoryBytes: z.object({ tray: z.number(), bare: z.number() }),
});

/** Resource use of Tilelift on a computer that is in use. */
export interface MannersFigures extends z.infer<typeof appSchema> {
  /** The engine alone, sending at 20 Mbit/s over HTTPS. */
  readonly enginePercent: number;
  /** The app in the tray ÷ the bare window. */
  readonly memoryRatio: number;
}

/** Returns the reason if it can't be measured. */
export async function measureManners(
  seconds: number,
  folder: string,
  sink: Sink,
  say: (line: string) => void,
): Promise<MannersFigures | string> {
  if (process.platform !== 'linux') return 'only Linux tells what all processes of a program take';
  if (!isPackaged()) return 'npm run package -- --for-tests makes what is measured, and it was not run';
  say('the engine at 20 Mbit/s');
  await sink.reset();
  const path = join(folder, 'sparse');
  const command = clientCommand('limited', await makeSparse(path, gibibyte), sink.target('https'));
  const engine = await measure({ ...command, args: [...command.args, String(seconds)] });
  await rm(path);
  const { corePercent: enginePercent } = z.object({ corePercent: z.number() }).parse(lastLine(engine.output));
  say('the app at 20 Mbit/s, and at rest');
  const script = fileURLToPath(new URL('rounds.ts', import.meta.url));
  const { run, env } = desktopSession([process.execPath, script, String(seconds), join(folder, 'manners')]);
  const [file = '', ...args] = run;
  const { output } = await measure({ file, args, env: plainEnvironment(env) });
  const app = appSchema.parse(lastLine(output));
  return { ...app, enginePercent, memoryRatio: app.memoryBytes.tray / app.memoryBytes.bare };
}

function lastLine(output: string): unknown {
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}
