/** Scans one folder and prints the seconds, without Node's start. */
import { scanSource } from '../../../main/files/walk/scan.ts';
import { scanWorker } from './workers.ts';

const startedAt = performance.now();
const { files } = await scanSource([process.argv[2] ?? ''], { worker: scanWorker });
console.log(JSON.stringify({ files: files.length, seconds: (performance.now() - startedAt) / 1000 }));
