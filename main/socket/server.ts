import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { TileliftError, toErrorRecord } from '../errors.ts';
import { gatherChanges } from '../gather-changes.ts';
import type { Log } from '../log.ts';
import { parseJson } from '../service/answer.ts';
import {
  clearSocketAddress,
  makeSocketAddress,
  publishSocketAddress,
  type SocketAddress,
} from './address.ts';
import type { SocketWork } from './answers.ts';
import type { RunningTilelift } from './client.ts';
import { createLineReader } from './lines.ts';
import { isProof, makeNonce, type Nonces, proofOf } from './proof.ts';
import {
  type Answers,
  type Ask,
  helloSchema,
  maxHelloBytes,
  maxJobsListed,
  maxLineBytes,
  type OwnerKind,
  proofSchema,
  protocolVersion,
  type Request,
  requestSchema,
  versionSchema,
} from './protocol.ts';

interface ServerParts {
  readonly home: string;
  readonly owner: OwnerKind;
  /** The program's version. */
  readonly version: string;
  readonly work: SocketWork;
  /** Requests wait for it. Default: none. */
  readonly ready?: Promise<unknown> | undefined;
  readonly log: Log;
  readonly timing?: Partial<SocketTiming>;
}

interface SocketTiming {
  /** Timeout for proving knowledge of the key, ms. */
  readonly helloMs: number;
  /** Minimum interval between events of a job, ms. */
  readonly reportMs: number;
}
const defaultTiming: SocketTiming = { helloMs: 5_000, reportMs: 200 };

export interface SocketServer {
  stop(): Promise<void>;
}

const maxConnections = 32;
/** Per connection, with followed jobs. */
const maxOpenRequests = 100;
/** A slow connection first misses events, then is closed. */
const maxUnread = maxLineBytes;
const maxUnreadAtAll = 4 * maxLineBytes;

/**
 * Only for the journal's holder.
 * @throws system errors if no socket can be created
 */
export async function serveSocket(parts: ServerParts): Promise<SocketServer> {
  const { home, work, log } = parts;
  const timing = { ...defaultTiming, ...parts.timing };
  const socketAddress = makeSocketAddress(home, process.platform);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // `close` handles errors.
    socket.on('error', () => {});
    converse(socket, socketAddress, { ...parts, timing });
  });
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketAddress.address, () => resolve());
  });
  server.on('error', (error) => log.warn({ error }, 'the socket has trouble'));
  if (process.platform !== 'win32') chmodSync(socketAddress.address, 0o600);
  publishSocketAddress(home, socketAddress);
  return {
    stop: async () => {
      work.stop();
      clearSocketAddress(home);
      const serverClosed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await serverClosed;
    },
  };
}

type ConnectionContext = ServerParts & { readonly timing: SocketTiming };

function converse(socket: Socket, socketAddress: SocketAddress, parts: ConnectionContext): void {
  const { owner, version, log, timing } = parts;
  const lines = createLineReader(maxHelloBytes);
  let nonces: Nonces | null = null;
  let isKnown = false;
  const timeout = setTimeout(() => socket.destroy(), timing.helloMs);
  const stops = new Map<number, () => void>();
  socket.on('close', () => {
    clearTimeout(timeout);
    for (const stop of stops.values()) stop();
  });

  const send = (message: object): void => {
    if (socket.destroyed || socket.writableEnded) return;
    if (socket.writableLength > maxUnreadAtAll) socket.destroy();
    else socket.write(`${JSON.stringify(message)}\n`);
  };
  const disconnect = (error: TileliftError): void => {
    send({ id: null, error: toErrorRecord(error) });
    socket.end();
  };

  function challenge(line: string): void {
    const value = parseJson(line);
    const clientVersion = versionSchema.safeParse(value).data?.tilelift ?? protocolVersion;
    const { data } = helloSchema.safeParse(value);
    if (clientVersion !== protocolVersion)
      disconnect(new TileliftError('socket-version', { subject: version }));
    else if (!data) disconnect(new TileliftError('socket-misunderstood'));
    else {
      nonces = { running: makeNonce(), command: data.nonce };
      send({ nonce: nonces.running, proof: proofOf('running', socketAddress.key, nonces) });
    }
  }

  function greet(line: string, sentNonces: Nonces): void {
    const { data } = proofSchema.safeParse(parseJson(line));
    if (!data || !isProof(data.proof, proofOf('command', socketAddress.key, sentNonces)))
      disconnect(new TileliftError('socket-misunderstood'));
    else {
      isKnown = true;
      clearTimeout(timeout);
      lines.allow(maxLineBytes);
      send({ tilelift: protocolVersion, owner, version, pid: process.pid });
    }
  }

  function request(line: string): void {
    const value = parseJson(line);
    const { data } = requestSchema.safeParse(value);
    if (!data || stops.has(data.id) || stops.size >= maxOpenRequests) {
      send({ id: idIn(value), error: toErrorRecord(new TileliftError('socket-misunderstood')) });
      return;
    }
    const { id, ask } = data;
    stops.set(id, () => {});
    const sendAnswer = (message: object) => {
      stops.get(id)?.();
      stops.delete(id);
      send({ id, ...message });
    };
    const context = {
      ...{ parts, send },
      isBehind: () => socket.writableLength > maxUnread,
      onStop: (stop: () => void) => stops.set(id, stop),
    };
    const startup = parts.ready?.catch(() => {});
    Promise.resolve(startup)
      .then(() => answer(data, context))
      .then(
        (result) => sendAnswer({ answer: result }),
        (reason: unknown) => {
          const error = toErrorRecord(reason);
          if (error.code === 'internal') log.error({ ask, error: reason }, 'a command could not be answered');
          sendAnswer({ error });
        },
      );
  }

  socket.on('data', (chunk: Buffer) => {
    const read = lines.add(chunk);
    if (!read) disconnect(new TileliftError('socket-misunderstood'));
    for (const line of read ?? []) {
      if (socket.writableEnded) return;
      if (isKnown) request(line);
      else if (nonces) greet(line, nonces);
      else challenge(line);
    }
  });
}

