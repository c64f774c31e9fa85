import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { TileliftError, toErrorRecord } from '../errors.ts';
import { gatherChanges } from '../gather-changes.ts';
import type { Log } from '../log.ts';
import { parseJson } from '../service/answer.ts';
import { clearSocketAddress, makeSocketAddress, type SocketAddress, tellSocketAddress } from './address.ts';
import type { SocketWork } from './answers.ts';
import { createLineReader } from './lines.ts';
import { isProof, makeNonce, type Nonces, proofOf } from './proof.ts';
import {
  type Answers,
  type Ask,
  helloSchema,
  maxHelloBytes,
  maxJobsListed,
  maxLineBytes,
  type Owner,
  proofSchema,
  protocolVersion,
  type Request,
  requestSchema,
  versionSchema,
} from './protocol.ts';

interface ServerParts {
  /** Where the journal lies that this process holds. */
  readonly home: string;
  readonly owner: Owner;
  /** Of the program. */
  readonly version: string;
  readonly work: SocketWork;
  readonly log: Log;
  readonly timing?: Partial<SocketTiming>;
}

interface SocketTiming {
  /** Who has not proved to know the key by then is sent away, ms. */
  readonly helloMs: number;
  /** At most this often is told how a job gets on, ms. */
  readonly tellMs: number;
}
const defaultTiming: SocketTiming = { helloMs: 5_000, tellMs: 200 };

export interface SocketServer {
  /** Nobody finds it any more, and every connection ends. */
  stop(): Promise<void>;
}

const maxConnections = 32;
/** Requests of one connection that are not answered yet; followed jobs among them. */
const maxOpenRequests = 100;
/** What a connection has not read yet, bytes: one that reads slower misses events, then ends. */
const maxUnread = maxLineBytes;
const maxUnreadAtAll = 4 * maxLineBytes;

/**
 * Serves those commands of this user that find the journal held. Only for whoever holds it.
 *
 * @throws what the system throws where no socket can be made there
 */
