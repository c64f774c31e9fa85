import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { crc32 } from 'node:zlib';
import { S3Error } from './s3-error.ts';

/** Data to verify chunk signatures (Signature Version 4, "Transferring payload in multiple chunks"). */
interface ChunkSignatures {
  readonly key: Buffer;
  /** The `x-amz-date` value. */
  readonly time: string;
  /** `YYYYMMDD/region/service/aws4_request`. */
  readonly scope: string;
  /** Signature of the request's head, hex; the first chunk's signature includes it. */
  readonly seed: string;
}

export interface ChunkedBody {
  /** Null for unsigned chunks (`STREAMING-UNSIGNED-PAYLOAD-TRAILER`). */
  readonly signatures: ChunkSignatures | null;
  /** Lower case. */
  readonly trailers: readonly string[];
  readonly decodedLength: number;
}

const longestLine = 8 * 1024;
const largestChunk = 64 * 1024 * 1024;
const emptyHash = createHash('sha256').digest('hex');

/** S3 checksums that are compared as trailers; others pass. */
const checksums: Readonly<Record<string, () => Checksum>> = {
  'x-amz-checksum-crc32': () => {
    let value = 0;
    return {
      update: (bytes) => {
        value = crc32(bytes, value);
      },
      base64: () => {
        const bytes = Buffer.alloc(4);
        bytes.writeUInt32BE(value);
        return bytes.toString('base64');
      },
    };
  },
  'x-amz-checksum-sha1': () => digest('sha1'),
  'x-amz-checksum-sha256': () => digest('sha256'),
};

interface Checksum {
  update(bytes: Buffer): void;
  base64(): string;
}

function digest(algorithm: string): Checksum {
  const hash = createHash(algorithm);
  return { update: (bytes) => hash.update(bytes), base64: () => hash.digest('base64') };
}

type Awaiting = 'size' | 'data' | 'end-of-data' | 'trailer' | 'nothing';

/** Decodes an `aws-chunked` body and checks signatures, trailers and lengths. Fails with S3Error. */
export class ChunkDecoder extends Transform {
  readonly #body: ChunkedBody;
  readonly #checksums: ReadonlyMap<string, Checksum>;
  readonly #trailers: [name: string, value: string][] = [];
  #pendingBytes: Buffer = Buffer.alloc(0);
  #awaiting: Awaiting = 'size';
  #bytesLeft = 0;
  #length = 0;
  #signature: string;
  #claimedSignature = '';
  #hash = createHash('sha256');

  constructor(body: ChunkedBody) {
    super();
    this.#body = body;
    this.#signature = body.signatures?.seed ?? '';
    this.#checksums = new Map(
      body.trailers.flatMap((name) => {
        const makeChecksum = checksums[name];
        return makeChecksum ? [[name, makeChecksum()] as const] : [];
      }),
    );
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    try {
      this.#pendingBytes =
        this.#pendingBytes.length === 0 ? bytes : Buffer.concat([this.#pendingBytes, bytes]);
      while (this.#step());
      callback();
    } catch (error) {
      callback(error as Error);
    }
  }

