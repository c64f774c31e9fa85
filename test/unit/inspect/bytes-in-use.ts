import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Of objects and columns of numbers that are still in use in this thread; collects all others before. */
export function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
