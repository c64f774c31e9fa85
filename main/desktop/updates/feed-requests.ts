import { EventEmitter } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'electron';
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';

/** A request as Node and Electron take it. */
export interface FeedRequest {
  readonly protocol: 'https:' | 'http:';
  readonly hostname: string;
  readonly port?: number;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What electron-updater wants sent. */
interface Wanted extends Partial<Omit<FeedRequest, 'hostname' | 'port'>> {
  readonly hostname: string;
  readonly port?: string;
}

/** Begins a request; electron-updater listens to it and ends it. */
type SendFeedRequest = (request: FeedRequest) => ClientRequest;

/**
 * electron-updater's way to the network, by a session of ours instead of its own: proxy, its password and
 * further authorities are those of all other calls. Redirects come through here too, so that nothing is asked
 * for where it must not be.
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

  override createRequest(wanted: Wanted, onResponse: (response: IncomingMessage) => void): ClientRequest {
    const { protocol = 'https:', hostname, port, path = '/', headers = {}, ...others } = wanted;
    const address = new URL(`${protocol}//${hostname}${port ? `:${port}` : ''}${path}`);
    const request = this.#allows(address)
      ? this.#send({
          ...others,
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

  /** Aborts what is under way; the library leaves a cancelled request open and waits for a silent one. */
  abandon(): void {
    const request = this.#request;
    const response = this.#response;
    this.#request = undefined;
    this.#response = undefined;
    request?.emit('error', new Error('The request was given up'));
    request?.abort();
    // Or the library would leave the file open that it was writing.
    response?.emit('end');
  }
}

/** The library would send a number by which one computer can be told from another. */
function withoutNumber(headers: FeedRequest['headers']): FeedRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'x-user-staging-id'));
}

/**
 * Fails as a request fails: the library asks for where a redirect leads in an event of its own, where nobody
 * would catch what is thrown.
 */
function refused(address: URL): ClientRequest {
  const request = new EventEmitter();
  const fail = () =>
    request.emit('error', new Error(`Nothing is asked for without encryption: ${address.origin}`));
  return Object.assign(request, {
    end: () => process.nextTick(fail),
    abort: () => {},
  }) as unknown as ClientRequest;
}
