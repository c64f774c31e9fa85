import { Session } from 'node:inspector/promises';

/** Samples one allocation per this many bytes. */
const samplingInterval = 4_096;

interface SampledMemory {
  readonly selfSize: number;
  readonly children: readonly SampledMemory[];
}

/**
 * Bytes that this thread allocates during the work, including garbage, which lengthens V8's pauses. Sampled,
 * so results vary.
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

const sum = ({ selfSize, children }: SampledMemory): number =>
  children.reduce((total, child) => total + sum(child), selfSize);
