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

/** What is said with a request of that name. */
type Given<Name extends Ask> = Omit<Extract<Request, { ask: Name }>, 'id' | 'ask'>;

/** A Tilelift of this user that runs and holds the journal. */
export interface RunningTilelift {
  readonly greeting: Greeting;
  /**
   * @param onJob of `follow` alone: how the job stands, each time that it has changed
   * @throws TileliftError what the other side says, `socket-lost` once it is gone
   */
  ask<Name extends Ask>(
    name: Name,
    given: Given<Name>,
    onJob?: (job: JobSnapshot) => void,
  ): Promise<Answers[Name]>;
  /** What is asked for is given up; the jobs continue. */
  close(): void;
}

/** How long the other side may take for its greeting, ms: a desktop that is starting is busy. */
const greetingMs = 10_000;

/**
 * The Tilelift that runs on the journal in this folder; null where none can be reached, whatever a killed one
 * has left.
 *
 * @param waitMs for its greeting
 * @throws TileliftError `socket-version` where it is of another version, `socket-lost` where it does not
 *   answer, `socket-unproven` where something else answers in its place
 */
export async function connectToRunning(home: string, waitMs = greetingMs): Promise<RunningTilelift | null> {
  const place = readSocketAddress(home);
  if (!place) return null;
  const isOwn = isSocketOfOwner(home, place.address, process.platform);
  if (isOwn === null) return null;
  if (!isOwn) throw unproven(home);
  const socket = await open(place.address);
  if (!socket) return null;
  const running = new Conversation(socket, place.key, unproven(home));
  const late = setTimeout(() => socket.destroy(), waitMs);
  try {
    return await running.greet();
  } finally {
    clearTimeout(late);
  }
}

const unproven = (home: string) => new TileliftError('socket-unproven', { subject: addressFile(home) });

/** Null where nobody listens. */
function open(address: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error) => {
      if (hasCode(error, 'ENOENT', 'ECONNREFUSED', 'ENOTSOCK')) resolve(null);
      else reject(new TileliftError('socket-lost', { cause: error }));
    });
  });
}

interface Waiting {
  readonly take: (answer: unknown) => void;
  readonly told: (event: unknown) => void;
  readonly fail: (error: TileliftError) => void;
}

class Conversation {
  readonly #socket: Socket;
  readonly #key: string;
  readonly #unproven: TileliftError;
  readonly #nonce = makeNonce();
  readonly #lines = createLineReader(maxHelloBytes);
  readonly #waiting = new Map<number, Waiting>();
  readonly #greeted = Promise.withResolvers<Greeting>();
  #isProven = false;
  #next = 0;
  #end: TileliftError | null = null;

  /** @param unproven what to say where the other side does not know the key */
  constructor(socket: Socket, key: string, unproven: TileliftError) {
    this.#socket = socket;
    this.#key = key;
    this.#unproven = unproven;
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('close', () => this.#over(new TileliftError('socket-lost')));
  }

  async greet(): Promise<RunningTilelift> {
    this.#send({ tilelift: protocolVersion, nonce: this.#nonce });
    const greeting = await this.#greeted.promise;
    return {
      greeting,
      ask: (name, given, onJob) => this.#ask(name, given, onJob),
      close: () => this.#socket.destroy(),
    };
  }

  #ask<Name extends Ask>(
    name: Name,
    given: Given<Name>,
    onJob: (job: JobSnapshot) => void = () => {},
  ): Promise<Answers[Name]> {
    if (this.#end) return Promise.reject(this.#end);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {
        take: (answer) => {
          const { data, success } = answerSchemas[name].safeParse(answer);
          if (success) resolve(data as Answers[Name]);
          else reject(new TileliftError('socket-misunderstood'));
        },
        told: (event) => {
          const { data } = wireJobSchema.safeParse(event);
          if (data) onJob(data);
        },
        fail: reject,
      });
      this.#send({ ...given, id, ask: name });
    });
  }

  #send(message: object): void {
    this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  #read(chunk: Buffer): void {
    const lines = this.#lines.add(chunk);
    if (!lines) this.#over(new TileliftError('socket-misunderstood'));
    for (const line of lines ?? []) {
      if (this.#isProven) this.#hear(line);
      else this.#prove(line);
    }
  }

  /** The other side has to know the key before it learns more than a random number. */
  #prove(line: string): void {
    const value = parseJson(line);
    const refusal = refusalSchema.safeParse(value).data;
    const { data } = challengeSchema.safeParse(value);
    const nonces = { running: data?.nonce ?? '', command: this.#nonce };
    if (refusal) this.#over(TileliftError.fromRecord(refusal.error));
    else if (data && isProof(data.proof, proofOf('running', this.#key, nonces))) {
      this.#isProven = true;
      this.#lines.allow(maxLineBytes);
      this.#send({ proof: proofOf('command', this.#key, nonces) });
    } else this.#over(this.#unproven);
  }

  #hear(line: string): void {
    const { data } = replySchema.safeParse(parseJson(line));
    if (!data) this.#over(new TileliftError('socket-misunderstood'));
    else if ('tilelift' in data) this.#greeted.resolve(data);
    else if (data.id === null) this.#over(TileliftError.fromRecord(data.error));
    else this.#pass(data.id, data);
  }

  #pass(id: number, reply: Exclude<z.infer<typeof replySchema>, Greeting>): void {
    const waiting = this.#waiting.get(id);
    if (waiting && 'event' in reply) waiting.told(reply.event);
    if ('event' in reply) return;
    this.#waiting.delete(id);
    if ('error' in reply) waiting?.fail(TileliftError.fromRecord(reply.error));
    else waiting?.take(reply.answer);
  }

  #over(error: TileliftError): void {
    this.#end ??= error;
    this.#greeted.reject(this.#end);
    // Nobody may be waiting for it.
    this.#greeted.promise.catch(() => {});
    for (const { fail } of this.#waiting.values()) fail(this.#end);
    this.#waiting.clear();
    this.#socket.destroy();
  }
}
