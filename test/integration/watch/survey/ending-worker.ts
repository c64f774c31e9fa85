/** A look thread that a file ends. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => process.exit(1));
