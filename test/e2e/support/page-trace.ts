import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { TileliftWindow } from './tilelift-window.ts';

/** A task of the page's main thread, ms. */
interface PageTask {
  /** Wall-clock time, including other load of the machine. */
  readonly wall: number;
  readonly own: number;
}

const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      ph: z.string(),
      pid: z.number(),
      tid: z.number(),
      // Microseconds
      dur: z.number().optional(),
      tdur: z.number().optional(),
      args: z.object({ name: z.unknown() }).partial().optional(),
    }),
  ),
});

/** Chromium's trace of the page's main thread during `work`, written to `file`. */
export async function traceDuring(
  window: TileliftWindow,
  file: string,
  work: () => Promise<void>,
): Promise<readonly PageTask[]> {
  await window.app.evaluate(({ contentTracing }) =>
    contentTracing.startRecording({ included_categories: ['toplevel', 'devtools.timeline'] }),
  );
  await work();
  await window.app.evaluate(({ contentTracing }, path) => contentTracing.stopRecording(path), file);
  const page = await window.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  );
  const { traceEvents } = traceSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const main = traceEvents.find(
    ({ ph, name, pid, args }) =>
      ph === 'M' && name === 'thread_name' && pid === page && args?.name === 'CrRendererMain',
  );
  return traceEvents.flatMap(({ pid, tid, name, dur, tdur }) =>
    pid === page && tid === main?.tid && isTask(name) && dur !== undefined && tdur !== undefined
      ? [{ wall: dur / 1000, own: tdur / 1000 }]
      : [],
  );
}

/** The outermost entry of a thread's work. */
function isTask(name: string): boolean {
  return name === 'RunTask' || name === 'ThreadControllerImpl::RunTask';
}
