import { EventEmitter } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'electron';
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';

/** In Node's and Electron's format. */
export interface FeedRequest {
  readonly protocol: 'https:' | 'http:';
  readonly hostname: string;
  readonly port?: number;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request of electron-updater. */
interface RequestedFeed extends Partial<Omit<FeedRequest, 'hostname' | 'port'>> {
  readonly hostname: string;
  readonly port?: string;
}

type SendFeedRequest = (request: FeedRequest) => ClientRequest;

/** Uses our session with its proxy, login and authorities, also for redirects. */
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
    feedRequest: RequestedFeed,
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
      : refuseRequest(address);
    request.on('response', (response) => {
      this.#response = response;
      onResponse(response);
    });
    this.#request = request;
    this.#response = undefined;
    return request;
  }

  /** The library leaves cancelled requests open. */
  abandon(): void {
    const request = this.#request;
    const response = this.#response;
    this.#request = undefined;
    this.#response = undefined;
    request?.emit('error', new Error('The request was given up'));
    request?.abort();
    response?.emit('end');
  }
}

/** The library's number identifies a computer. */
function withoutNumber(headers: FeedRequest['headers']): FeedRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'x-user-staging-id'));
}

/** Nothing catches exceptions in the library's redirect event. */
function refuseRequest(address: URL): ClientRequest {
  const request = new EventEmitter();
  const fail = () =>
    request.emit('error', new Error(`Nothing is asked for without encryption: ${address.origin}`));
  return Object.assign(request, {
    end: () => process.nextTick(fail),
    abort: () => {},
  }) as unknown as ClientRequest;
}
