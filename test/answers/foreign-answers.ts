import { gzipSync } from 'node:zlib';
import type { FaultAction } from '../service/model.ts';

/**
 * A response from neither the service nor storage, for example from a captive portal, a filter or a proxy.
 */
export interface ForeignAnswer {
  readonly name: string;
  readonly action: FaultAction;
  readonly secure?: true;
}

/** Prefix of `faultName` in the service's record. */
export const foreignMark = 'foreign: ';

const html = (title: string) =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
const page = { 'Content-Type': 'text/html; charset=utf-8' } as const;
const json = { 'Content-Type': 'application/json' } as const;
const xml = { 'Content-Type': 'application/xml' } as const;

const answer = (
  name: string,
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): ForeignAnswer => ({ name, action: { kind: 'status', status, body, headers } });

const rawAnswer = (name: string, bytes: string | Buffer, closeKind: 'close' | 'reset'): ForeignAnswer => ({
  name,
  action: { kind: 'raw', base64: Buffer.from(bytes).toString('base64'), ending: closeKind },
});

const packedPage = gzipSync(html('Sign in to the network'));
const login = 'http://portal.invalid/login';
const twoHours = String(2 * 3600);
const impostorConnections = 6;

/** One of each kind that Tilelift tells apart; unit tests cover the other statuses. */
export const foreignAnswers: readonly ForeignAnswer[] = [
  answer('302 to a login page', 302, '', { Location: login }),
  answer('307 to a login page', 307, html('Moved'), { ...page, Location: login }),
  answer('a login page with 200', 200, html('Sign in to the network'), page),
  rawAnswer(
    'a login page with 200, packed with gzip',
    Buffer.concat([
      Buffer.from(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: ${packedPage.length}\r\nConnection: close\r\n\r\n`,
      ),
      packedPage,
    ]),
    'close',
  ),
  answer('200 without a body', 200),
  answer('204 without a body', 204),
  answer('200 with the JSON of a filter', 200, '{"error":"blocked"}', json),
  answer('200 with an empty JSON list', 200, '[]', json),
  answer('200 with the bucket list of another server', 200, bucketList(), xml),
  answer('401 page that asks for a password', 401, html('401 Unauthorized'), {
    ...page,
    'WWW-Authenticate': 'Basic realm="Office"',
  }),
  answer('403 page of a filter', 403, html('Access to this site is blocked'), page),
  answer('403 with JSON whose code is a number', 403, '{"code":403,"message":"blocked"}', json),
  answer('403 with XML that has no code', 403, '<Error><Message>Forbidden</Message></Error>', xml),
  answer('404 without a body', 404),
  answer('404 page', 404, html('404 Not Found'), page),
  answer('407 page of an unknown proxy', 407, html('Proxy Authentication Required'), {
    ...page,
    'Proxy-Authenticate': 'Basic realm="Office"',
  }),
  answer('408 without a body', 408, '', { Connection: 'close' }),
  answer('410 page', 410, html('410 Gone'), page),
  answer('413 page', 413, html('413 Request Entity Too Large'), page),
  answer('429 page with Retry-After', 429, html('Too Many Requests'), { ...page, 'Retry-After': '1' }),
  answer('502 page of a gateway', 502, html('502 Bad Gateway'), page),
  answer('503 without a body', 503),
  answer('503 page with a Retry-After of two hours', 503, html('Maintenance'), {
    ...page,
    'Retry-After': twoHours,
  }),
  answer('511 page of a portal', 511, html('Network Authentication Required'), page),
  rawAnswer(
    'an answer cut off half way',
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{"id":20001,"status":"COMP',
    'close',
  ),
  rawAnswer(
    'a connection reset after the response headers',
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n',
    'reset',
  ),
  rawAnswer('a connection closed without a response', '', 'close'),
  rawAnswer('a mail server’s greeting instead of HTTP', '220 mail.invalid ESMTP ready\r\n', 'close'),
  {
    name: 'another server’s certificate',
    action: { kind: 'impostor', connections: impostorConnections },
    secure: true,
  },
];

function bucketList(): string {
  return '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>others</Name><IsTruncated>false</IsTruncated></ListBucketResult>';
}
