/** An upload worker that crashes at its first part if the environment's file exists, which it removes. */
import { existsSync, rmSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { ToWorker } from '../../../main/workers/worker-messages.ts';

const marker = process.env.TILELIFT_TEST_CRASH ?? '';
parentPort?.on('message', (message: ToWorker) => {
  const hasPart = message.kind === 'work' && message.orders.some(({ kind }) => kind === 'part');
  if (!hasPart || !existsSync(marker)) return;
  rmSync(marker);
  process.exit(1);
});
await import('../../../main/workers/upload-worker.ts');
