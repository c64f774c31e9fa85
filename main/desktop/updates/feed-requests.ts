import { EventEmitter } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'electron';
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';

/** A request in the format of Node and Electron. */
export interface FeedRequest {
  readonly protocol: 'https:' | 'http:';
  readonly hostname: string;
  readonly port?: number;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request of electron-updater. */
interface Wanted extends Partial<Omit<FeedRequest, 'hostname' | 'port'>> {
  readonly hostname: string;
  readonly port?: string;
}

/** Starts a request that electron-updater listens to and ends. */
type SendFeedRequest = (request: FeedRequest) => ClientRequest;

/**
 * electron-updater's requests through our session, with its proxy, login and authorities. Redirects come
 * through here too, so that every address is checked.
 */
export class FeedRequests extends ElectronHttpExecutor {
  readonly #send: SendFeedRequest;
  readonly #allows: (address: URL) => boolean;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;

  constructor(send: SendFeedRequest, allows: (address: URL) => boolean) {
    super();
    this.#send = send;
    this.#allows = allows;
  }

  override createRequest(
    feedRequest: Wanted,
    onResponse: (response: IncomingMessage) => void,
  ): ClientRequest {
    const { protocol = 'https:', hostname, port, path = '/', headers = {}, ...otherOptions } = feedRequest;
    const address = new URL(`${protocol}//${hostname}${port ? `:${port}` : ''}${path}`);
    const request = this.#allows(address)
      ? this.#send({
          ...otherOptions,
          ...{ protocol, hostname, path, headers: withoutNumber(headers) },
          ...(port ? { port: Number(port) } : {}),
        })
      : refused(address);
    request.on('response', (response) => {
      this.#response = response;
      onResponse(response);
    });
    this.#request = request;
    this.#response = undefined;
    return request;
  }

  /** Aborts the current request: the library leaves cancelled requests open and waits for silent ones. */
  abandon(): void {
    const request = this.#request;
    const response = this.#response;
    this.#request = undefined;
    this.#response = undefined;
    request?.emit('error', new Error('The request was given up'));
    request?.abort();
    // Otherwise the library leaves the file open.
    response?.emit('end');
  }
}

/** Remove the library's number, which identifies a computer. */
function withoutNumber(headers: FeedRequest['headers']): FeedRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'x-user-staging-id'));
}

/** Emits an error, since the library follows redirects in an event where nothing catches exceptions. */
function refused(address: URL): ClientRequest {
  const request = new EventEmitter();
  const fail = () =>
    request.emit('error', new Error(`Nothing is asked for without encryption: ${address.origin}`));
  return Object.assign(request, {
    end: () => process.nextTick(fail),
    abort: () => {},
  }) as unknown as ClientRequest;
}