  override _flush(callback: TransformCallback): void {
    if (this.#awaiting === 'nothing' && this.#length === this.#body.decodedLength) callback();
    else callback(new S3Error('IncompleteBody', 'The body ended before its last chunk.'));
  }

  #step(): boolean {
    switch (this.#awaiting) {
      case 'size':
        return this.#line((line) => this.#beginChunk(line));
      case 'data':
        return this.#data();
      case 'end-of-data':
        return this.#line((line) => {
          if (line !== '') throw malformed();
          this.#awaiting = 'size';
        });
      case 'trailer':
        return this.#line((line) => this.#trailer(line));
      case 'nothing':
        if (this.#pendingBytes.length > 0) throw malformed();
        return false;
    }
  }

  #line(onLine: (line: string) => void): boolean {
    const end = this.#pendingBytes.indexOf('\r\n');
    if (end < 0 && this.#pendingBytes.length > longestLine) throw malformed();
    if (end < 0) return false;
    const line = this.#pendingBytes.toString('latin1', 0, end);
    this.#pendingBytes = this.#pendingBytes.subarray(end + 2);
    onLine(line);
    return true;
  }

  #beginChunk(line: string): void {
    const [, size = '', claimedSignature = ''] =
      /^([\da-f]{1,8})(?:;chunk-signature=([\da-f]{64}))?$/i.exec(line) ?? [];
    if (size === '' || (this.#body.signatures !== null) !== (claimedSignature !== '')) throw malformed();
    this.#bytesLeft = Number.parseInt(size, 16);
    if (this.#bytesLeft > largestChunk) throw malformed();
    this.#claimedSignature = claimedSignature;
    this.#hash = createHash('sha256');
    if (this.#bytesLeft > 0) this.#awaiting = 'data';
    else {
      this.#checkChunk();
      this.#awaiting = 'trailer';
    }
  }

  #data(): boolean {
    const bytes = this.#pendingBytes.subarray(0, this.#bytesLeft);
    if (bytes.length === 0) return false;
    this.#pendingBytes = this.#pendingBytes.subarray(bytes.length);
    this.#bytesLeft -= bytes.length;
    this.#length += bytes.length;
    if (this.#body.signatures) this.#hash.update(bytes);
    for (const checksum of this.#checksums.values()) checksum.update(bytes);
    this.push(bytes);
    if (this.#bytesLeft === 0) {
      this.#checkChunk();
      this.#awaiting = 'end-of-data';
    }
    return true;
  }

  #checkChunk(): void {
    const { signatures } = this.#body;
    if (!signatures) return;
    const { time, scope } = signatures;
    const text = [
      'AWS4-HMAC-SHA256-PAYLOAD',
      time,
      scope,
      this.#signature,
      emptyHash,
      this.#hash.digest('hex'),
    ];
    this.#compare(signatures.key, text, this.#claimedSignature);
  }

  #trailer(line: string): void {
    if (line === '') {
      this.#end();
      return;
    }
    const mark = line.indexOf(':');
    if (mark < 1) throw malformed();
    this.#trailers.push([line.slice(0, mark).toLowerCase(), line.slice(mark + 1).trim()]);
  }

  #end(): void {
    const trailers = new Map(this.#trailers);
    const { signatures } = this.#body;
    const signature = trailers.get('x-amz-trailer-signature');
    trailers.delete('x-amz-trailer-signature');
    if ([...trailers.keys()].some((name) => !this.#body.trailers.includes(name))) throw malformed();
    if (signatures && trailers.size > 0) {
      const lines = [...trailers].map(([name, value]) => `${name}:${value}\n`).join('');
      const hash = createHash('sha256').update(lines).digest('hex');
      const { time, scope } = signatures;
      this.#compare(
        signatures.key,
        ['AWS4-HMAC-SHA256-TRAILER', time, scope, this.#signature, hash],
        signature ?? '',
      );
    }
    for (const [name, checksum] of this.#checksums) {
      if (trailers.get(name) !== checksum.base64())
        throw new S3Error('BadDigest', `The ${name} you specified did not match what we received.`);
    }
    this.#awaiting = 'nothing';
  }

  #compare(key: Buffer, text: readonly string[], claimedSignature: string): void {
    const expected = createHmac('sha256', key).update(text.join('\n')).digest('hex');
    if (
      claimedSignature.length !== expected.length ||
      !timingSafeEqual(Buffer.from(expected), Buffer.from(claimedSignature))
    )
      throw new S3Error('SignatureDoesNotMatch', 'A chunk’s signature does not match the one calculated.');
    this.#signature = expected;
  }
}

function malformed(): S3Error {
  return new S3Error('InvalidRequest', 'The chunks of the body are malformed.');
}
