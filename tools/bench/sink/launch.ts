import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Certificate } from '../certificate.ts';
import { addressOf } from '../door.ts';
import type { Protocol, Target } from '../work.ts';
import { listeningSchema, reportSchema, type SinkOrder, type SinkReport } from './messages.ts';

export interface Sink {
  target(protocol: Protocol): Target;
  report(): Promise<SinkReport>;
  reset(): Promise<void>;
  stop(): Promise<void>;
}

const bucket = 'bench';

/**
 * Starts the stand-in in its own process, on loopback.
 *
 * @param checksums how it treats a CRC32
 * @param standardHost address for the standard ports if the system allows them; null: free ports
 */
export async function launchSink(
  certificate: Certificate,
  checksums: 'verify' | 'ignore' = 'verify',
  standardHost: string | null = null,
): Promise<Sink> {
  const { certFile, keyFile, caFile } = certificate;
  const child = fork(
    fileURLToPath(new URL('process.ts', import.meta.url)),
    [JSON.stringify({ bucket, certFile, keyFile, checksums, standardHost })],
    { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  const doors = listeningSchema.parse(await nextMessage(child));

  async function ask(order: SinkOrder): Promise<SinkReport> {
    const answer = nextMessage(child);
    child.send(order);
    return reportSchema.parse(await answer);
  }

  return {
    target: (protocol) => ({ protocol, endpoint: addressOf(protocol, doors[protocol]), bucket, caFile }),
    report: () => ask('report'),
    reset: async () => {
      await ask('reset');
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      const childExited = once(child, 'exit');
      child.disconnect();
      await childExited;
    },
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const exitController = new AbortController();
  const message = once(child, 'message', { signal: exitController.signal }).then(
    ([value]: unknown[]) => value,
  );
  const end = once(child, 'exit', { signal: exitController.signal }).then(() => {
    throw new Error('the storage stand-in ended');
  });
  try {
    return await Promise.race([message, end]);
  } finally {
    exitController.abort();
    // The abort ends the loser of the race.
    await Promise.allSettled([message, end]);
  }
}
