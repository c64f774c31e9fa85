import { Session } from 'node:inspector/promises';

/** One in so many bytes is looked at. */
const samplingInterval = 4_096;

interface Sampled {
  readonly selfSize: number;
  readonly children: readonly Sampled[];
}

/**
 * Bytes that this thread takes while something works, what is cleared up again with them: the more of that,
 * the longer and the more often a turn waits for V8. Sampled, so never quite the same.
 */
export async function memoryTaken(work: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.startSampling', {
      samplingInterval,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    await work();
    const { profile } = await session.post('HeapProfiler.stopSampling');
    return sum(profile.head);
  } finally {
    session.disconnect();
  }
}

const sum = ({ selfSize, children }: Sampled): number =>
  children.reduce((all, child) => all + sum(child), selfSize);
