import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../../../log.ts';
import { type LoopbackAddress, namesLoopback } from './loopback-address.ts';
import type { Metrics } from './metrics.ts';

export interface MetricsServer {
  /** `http://127.0.0.1:9464/metrics`. */
  readonly address: string;
  stop(): Promise<void>;
}

const maxConnections = 16;

/** Rejects with the system's error if the port is taken. */
export async function serveMetrics(
  metrics: Metrics,
  address: LoopbackAddress,
  log: Log,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const refuse = (code: number) => response.writeHead(code, { connection: 'close' }).end();
    if (!namesLoopback(request.headers.host)) refuse(403);
    else if (request.url !== '/metrics') refuse(404);
    else if (request.method !== 'GET' && request.method !== 'HEAD') refuse(405);
    else
      metrics.text().then(
        (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
        (error: unknown) => {
          log.error({ error }, 'the metrics could not be told');
          refuse(500);
        },
      );
  });
  server.maxConnections = maxConnections;
  server.requestTimeout = 10_000;
  server.listen(address.port, address.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return {
    address: `http://${host}:${port}/metrics`,
    stop: async () => {
      metrics.stop();
      const serverClosed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await serverClosed;
    },
  };
}
