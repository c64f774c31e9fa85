import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response from something between us and storage. */
export interface ForeignAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const page = '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Hotel Wi-Fi</body></html>';
const html = { 'Content-Type': 'text/html; charset=utf-8' };

/** By name. None is a valid response of storage to any request. */
export const foreignAnswers: Readonly<Record<string, ForeignAnswer>> = {
  'a portal’s page': { status: 200, headers: html, body: page },
  'a portal’s page with an ETag': { status: 200, headers: { ...html, ETag: 'W/"5f-18c2"' }, body: page },
  'a page with an MD5 for its ETag': {
    status: 200,
    headers: { ...html, ETag: `"${'a'.repeat(32)}"` },
    body: page,
  },
  'an empty 200': { status: 200 },
  'an empty 200 with an ETag': { status: 200, headers: { ETag: '"1-2"' } },
  'a page of CloudFront’s': {
    status: 200,
    headers: { ...html, 'x-amz-cf-id': 'a', ETag: '"1"' },
    body: page,
  },
  'JSON with 200': { status: 200, headers: { 'Content-Type': 'application/json' }, body: '{"ok":true}' },
  'half a listing': { status: 200, body: '<?xml version="1.0"?><ListPartsResult><IsTruncated>false</IsTr' },
  'XML of something else': {
    status: 200,
    body: '<?xml version="1.0"?><Portal><UploadId>1</UploadId></Portal>',
  },
  '201': { status: 201, headers: html, body: page },
  'a redirection to a portal': { status: 302, headers: { Location: 'http://portal.invalid/' } },
  'a redirection with a page': {
    status: 303,
    headers: { ...html, Location: 'http://portal.invalid/' },
    body: page,
  },
  'a temporary redirection': { status: 307, headers: { Location: 'http://portal.invalid/' } },
  '400 of a gateway': { status: 400, headers: html, body: page },
  '401 of a gateway': { status: 401, headers: { 'WWW-Authenticate': 'Basic realm="office"' } },
  '403 of a filter': { status: 403, headers: html, body: page },
  '403 without words': { status: 403 },
  '403 with a code in a page': {
    status: 403,
    headers: html,
    body: `<html><Error><Code>AccessDenied</Code></Error></html>`,
  },
  '404 of a gateway': { status: 404, headers: html, body: page },
  '404 without words': { status: 404 },
  '404 cut off': { status: 404, body: '<?xml version="1.0"?><Error><Code>NoSuchUpload</Code><Mess' },
  '404 with an empty code': { status: 404, body: '<Error><Code></Code><Message>no</Message></Error>' },
  '404 in JSON': { status: 404, body: '{"Code":"NoSuchUpload"}' },
  '405': { status: 405, headers: html, body: page },
  '410': { status: 410, headers: html, body: page },
  '411': { status: 411 },
  '413': { status: 413, headers: html, body: page },
  '421': { status: 421 },
  '429 of a gateway': { status: 429, headers: { 'Retry-After': '3' } },
  '451': { status: 451, headers: html, body: page },
  '500 of a gateway': { status: 500, headers: html, body: page },
  '502 of a gateway': { status: 502, headers: html, body: page },
  '503 of a gateway': { status: 503, headers: html, body: page },
  '504 of a gateway': { status: 504 },
  '511, sign in to this network': { status: 511, headers: html, body: page },
};

export type Answerer = (request: IncomingMessage & { readonly url: string }, body: string) => ForeignAnswer;

export interface Stranger {
  readonly endpoint: string;
  readonly port: number;
  /** Holds all responses from now on. Returns a function that releases them. */
  holdAnswers(): () => void;
  close(): Promise<void>;
}

/** A loopback server that isn't storage: accepts everything and responds as configured. */
export async function startStranger(answerer: Answerer): Promise<Stranger> {
  let gate = Promise.resolve();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return;
    }
    const body = String(Buffer.concat(chunks));
    const answer = answerer(Object.assign(request, { url: request.url ?? '' }), body);
    await gate;
    reply(response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const holdAnswers = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { endpoint: `http://127.0.0.1:${port}`, port, holdAnswers, close: () => close(server) };
}

function reply(response: ServerResponse, { status, headers, body = '' }: ForeignAnswer): void {
  const length = response.req.method === 'HEAD' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { ...length, ...headers }).end(body);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
