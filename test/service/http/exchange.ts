import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { Refusal } from './refusal.ts';

/** One request and its response. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** As sent and still percent-encoded, because storage keys and signatures depend on every byte. */
  readonly path: string;
  readonly query: string;
  #waitsForContinue: boolean;
  #body: Readable | undefined;
  #wrap: (body: Readable) => Readable = (body) => body;

  constructor(request: IncomingMessage, response: ServerResponse, waitsForContinue: boolean) {
    this.request = request;
    this.response = response;
    this.method = request.method ?? 'GET';
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? '' : url.slice(mark + 1);
    this.#waitsForContinue = waitsForContinue;
  }

  /** The request body. Asks a waiting client to continue (RFC 9110 10.1.1), so call it after all checks. */
  body(): Readable {
    if (this.#waitsForContinue) {
      this.#waitsForContinue = false;
      this.response.writeContinue();
    }
    this.#body ??= this.#wrap(this.request);
    return this.#body;
  }

  wrapBody(wrap: (body: Readable) => Readable): void {
    this.#wrap = wrap;
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** Reads the whole body. Throws a 413 Refusal over `limit` bytes. */
  async readBody(limit = 1_000_000): Promise<Buffer> {
    const tooLarge = () =>
      new Refusal(413, 'PayloadTooLarge', `The body is larger than ${limit} bytes.`, { Connection: 'close' });
    if (Number(this.header('content-length') ?? 0) > limit) throw tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.body().iterator({ destroyOnReturn: false })) {
      const bytes = chunk as Buffer;
      size += bytes.length;
      if (size > limit) throw tooLarge();
      chunks.push(bytes);
    }
    return Buffer.concat(chunks);
  }

  /**
   * Reads the body as JSON; an empty one yields `whenEmpty` if given. Throws a 415 Refusal for another type,
   * 400 for invalid JSON.
   */
  async readJson(whenEmpty?: unknown): Promise<unknown> {
    const isJson = this.contentType() === 'application/json';
    const unsupported = () => new Refusal(415, 'UnsupportedMediaType', 'Send the body as application/json.');
    if (!isJson && whenEmpty === undefined) throw unsupported();
    const bytes = await this.readBody();
    if (bytes.length === 0 && whenEmpty !== undefined) return whenEmpty;
    if (!isJson) throw unsupported();
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    } catch {
      throw new Refusal(400, 'InvalidJson', 'The body is not valid JSON.');
    }
  }

  /** Media type of the body, lower case, without parameters. */
  contentType(): string {
    return (this.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  }

  json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void {
    this.send(status, 'application/json; charset=utf-8', JSON.stringify(value), headers);
  }

  send(status: number, type: string, text: string, headers: Readonly<Record<string, string>> = {}): void {
    const bytes = Buffer.from(text);
    this.response
      .writeHead(status, { 'Content-Type': type, 'Content-Length': bytes.length, ...headers })
      .end(bytes);
  }
}
