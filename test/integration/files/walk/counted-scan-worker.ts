/** A scan worker that writes a line to the file named by its environment when it begins. */
import { appendFileSync } from 'node:fs';

appendFileSync(process.env.TILELIFT_TEST_STARTS ?? '', 'began\n');
await import('../../../../main/workers/scan-worker.ts');