export async function serveSocket(parts: ServerParts): Promise<SocketServer> {
  const { home, work, log } = parts;
  const timing = { ...defaultTiming, ...parts.timing };
  const place = makeSocketAddress(home, process.platform);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    // Its end is all there is to know.
    socket.on('error', () => {});
    talk(socket, place, { ...parts, timing });
  });
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(place.address, () => resolve());
  });
  server.on('error', (error) => log.warn({ error }, 'the socket has trouble'));
  if (process.platform !== 'win32') chmodSync(place.address, 0o600);
  tellSocketAddress(home, place);
  return {
    stop: async () => {
      work.stop();
      clearSocketAddress(home);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

type Talk = ServerParts & { readonly timing: SocketTiming };

function talk(socket: Socket, place: SocketAddress, parts: Talk): void {
  const { owner, version, log, timing } = parts;
  const lines = createLineReader(maxHelloBytes);
  let nonces: Nonces | null = null;
  let isKnown = false;
  const late = setTimeout(() => socket.destroy(), timing.helloMs);
  const stops = new Map<number, () => void>();
  socket.on('close', () => {
    clearTimeout(late);
    for (const stop of stops.values()) stop();
  });

  const send = (message: object): void => {
    if (socket.destroyed || socket.writableEnded) return;
    if (socket.writableLength > maxUnreadAtAll) socket.destroy();
    else socket.write(`${JSON.stringify(message)}\n`);
  };
  const part = (error: TileliftError): void => {
    send({ id: null, error: toErrorRecord(error) });
    socket.end();
  };

  function challenge(line: string): void {
    const value = parseJson(line);
    const spoken = versionSchema.safeParse(value).data?.tilelift ?? protocolVersion;
    const { data } = helloSchema.safeParse(value);
    if (spoken !== protocolVersion) part(new TileliftError('socket-version', { subject: version }));
    else if (!data) part(new TileliftError('socket-misunderstood'));
    else {
      nonces = { running: makeNonce(), command: data.nonce };
      send({ nonce: nonces.running, proof: proofOf('running', place.key, nonces) });
    }
  }

  function greet(line: string, said: Nonces): void {
    const { data } = proofSchema.safeParse(parseJson(line));
    if (!data || !isProof(data.proof, proofOf('command', place.key, said)))
      part(new TileliftError('socket-misunderstood'));
    else {
      isKnown = true;
      clearTimeout(late);
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
    const answered = (message: object) => {
      stops.get(id)?.();
      stops.delete(id);
      send({ id, ...message });
    };
    const context = {
      ...{ parts, send },
      isBehind: () => socket.writableLength > maxUnread,
      onStop: (stop: () => void) => stops.set(id, stop),
    };
    answer(data, context).then(
      (given) => answered({ answer: given }),
      (thrown: unknown) => {
        const error = toErrorRecord(thrown);
        if (error.code === 'internal') log.error({ ask, error: thrown }, 'a command could not be answered');
        answered({ error });
      },
    );
  }

  socket.on('data', (chunk: Buffer) => {
    const read = lines.add(chunk);
    if (!read) part(new TileliftError('socket-misunderstood'));
    for (const line of read ?? []) {
      if (socket.writableEnded) return;
      if (isKnown) request(line);
      else if (nonces) greet(line, nonces);
      else challenge(line);
    }
  });
}

interface Context {
  readonly parts: Talk;
  readonly send: (message: object) => void;
  /** The other side does not keep up with reading. */
  readonly isBehind: () => boolean;
  readonly onStop: (stop: () => void) => void;
}

async function answer(request: Request, context: Context): Promise<Answers[Ask]> {
  const { work } = context.parts;
  const gone = new AbortController();
  if (request.ask !== 'follow') context.onStop(() => gone.abort());
  switch (request.ask) {
    case 'status':
      return work.status();
    case 'jobs':
      return cut(work.jobs(maxJobsListed));
    case 'rules':
      return work.rules();
    case 'act':
      return work.act(request.jobId, request.action);
    case 'submit':
      return work.submit(request.job, request.again);
    case 'follow':
      return follow(request, context);
    case 'sources': {
      const { sources, isCut } = work.sources(request.ruleId);
      const told = fitting(sources);
      return { sources: told, isCut: isCut || told.length < sources.length };
    }
    case 'decide':
      return work.decide(request.ruleId, request.path, request.decision);
    case 'accounts':
      return work.accounts();
    case 'assets': {
      const all = await work.assets(request.accountId, request.only, gone.signal);
      const assets = fitting(all);
      return { assets, more: all.length - assets.length };
    }
    case 'asset':
      return work.asset(request.accountId, request.assetId, gone.signal);
  }
}

/** As many as a line takes, the newest. */
function cut({ jobs, count }: ReturnType<SocketWork['jobs']>): Answers['jobs'] {
  const told = fitting(jobs);
  return { jobs: told, more: count - told.length };
}

function fitting<T>(all: readonly T[]): readonly T[] {
  let bytes = 0;
  return all.filter((one) => {
    bytes += Buffer.byteLength(JSON.stringify(one));
    return bytes < maxLineBytes / 2;
  });
}

/** Tells of the job until it has ended, is gone, or nobody listens any more. */
function follow(
  { id, jobId }: Extract<Request, { ask: 'follow' }>,
  { parts: { work, timing }, send, isBehind, onStop }: Context,
): Promise<Answers['follow']> {
  const { promise, resolve, reject } = Promise.withResolvers<Answers['follow']>();
  const look = () => {
    const job = work.job(jobId);
    if (!job || job.endedAt !== null) resolve(job ?? null);
    else if (!isBehind()) send({ id, event: job });
  };
  if (!work.job(jobId)) reject(new TileliftError('job-unknown', { subject: jobId }));
  const changes = gatherChanges<string>(timing.tellMs, look);
  const stop = work.onJob((changed) => changed === jobId && changes.add(changed));
  onStop(() => {
    stop();
    changes.stop();
  });
  look();
  return promise;
}

function idIn(value: unknown): number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : null;
}
