/** An upload worker that appends a line to the environment's file when it starts. */
import { appendFileSync } from 'node:fs';

appendFileSync(process.env.TILELIFT_TEST_STARTS ?? '', 'began\n');
await import('../../../main/workers/upload-worker.ts');
