/** A request after its body has been read. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Size of the body without its transfer coding. */
  readonly size: number;
  /** Only for POST; other bodies are dropped. */
  readonly body: string;
}

interface RequestHandlers {
  readonly onRequest: (request: SeenRequest) => void;
  /** The client waits for `100 Continue` before it sends the body. */
  readonly onExpectation: () => void;
  readonly onError: () => void;
}

const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');
const maxHead = 64 * 1024;
const emptyBuffer = Buffer.alloc(0);

/**
 * Reads HTTP/1.1 requests of one connection and drops their bodies. Node's server would cost several times
 * what a client spends, and so become the ceiling.
 */
export class RequestStream {
  readonly #handlers: RequestHandlers;
  #state: 'head' | 'body' | 'chunk-size' | 'chunk' | 'trailer' | 'broken' = 'head';
  #unreadRest: Buffer = emptyBuffer;
  /** Remaining bytes of the body or chunk, including a chunk's line end. */
  #bodyBytesLeft = 0;
  #size = 0;
  #keptBodies: Buffer[] | null = null;
  #head: Pick<SeenRequest, 'method' | 'target' | 'headers'> | null = null;

  constructor(handlers: RequestHandlers) {
    this.#handlers = handlers;
  }

  feed(piece: Buffer): void {
    let data = this.#unreadRest.length > 0 ? Buffer.concat([this.#unreadRest, piece]) : piece;
    this.#unreadRest = emptyBuffer;
    while (data.length > 0 && this.#state !== 'broken') {
      const usedBytes = this.#take(data);
      if (usedBytes === 0) {
        if (data.length > maxHead) this.#break();
        else this.#unreadRest = data;
        return;
      }
      data = data.subarray(usedBytes);
    }
  }

  /** Returns the number of bytes used; 0 asks for more. */
  #take(data: Buffer): number {
    switch (this.#state) {
      case 'head':
        return this.#takeHead(data);
      case 'body':
      case 'chunk':
        return this.#takeBody(data);
      case 'chunk-size':
        return this.#takeLine(data, (line) => this.#beginChunk(Number.parseInt(line, 16)));
      case 'trailer':
        return this.#takeLine(data, (line) => {
          if (line === '') this.#finish();
        });
      case 'broken':
        return data.length;
    }
  }

  #takeHead(data: Buffer): number {
    const end = data.indexOf(headEnd);
    if (end === -1) return 0;
    const lines = data.toString('latin1', 0, end).split('\r\n');
    const [method = '', target = ''] = (lines[0] ?? '').split(' ');
    const headers = new Map<string, string>();
    for (const line of lines.slice(1)) {
      const colon = line.indexOf(':');
      headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
    }
    this.#head = { method, target, headers };
    this.#size = 0;
    this.#keptBodies = method === 'POST' ? [] : null;
    if (headers.get('expect')?.toLowerCase() === '100-continue') this.#handlers.onExpectation();
    const chunked = headers.get('transfer-encoding')?.toLowerCase().includes('chunked');
    this.#bodyBytesLeft = Number(headers.get('content-length') ?? 0);
    if (chunked) this.#state = 'chunk-size';
    else if (this.#bodyBytesLeft > 0) this.#state = 'body';
    else this.#finish();
    return end + headEnd.length;
  }

  #takeBody(data: Buffer): number {
    const usedBytes = Math.min(this.#bodyBytesLeft, data.length);
    this.#bodyBytesLeft -= usedBytes;
    this.#size += usedBytes;
    // Copies, because the connection may reuse its buffer.
    this.#keptBodies?.push(Buffer.from(data.subarray(0, usedBytes)));
    if (this.#bodyBytesLeft > 0) return usedBytes;
    if (this.#state === 'body') this.#finish();
    else {
      this.#size -= lineEnd.length;
      this.#state = 'chunk-size';
    }
    return usedBytes;
  }

  #takeLine(data: Buffer, onLine: (line: string) => void): number {
    const end = data.indexOf(lineEnd);
    if (end === -1) return 0;
    onLine(data.toString('latin1', 0, end));
    return end + lineEnd.length;
  }

  #beginChunk(size: number): void {
    if (!Number.isInteger(size)) {
      this.#break();
      return;
    }
    this.#state = size === 0 ? 'trailer' : 'chunk';
    this.#bodyBytesLeft = size + lineEnd.length;
  }

  #finish(): void {
    const head = this.#head;
    this.#state = 'head';
    this.#head = null;
    if (!head) return;
    const body = this.#keptBodies ? Buffer.concat(this.#keptBodies).toString('utf8') : '';
    this.#handlers.onRequest({ ...head, size: this.#size, body });
  }

  #break(): void {
    this.#state = 'broken';
    this.#handlers.onError();
  }
}
