import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, vi } from 'vitest';
import type { JobSnapshot } from '../../../main/jobs/model.ts';
import { silentLog } from '../../../main/log.ts';
import { readSocketAddress } from '../../../main/socket/address.ts';
import type { SocketWork } from '../../../main/socket/answers.ts';
import { proofOf } from '../../../main/socket/proof.ts';
import { serveSocket } from '../../../main/socket/server.ts';
import { statusOf } from '../../../main/socket/status.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { job } from '../../unit/desktop/stand-ins.ts';

/** A folder for a journal, removed after the test. */
export const aHome = async (): Promise<string> => temporaryFolder();

/** Simulated work with one job that a test changes. */
export function playedWork() {
  const listeners = new Set<(id: string) => void>();
  const jobsById = new Map<string, JobSnapshot>([['a', job({ id: 'a' })]]);
  const receivedAsks: string[] = [];
  const work: SocketWork = {
    status: () =>
      statusOf({
        ...{
          nowMs: 2,
          startedAt: 1,
          accounts: [],
          lostService: null,
          jobs: [...jobsById.values()],
          rules: [],
        },
        ...{
          endedCounts: new Map(),
          lastSuccessAt: null,
          outageSince: null,
          alertsWaiting: 0,
          alertFailures: [],
        },
      }),
    jobs: () => ({ jobs: [...jobsById.values()], count: jobsById.size }),
    job: (id) => jobsById.get(id),
    rules: () => [],
    performAction: async (id, action) => {
      receivedAsks.push(`${action} ${id}`);
      return { done: null, job: jobsById.get(id) ?? null };
    },
    sources: () => ({ sources: [], isCut: false }),
    decide: async (ruleId, path, decision) => {
      receivedAsks.push(`${decision} ${ruleId} ${path}`);
      return { done: null };
    },
    submit: async ({ body }, allowRepeat) => {
      receivedAsks.push(`submit ${body.name}${allowRepeat ? ' again' : ''}`);
      return { kind: 'new', job: job({ id: 'a' }), forecast: null };
    },
    accounts: () => ({ accounts: [], current: null }),
    assets: async () => [],
    asset: async () => {
      throw new Error('nothing is there');
    },
    editAsset: async () => {
      throw new Error('nothing is there');
    },
    deleteAsset: async () => {
      throw new Error('nothing is there');
    },
    onJob: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => listeners.clear(),
  };
  return {
    work,
    asked: receivedAsks,
    listeners,
    change: (facts: Partial<JobSnapshot>) => {
      jobsById.set('a', job({ id: 'a', ...facts }));
      for (const listener of listeners) listener('a');
    },
  };
}

/** A socket server with simulated work, stopped after the test. */
export async function aServer(home: string, played = playedWork()) {
  const server = await serveSocket({
    ...{ home, owner: 'watch', version: '1.2.3', work: played.work, log: silentLog },
    timing: { reportMs: 1, helloMs: 60_000 },
  });
  onTestFinished(() => server.stop());
  return { server, ...played };
}

/** Sends raw data and returns the received data after the other side has closed. */
export async function rawly(home: string) {
  const place = readSocketAddress(home);
  if (!place) throw new Error('nobody is there');
  const socket: Socket = connect(place.address);
  let heardText = '';
  socket.on('data', (chunk) => {
    heardText += chunk;
  });
  socket.on('error', () => {});
  const { promise: connectionClosed, resolve } = Promise.withResolvers<void>();
  socket.on('close', () => resolve());
  onTestFinished(() => {
    socket.destroy();
  });
  const lines = () => heardText.split('\n').filter((line) => line !== '');
  return {
    socket,
    say: (line: string | Buffer) => socket.write(line),
    /** Proves to know the key and returns the proof. */
    hello: async () => {
      const command = '0'.repeat(64);
      socket.write(`${JSON.stringify({ tilelift: 2, nonce: command })}\n`);
      await vi.waitFor(() => expect(lines()).toHaveLength(1));
      const { nonce } = JSON.parse(lines()[0] ?? '');
      const proof = proofOf('command', place.key, { command, running: nonce });
      socket.write(`${JSON.stringify({ proof })}\n`);
      await vi.waitFor(() => expect(lines()).toHaveLength(2));
      return proof;
    },
    lines,
    closed: connectionClosed,
  };
}
