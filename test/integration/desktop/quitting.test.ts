import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.ts';

/** Design, "Stopping": five seconds, plus the time that a busy machine needs to start and end a process. */
const limitMs = 5_000 + 1_500;

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
});

/** Milliseconds from the request to quit to the process's end. */
async function timeToQuit(scenario: string): Promise<number> {
  const fifo = join(folder, 'fifo');
  execFileSync('mkfifo', [fifo]);
  await writeFile(join(folder, 'a.las'), 'bytes');
  const script = join(import.meta.dirname, 'quitting-process.ts');
  const child = spawn(process.execPath, [script, folder, scenario, fifo], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    const quitAt = performance.now();
    await once(child, 'exit');
    return performance.now() - quitAt;
  } finally {
    child.kill('SIGKILL');
  }
}

describe.skipIf(process.platform === 'win32')('quitting', () => {
  it('G5: ends at once if no read hangs', async () => {
    expect(await timeToQuit('nothing')).toBeLessThan(2_500);
  });

  it.each(['thread', 'main-thread'])(
    'quitting: ends within five seconds if a %s waits for a dead drive',
    async (scenario) => {
      expect(await timeToQuit(scenario)).toBeLessThan(limitMs);
    },
  );
});
