/** An inspection thread that exits on any file. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => process.exit(1));
