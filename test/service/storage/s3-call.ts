import type { Exchange } from '../http/exchange.ts';
import type { Caller } from './authenticate.ts';
import type { Blobs } from './blobs.ts';
import type { ChecksumMode } from './checksums.ts';
import type { MultipartUploads } from './multipart.ts';
import type { Objects } from './objects.ts';
import type { S3Target } from './s3-request.ts';
import { xmlDocument } from './xml.ts';

/** State for the operations. */
export interface Shelf {
  readonly blobs: Blobs;
  readonly objects: Objects;
  readonly uploads: MultipartUploads;
  /** Storage's time of day, ms. */
  readonly now: () => number;
  readonly partsPerPage: number;
  readonly checksums: () => ChecksumMode;
}

/** An authenticated S3 call within its prefix. */
export interface S3Call {
  readonly exchange: Exchange;
  readonly target: S3Target;
  readonly caller: Caller;
}

export type Operation = (call: S3Call, shelf: Shelf) => Promise<void>;

export function contentTypeOf(exchange: Exchange): string {
  return exchange.header('content-type') ?? 'binary/octet-stream';
}

export function sendXml(exchange: Exchange, root: string, children: Readonly<Record<string, unknown>>): void {
  exchange.send(200, 'application/xml', xmlDocument(root, { '@_xmlns': namespace, ...children }));
}

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';
