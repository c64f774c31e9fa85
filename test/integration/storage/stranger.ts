import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response from an intermediary. */
export interface ForeignAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const page = '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Hotel Wi-Fi</body></html>';
const html = { 'Content-Type': 'text/html; charset=utf-8' };

/**
 * Responses by name, in addition to `test/answers/foreign-answers.ts`. None is a valid response of storage.
 */
export const foreignAnswers: Readonly<Record<string, ForeignAnswer>> = {
  'a portal’s page with an ETag': { status: 200, headers: { ...html, ETag: 'W/"5f-18c2"' }, body: page },
  'a page with an MD5 as its ETag': {
    status: 200,
    headers: { ...html, ETag: `"${'a'.repeat(32)}"` },
    body: page,
  },
  'an empty 200 with an ETag': { status: 200, headers: { ETag: '"1-2"' } },
  'a page of CloudFront': { status: 200, headers: { ...html, 'x-amz-cf-id': 'a', ETag: '"1"' }, body: page },
  'half a listing': { status: 200, body: '<?xml version="1.0"?><ListPartsResult><IsTruncated>false</IsTr' },
  'XML of another server': {
    status: 200,
    body: '<?xml version="1.0"?><Portal><UploadId>1</UploadId></Portal>',
  },
  '403 with a code in a page': {
    status: 403,
    headers: html,
    body: `<html><Error><Code>AccessDenied</Code></Error></html>`,
  },
  'a truncated 404': { status: 404, body: '<?xml version="1.0"?><Error><Code>NoSuchUpload</Code><Mess' },
  '404 with an empty code': { status: 404, body: '<Error><Code></Code><Message>no</Message></Error>' },
  '404 in JSON': { status: 404, body: '{"Code":"NoSuchUpload"}' },
  '411': { status: 411 },
  '429 of a gateway': { status: 429, headers: { 'Retry-After': '3' } },
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
