import { connect, type Socket } from 'node:net';
import type { z } from 'zod';
import { hasCode } from '../errno.ts';
import { TileliftError } from '../errors.ts';
import type { JobSnapshot } from '../jobs/model.ts';
import { parseJson } from '../service/answer.ts';
import { addressFile, isSocketOfOwner, readSocketAddress } from './address.ts';
import { createLineReader } from './lines.ts';
import { isProof, makeNonce, proofOf } from './proof.ts';
import {
  type Answers,
  type Ask,
  answerSchemas,
  challengeSchema,
  type Greeting,
  maxHelloBytes,
  maxLineBytes,
  protocolVersion,
  type Request,
  refusalSchema,
  replySchema,
  wireJobSchema,
} from './protocol.ts';

type RequestParameters<Name extends Ask> = Omit<Extract<Request, { ask: Name }>, 'id' | 'ask'>;

/** It holds the journal. */
export interface RunningTilelift {
  readonly greeting: Greeting;
  /**
   * @param onJob only for `follow`
   * @throws TileliftError the other side's error, or `socket-lost`
   */
  ask<Name extends Ask>(
    name: Name,
    parameters: RequestParameters<Name>,
    onJob?: (job: JobSnapshot) => void,
  ): Promise<Answers[Name]>;
  /** Cancels open requests; jobs continue. */
  disconnect(): void;
}

/** A starting desktop is busy, ms. */
const greetingMs = 10_000;

/**
 * Null if none is reachable.
 * @throws TileliftError `socket-version`, `socket-lost` without a response, `socket-unproven` if another
 *   program responds
 */
export async function connectToRunning(home: string, waitMs = greetingMs): Promise<RunningTilelift | null> {
  const socketAddress = readSocketAddress(home);
  if (!socketAddress) return null;
  const isOwn = isSocketOfOwner(home, socketAddress.address, process.platform);
  if (isOwn === null) return null;
  if (!isOwn) throw unproven(home);
  const socket = await openSocket(socketAddress.address);
  if (!socket) return null;
  const running = new Conversation(socket, socketAddress.key, unproven(home));
  const timeout = setTimeout(() => socket.destroy(), waitMs);
  try {
    return await running.greet();
  } finally {
    clearTimeout(timeout);
  }
}

const unproven = (home: string) => new TileliftError('socket-unproven', { subject: addressFile(home) });

/** Null if nothing listens. */
function openSocket(address: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error) => {
      if (hasCode(error, 'ENOENT', 'ECONNREFUSED', 'ENOTSOCK')) resolve(null);
      else reject(new TileliftError('socket-lost', { cause: error }));
    });
  });
}

interface WaitingCall {
  readonly onAnswer: (answer: unknown) => void;
  readonly onEvent: (event: unknown) => void;
  readonly fail: (error: TileliftError) => void;
}

class Conversation {
  readonly #socket: Socket;
  readonly #key: string;
  readonly #unproven: TileliftError;
  readonly #nonce = makeNonce();
  readonly #lines = createLineReader(maxHelloBytes);
  readonly #pendingCalls = new Map<number, WaitingCall>();
  readonly #greetingReceived = Promise.withResolvers<Greeting>();
  #isProven = false;
  #nextId = 0;
  #end: TileliftError | null = null;

  constructor(socket: Socket, key: string, unproven: TileliftError) {
    this.#socket = socket;
    this.#key = key;
    this.#unproven = unproven;
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('close', () => this.#endWith(new TileliftError('socket-lost')));
  }

  async greet(): Promise<RunningTilelift> {
    this.#send({ tilelift: protocolVersion, nonce: this.#nonce });
    const greeting = await this.#greetingReceived.promise;
    return {
      greeting,
      ask: (name, parameters, onJob) => this.#ask(name, parameters, onJob),
      disconnect: () => this.#socket.destroy(),
    };
  }

  #ask<Name extends Ask>(
    name: Name,
    parameters: RequestParameters<Name>,
    onJob: (job: JobSnapshot) => void = () => {},
  ): Promise<Answers[Name]> {
    if (this.#end) return Promise.reject(this.#end);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pendingCalls.set(id, {
        onAnswer: (answer) => {
          const { data, success } = answerSchemas[name].safeParse(answer);
          if (success) resolve(data as Answers[Name]);
          else reject(new TileliftError('socket-misunderstood'));
        },
        onEvent: (event) => {
          const { data } = wireJobSchema.safeParse(event);
          if (data) onJob(data);
        },
        fail: reject,
      });
      this.#send({ ...parameters, id, ask: name });
    });
  }

  #send(message: object): void {
    this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  #read(chunk: Buffer): void {
    const lines = this.#lines.add(chunk);
    if (!lines) this.#endWith(new TileliftError('socket-misunderstood'));
    for (const line of lines ?? []) {
      if (this.#isProven) this.#handleReply(line);
      else this.#verifyProof(line);
    }
  }

  /** Until then it receives only a random number. */
  #verifyProof(line: string): void {
    const value = parseJson(line);
    const refusal = refusalSchema.safeParse(value).data;
    const { data } = challengeSchema.safeParse(value);
    const nonces = { running: data?.nonce ?? '', command: this.#nonce };
    if (refusal) this.#endWith(TileliftError.fromRecord(refusal.error));
    else if (data && isProof(data.proof, proofOf('running', this.#key, nonces))) {
      this.#isProven = true;
      this.#lines.allow(maxLineBytes);
      this.#send({ proof: proofOf('command', this.#key, nonces) });
    } else this.#endWith(this.#unproven);
  }

  #handleReply(line: string): void {
    const { data } = replySchema.safeParse(parseJson(line));
    if (!data) this.#endWith(new TileliftError('socket-misunderstood'));
    else if ('tilelift' in data) this.#greetingReceived.resolve(data);
    else if (data.id === null) this.#endWith(TileliftError.fromRecord(data.error));
    else this.#dispatch(data.id, data);
  }

  #dispatch(id: number, reply: Exclude<z.infer<typeof replySchema>, Greeting>): void {
    const pendingRequest = this.#pendingCalls.get(id);
    if (pendingRequest && 'event' in reply) pendingRequest.onEvent(reply.event);
    if ('event' in reply) return;
    this.#pendingCalls.delete(id);
    if ('error' in reply) pendingRequest?.fail(TileliftError.fromRecord(reply.error));
    else pendingRequest?.onAnswer(reply.answer);
  }

  #endWith(error: TileliftError): void {
    this.#end ??= error;
    this.#greetingReceived.reject(this.#end);
    // Avoid an unhandled rejection.
    this.#greetingReceived.promise.catch(() => {});
    for (const { fail } of this.#pendingCalls.values()) fail(this.#end);
    this.#pendingCalls.clear();
    this.#socket.destroy();
  }
}