interface Context {
  readonly parts: Pick<ConnectionContext, 'work' | 'timing'>;
  readonly send: (message: object) => void;
  readonly isBehind: () => boolean;
  readonly onStop: (stop: () => void) => void;
}

/** Answers this process's own requests, except `follow`. */
export function askDirectly(work: SocketWork): RunningTilelift['ask'] {
  const parts = { work, timing: defaultTiming };
  const context = { parts, send: () => {}, isBehind: () => false, onStop: () => {} };
  return async (ask, parameters) =>
    (await answer(requestSchema.parse({ ...parameters, id: 0, ask }), context)) as never;
}

async function answer(request: Request, context: Context): Promise<Answers[Ask]> {
  const { work } = context.parts;
  const connectionGone = new AbortController();
  if (request.ask !== 'follow') context.onStop(() => connectionGone.abort());
  switch (request.ask) {
    case 'status':
      return work.status();
    case 'jobs':
      return cutJobs(work.jobs(maxJobsListed));
    case 'rules':
      return work.rules();
    case 'act':
      return work.performAction(request.jobId, request.action);
    case 'submit':
      return work.submit(request.job, request.again);
    case 'follow':
      return follow(request, context);
    case 'sources': {
      const { sources, isCut } = work.sources(request.ruleId);
      const listedSources = itemsThatFit(sources);
      return { sources: listedSources, isCut: isCut || listedSources.length < sources.length };
    }
    case 'decide':
      return work.decide(request.ruleId, request.path, request.decision);
    case 'accounts':
      return work.accounts();
    case 'assets': {
      const allAssets = await work.assets(request.accountId, request.only, connectionGone.signal);
      const assets = itemsThatFit(allAssets);
      return { assets, more: allAssets.length - assets.length };
    }
    case 'asset':
      return work.asset(request.accountId, request.assetId, connectionGone.signal);
    case 'editAsset':
      return work.editAsset(request.accountId, request.assetId, request.change, connectionGone.signal);
    case 'deleteAsset':
      await work.deleteAsset(request.accountId, request.assetId, connectionGone.signal);
      return { assetId: request.assetId };
  }
}

function cutJobs({ jobs, count }: ReturnType<SocketWork['jobs']>): Answers['jobs'] {
  const listedJobs = itemsThatFit(jobs);
  return { jobs: listedJobs, more: count - listedJobs.length };
}

function itemsThatFit<T>(items: readonly T[]): readonly T[] {
  let bytes = 0;
  return items.filter((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return bytes < maxLineBytes / 2;
  });
}

/** Until it has ended, is removed, or the client disconnects. */
function follow(
  { id, jobId }: Extract<Request, { ask: 'follow' }>,
  { parts: { work, timing }, send, isBehind, onStop }: Context,
): Promise<Answers['follow']> {
  const { promise, resolve, reject } = Promise.withResolvers<Answers['follow']>();
  const sendChange = () => {
    const job = work.job(jobId);
    if (!job || job.endedAt !== null) resolve(job ?? null);
    else if (!isBehind()) send({ id, event: job });
  };
  if (!work.job(jobId)) reject(new TileliftError('job-unknown', { subject: jobId }));
  const changes = gatherChanges<string>(timing.reportMs, sendChange);
  const stop = work.onJob((changedId) => changedId === jobId && changes.add(changedId));
  onStop(() => {
    stop();
    changes.stop();
  });
  sendChange();
  return promise;
}

function idIn(value: unknown): number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : null;
}
