import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Exchange } from '../http/exchange.ts';
import { Refusal } from '../http/refusal.ts';
import type { RoomPlan } from '../http/room.ts';
import type { ServiceClock } from '../service-clock.ts';
import { authenticate, type StreamingMode } from './authenticate.ts';
import { Blobs } from './blobs.ts';
import type { ChecksumMode } from './checksums.ts';
import { CredentialBook } from './credentials.ts';
import { MultipartUploads } from './multipart.ts';
import { Objects } from './objects.ts';
import { findOperation } from './operations.ts';
import type { Shelf } from './s3-call.ts';
import { S3Error } from './s3-error.ts';
import { readTarget, type S3Target } from './s3-request.ts';
import type { UploadCredentials, UploadStorage } from './upload-storage.ts';
import { xmlDocument } from './xml.ts';

interface EmbeddedStorageSettings {
  readonly bucket: string;
  readonly dataFolder: string;
  readonly keepObjects: 'disk' | 'discard';
  readonly uploadCredentialSeconds: number;
  readonly partsPerPage: number;
  readonly streaming: StreamingMode;
  readonly checksums: () => ChecksumMode;
  /** S3 endpoint, known once the listener has a port. */
  readonly endpoint: () => string;
}

/** The service's S3-compatible storage (contract 4.7). */
export class EmbeddedStorage implements UploadStorage {
  readonly bucket: string;
  readonly endpoint: () => string;
  readonly credentials: CredentialBook;
  readonly objects: Objects;
  readonly uploads: MultipartUploads;
  readonly #blobs: Blobs;
  readonly #streaming: StreamingMode;
  readonly #shelf: Shelf;

  constructor(settings: EmbeddedStorageSettings, clock: ServiceClock) {
    this.bucket = settings.bucket;
    this.endpoint = settings.endpoint;
    this.#streaming = settings.streaming;
    this.#blobs = new Blobs(join(settings.dataFolder, 'blobs'), settings.keepObjects);
    this.credentials = new CredentialBook(settings.uploadCredentialSeconds, () => clock.steady());
    this.objects = new Objects(this.#blobs);
    this.uploads = new MultipartUploads(this.#blobs);
    this.#shelf = {
      blobs: this.#blobs,
      objects: this.objects,
      uploads: this.uploads,
      now: () => clock.now(),
      partsPerPage: settings.partsPerPage,
      checksums: settings.checksums,
    };
  }

  prepare(): Promise<void> {
    return this.#blobs.prepare();
  }

  async giveCredentials(assetId: number, prefix: string): Promise<UploadCredentials> {
    return this.credentials.give(assetId, prefix);
  }

  async measure(prefix: string): Promise<{ count: number; bytes: number }> {
    return this.objects.measure(prefix);
  }

  room(port: number): RoomPlan {
    return {
      name: 'storage',
      port,
      handle: async (exchange) => {
        exchange.response.setHeader('x-amz-request-id', randomBytes(8).toString('hex').toUpperCase());
        const caller = authenticate(exchange, this.credentials, this.#shelf.now(), this.#streaming);
        const target = readTarget(exchange, this.bucket);
        this.#checkPlace(target, caller.credentials.prefix);
        const operation = findOperation(exchange.method, target.query);
        await operation({ exchange, target, caller }, this.#shelf);
      },
      refuse: refuseAsXml,
    };
  }

  /** Denies all keys outside the asset's prefix, other buckets, and calls on the bucket itself alike. */
  #checkPlace(target: S3Target, prefix: string): void {
    const isInside = target.key.startsWith(prefix) && target.key.length > prefix.length;
    if (target.bucket !== this.bucket || !isInside) throw new S3Error('AccessDenied', 'Access Denied.');
  }
}

function refuseAsXml(exchange: Exchange, error: unknown): void {
  const s3Error = toS3Error(error);
  const body = xmlDocument('Error', {
    Code: s3Error.code,
    Message: s3Error.message,
    ...s3Error.details,
    Resource: exchange.path,
    RequestId: exchange.response.getHeader('x-amz-request-id') ?? '',
    HostId: 'embedded',
  });
  if (exchange.method === 'HEAD') exchange.response.writeHead(s3Error.status).end();
  else exchange.send(s3Error.status, 'application/xml', body);
}

function toS3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  if (error instanceof Refusal) return new S3Error('MaxMessageLengthExceeded', error.message);
  return new S3Error('InternalError', String(error));
}
